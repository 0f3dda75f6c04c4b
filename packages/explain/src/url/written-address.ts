/** How a host that browsers read as an IPv4 address is written. */
interface WrittenAddress {
  /** The words after "an IP address written", such as `"as one decimal number"`. */
  readonly notation: string;
  /**
   * The sum that gives the address, such as `"3279880203 = 195·256³ + 127·256² + 0·256 + 11"`; `null` if there is no
   * short one.
   */
  readonly sum: string | null;
}

const UNUSUAL: WrittenAddress = { notation: "in an unusual way", sum: null };
const LONGEST_WRITTEN = 60;
const POWERS = ["", "·256", "·256²", "·256³"] as const;

/**
 * Says how a host is written and why browsers read it as this address.
 *
 * @param text the host as it was typed.
 * @param address the address: four decimal numbers.
 * @see WHATWG URL, "IPv4 parser"
 */
export function writtenAddress(text: string, address: string): WrittenAddress {
  const numbers = text.replace(/\.$/, "").split(".");
  const kinds = new Set(numbers.map(kindOf));
  if (text.length > LONGEST_WRITTEN || numbers.length > 4 || kinds.has(null)) return UNUSUAL;
  const octets = address.split(".");
  const last = numbers.length - 1;
  const sums = numbers.flatMap((number, i) => {
    // The last number stands for all remaining octets.
    const own = i < last ? [octets[i]!] : octets.slice(last);
    const terms = own.map((octet, j) => `${octet}${POWERS[own.length - 1 - j]}`).join(" + ");
    return number === terms ? [] : `${number} = ${terms}`;
  });
  const [kind] = kinds;
  const notation = last === 0 ? `as one ${kind} number` : UNUSUAL.notation;
  return { notation, sum: sums.join(", ") || null };
}

function kindOf(number: string): string | null {
  const found = /^(?:(0x[0-9a-f]*)|(0\d+)|\d+)$/i.exec(number);
  return found && (found[1] ? "hexadecimal" : found[2] ? "octal" : "decimal");
}

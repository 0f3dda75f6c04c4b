import { readUrl } from "@x/canon/readings";

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

/** Where a part of a text starts and ends, in UTF-16 code units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The place of a host in a text. */
export interface HostSpan extends Span {
  /** Where the authority starts. It may have a user name before the host. */
  readonly authorityStart: number;
  /** Where the authority ends, after the port. */
  readonly authorityEnd: number;
  /** The index after the character that ends the authority, or after the escape of that character. */
  readonly endEnd: number;
}

interface Grammar {
  /** Everything before the authority: controls and spaces, a scheme and slashes. */
  readonly start: RegExp;
  readonly end: RegExp;
  readonly at: RegExp;
  readonly port: RegExp;
}

const GRAMMARS: Readonly<Record<"browser" | "specification", Grammar>> = {
  browser: {
    start: /^[\0- \s\x85]*(?:[a-z][a-z0-9+.-]{0,31}[:;]|https?(?=\/\/))?[/\\]*/i,
    end: /[/\\?#]/,
    at: /@/g,
    port: /:\d*$/,
  },
  // The specification decodes escapes first, until there are none left.
  specification: {
    start: /^[\0- ]*(?:[a-z][a-z0-9+.-]*:)?\/\//i,
    end: /[/?#]|%(?:25)*(?:2f|3f)/i,
    at: /@|%(?:25)*40/gi,
    port: /(?::|%(?:25)*3a)\d*$/i,
  },
};

const SPACES = /^[\0- \s\x85]*/;

/**
 * Finds the part of a text that browsers or the specification read as the host. `null` if that part, read on its own,
 * does not give the same host.
 */
export function hostSpan(
  text: string,
  by: "browser" | "specification",
  host: string,
): HostSpan | null {
  const grammar = GRAMMARS[by];
  const starts = [grammar.start, SPACES].map((pattern) => pattern.exec(text)?.[0].length ?? 0);
  for (const authorityStart of new Set(starts)) {
    const span = spanFrom(text, authorityStart, grammar);
    const readings = readUrl(`http://${text.slice(span.start, span.end)}`);
    if (readings[by]?.host === host) return span;
  }
  return null;
}

function spanFrom(text: string, authorityStart: number, { end, at, port }: Grammar): HostSpan {
  const rest = text.slice(authorityStart);
  const ending = end.exec(rest);
  const authority = ending === null ? rest : rest.slice(0, ending.index);
  let user = 0;
  for (const found of authority.matchAll(at)) user = found.index + found[0].length;
  const hostAndPort = authority.slice(user);
  const start = authorityStart + user;
  const authorityEnd = authorityStart + authority.length;
  return {
    authorityStart,
    start,
    end: start + (port.exec(hostAndPort)?.index ?? hostAndPort.length),
    authorityEnd,
    endEnd: authorityEnd + (ending?.[0].length ?? 0),
  };
}

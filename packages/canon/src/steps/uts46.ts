import { asciiLowerCase, isAscii } from "../ascii.ts";
import { decodeLabel, encodeLabel, PUNYCODE } from "./punycode.ts";
import { TABLE } from "./uts46-table.generated.ts";

/**
 * The result of mapping a host by UTS #46: its ASCII form, `"refused"` if no browser accepts the host, or `"undecided"`
 * if the table has no answer for one of its characters, or a label is too long to convert. Browsers may open such a
 * host, now or later.
 */
type MappedHost =
  | { readonly ascii: string; readonly problem: null }
  | { readonly ascii: null; readonly problem: "refused" | "undecided" };

const REFUSED: MappedHost = Object.freeze({ ascii: null, problem: "refused" });
const UNDECIDED: MappedHost = Object.freeze({ ascii: null, problem: "undecided" });

/**
 * The maximum number of UTF-16 code units in a mapped label that is not ASCII or begins with `xn--`. A longer label is
 * too long for a domain name, whose labels have at most 63 bytes. The limit is needed because normalization and
 * decoding Punycode can take quadratic time.
 */
const LONGEST_LABEL = 512;

/**
 * The maximum total length, in UTF-16 code units, of all labels of a host that are not ASCII or begin with
 * `xn--`. A domain name has at most 253 bytes. In Punycode, a character takes at least one byte, and at most
 * eight code units are composed into a character. Without this limit, long hosts would take more time than
 * any other input: UTS #46 can map one character to eighteen.
 */
const LONGEST_LABELS = 2048;

/**
 * The characters that no host contains, the forbidden domain code points of the URL Standard: delimiters,
 * spaces and controls. Brackets belong only around an IPv6 address.
 */
export const FORBIDDEN_IN_DOMAIN: RegExp = /[\0- #%/:<>?@[\\\]^|\x7f]/;

const ZERO_WIDTH_NON_JOINER = 0x200c;
const ZERO_WIDTH_JOINER = 0x200d;

/**
 * Converts a host to ASCII as browsers do (UTS #46 §4: non-transitional, without the STD3 and hyphen rules
 * and without the length limits of DNS), in the same way on every platform. The result may contain any ASCII
 * character.
 *
 * A host in ASCII is only converted to lower case, and its `xn--` labels are not checked. Three of the rules for labels
 * are checked: no label begins with a mark, `xn--` labels are Punycode, and joiners do not follow ASCII characters or
 * the start of a label. The other rules for joiners, and those for right-to-left labels, can only refuse hosts. These
 * rules are not checked here, because browsers do not open a host that breaks them.
 */
export function mapHost(name: string): MappedHost {
  if (isAscii(name)) return { ascii: asciiLowerCase(name), problem: null };
  let mapped = "";
  /** Where the current run of unchanged characters begins. */
  let kept = 0;
  let isUndecided = false;
  for (let i = 0, next = 0; i < name.length; i = next) {
    const code = name.codePointAt(i)!;
    next = i + (code > 0xffff ? 2 : 1);
    if (code < 0x80) continue;
    const status = hostCharacter(code);
    if (status === "valid" || status === "mark") continue;
    if (status === "disallowed") return REFUSED;
    if (status === "undecided") isUndecided = true;
    mapped += name.slice(kept, i);
    if (typeof status !== "string") mapped += status.text;
    kept = next;
  }
  if (isUndecided) return UNDECIDED;
  mapped += name.slice(kept);

  const labels: string[] = [];
  /** The total length so far of the labels that are not plain ASCII. */
  let length = 0;
  for (const label of asciiLowerCase(mapped).split(".")) {
    if (!isPlainLabel(label)) length += label.length;
    const isTooLong = label.length > LONGEST_LABEL && !isPlainLabel(label);
    if (isTooLong || length > LONGEST_LABELS) return UNDECIDED;
    const ascii = toAsciiLabel(label);
    if (ascii === null) return REFUSED;
    labels.push(ascii);
  }
  return { ascii: labels.join("."), problem: null };
}

/** Whether a label is its own ASCII form, without any checks. */
function isPlainLabel(label: string): boolean {
  return isAscii(label) && !label.startsWith(PUNYCODE);
}

/** The ASCII form of a mapped label, or `null` if it is not valid. */
function toAsciiLabel(label: string): string | null {
  if (isPlainLabel(label)) return label;
  const isIdn = label.startsWith(PUNYCODE);
  if (label.length > LONGEST_LABEL) return null;
  if (!isIdn) {
    const normal = label.normalize("NFC");
    return isValidLabel(normal) ? encodeLabel(normal) : null;
  }
  const decoded = isAscii(label) ? decodeLabel(label) : null;
  if (decoded === null || isAscii(decoded) || decoded.normalize("NFC") !== decoded) return null;
  return isValidLabel(decoded) ? label : null;
}

/** Whether all labels of a host in ASCII are valid. Only labels that begin with `xn--` can be invalid. */
export function hasValidLabels(host: string): boolean {
  if (!host.includes(PUNYCODE)) return true;
  return host.split(".").every((label) => toAsciiLabel(label) !== null);
}

/** Whether a label that is not ASCII consists of valid characters. Undecided characters count as valid. */
function isValidLabel(label: string): boolean {
  let isAfterAscii = true;
  let isFirst = true;
  for (const character of label) {
    const code = character.codePointAt(0)!;
    const status = code < 0x80 ? "valid" : hostCharacter(code);
    if (isFirst && status === "mark") return false;
    if (status !== "valid" && status !== "mark" && status !== "undecided") return false;
    const isJoiner = code === ZERO_WIDTH_JOINER || code === ZERO_WIDTH_NON_JOINER;
    if (isJoiner && isAfterAscii) return false;
    isAfterAscii = code < 0x80;
    isFirst = false;
  }
  return true;
}

/**
 * The status of a character in a host: valid characters stay, mapped characters are replaced by a text, and ignored
 * characters are dropped. A mark is valid except at the start of a label. No browser accepts a disallowed character.
 * For an undecided character, such as one that is not assigned yet, the table has no answer.
 */
type HostCharacter = "valid" | "mark" | "ignored" | "disallowed" | "undecided" | Mapping;

interface Mapping {
  readonly text: string;
}

/** The first code point of the table. */
const FIRST = 0x80;

const KINDS: ReadonlyMap<string, HostCharacter> = new Map([
  ["v", "valid"],
  ["m", "mark"],
  ["i", "ignored"],
  ["d", "disallowed"],
  ["u", "undecided"],
]);

/** The table as runs of characters. `tables/encode.js` describes their encoding. */
interface Table {
  /** The first code point of each run. */
  readonly starts: Uint32Array;
  /** For each run, its kind, the distance to the mapped characters, or the texts they are mapped to. */
  readonly runs: readonly (HostCharacter | "alternating" | number | readonly Mapping[])[];
}

let table: Table | null = null;

/** The status of a code point above U+007F in a host (UTS #46 §5). */
function hostCharacter(code: number): HostCharacter {
  // The table is read on first use, because most programs never read a host that is not ASCII.
  table ??= readTable(TABLE);
  const { starts, runs } = table;
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= code) low = middle;
    else high = middle;
  }
  const run = runs[low]!;
  const offset = code - starts[low]!;
  if (typeof run === "number") return { text: String.fromCodePoint(code + run) };
  if (run === "alternating") {
    return offset % 2 === 0 ? { text: String.fromCodePoint(code + 1) } : "valid";
  }
  return Array.isArray(run) ? run[offset]! : (run as HostCharacter);
}

function readTable(text: string): Table {
  const starts: number[] = [];
  const runs: Table["runs"][number][] = [];
  let at = 0;
  let start = FIRST;
  let last = 0;

  function number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 32) {
      const digit = digitValue(text.charCodeAt(at++));
      value += (digit & 31) * scale;
      if (digit < 32) return value;
    }
  }

  function signed(): number {
    const value = number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  function mapping(): Mapping {
    const codes = Array.from({ length: number() }, () => {
      last += signed();
      return last;
    });
    return { text: String.fromCodePoint(...codes) };
  }

  while (at < text.length) {
    const kind = text[at++]!;
    const length = number();
    starts.push(start);
    start += length;
    if (kind === "o") runs.push(signed());
    else if (kind === "a") runs.push("alternating");
    else if (kind === "t") runs.push(Array.from({ length }, mapping));
    else runs.push(KINDS.get(kind)!);
  }
  return { starts: Uint32Array.from(starts), runs };
}

/** The value of a digit. The digits are A to Z, a to z, 0 to 9, `-` and `_`, in this order. */
function digitValue(code: number): number {
  if (code >= 0x61) return code - 0x61 + 26;
  if (code === 0x5f) return 63;
  if (code >= 0x41) return code - 0x41;
  return code === 0x2d ? 62 : code - 0x30 + 52;
}

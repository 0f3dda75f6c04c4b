import type { QuickTest } from "../look-alikes/quick-test.ts";
import { ENCODED_MARKS } from "./decode.ts";
import { WRAPPERS } from "./wrappers/table.ts";

/** Second-level labels, as in `co.uk`, `com.au`, `org.uk` and `gov.uk`. The label before them names the site. */
const SECOND_LEVEL: readonly string[] = ["co", "com", "org", "gov"];

const SPACE = 0x20;
const HASH = 0x23;
const PERCENT = 0x25;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const QUESTION = 0x3f;
const AT = 0x40;
const BACKSLASH = 0x5c;
const LOWER_A = 0x61;
const LOWER_D = 0x64;
const LOWER_P = 0x70;
const LOWER_S = 0x73;

/** Kinds of bytes in a host. */
const NOTHING = 0;
const IS_DOT = 1;
const IS_HYPHEN = 2;
const AFTER_HOST = 3;
/** A byte that no canonical URL has, or that programs read differently. */
const ALWAYS = 4;
const IN_HOST = new Uint8Array(256);
/** Whether a byte after the host alone needs a closer look. */
const IN_REST = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  if (byte <= SPACE || byte >= 0x7f) IN_HOST[byte] = IN_REST[byte] = ALWAYS;
}
for (const byte of [PERCENT, AT, BACKSLASH]) IN_HOST[byte] = ALWAYS;
for (const byte of [COLON, SLASH, QUESTION, HASH]) IN_HOST[byte] = AFTER_HOST;
IN_HOST[DOT] = IS_DOT;
IN_HOST[HYPHEN] = IS_HYPHEN;
for (const byte of [HASH, PERCENT, COLON, BACKSLASH]) IN_REST[byte] = 1;

/** Signs of a URL after the host, by the characters that are possible at each place. */
const SIGNS: readonly (readonly string[])[] = [["=+?#&", "/\\", "/\\"], ...ENCODED_MARKS];
/** For each of the first four places: a bit for each sign that may have a byte there. */
const [AT_1, AT_2, AT_3, AT_4] = [0, 1, 2, 3].map((place) =>
  Int32Array.from({ length: 256 }, (_, byte) => {
    const isPossible = (sign: readonly string[]) =>
      sign[place]?.includes(String.fromCharCode(byte)) ?? true;
    return SIGNS.reduce((bits, sign, i) => bits | (isPossible(sign) ? 1 << i : 0), 0);
  }),
) as [Int32Array, Int32Array, Int32Array, Int32Array];
/**
 * Two bytes after the host need a closer look if the bits of the first one in `FIRST` and those of the second one in
 * `SECOND` have a bit in common: one of the bytes alone needs it, or a sign begins at the first byte or at the byte
 * before it. Nearly all pairs need none.
 */
const FIRST = new Int32Array(256);
const SECOND = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  const isAlone = IN_REST[byte] !== 0;
  FIRST[byte] = (isAlone ? 3 : 1) | (AT_1[byte]! << 2) | (AT_2[byte]! << (2 + SIGNS.length));
  SECOND[byte] = (isAlone ? 3 : 2) | (AT_2[byte]! << 2) | (AT_3[byte]! << (2 + SIGNS.length));
}

/** The bytes of the marks of links with a URL inside, by the hash of the site's name, which has one or two labels. */
const MARKS = new Map<number, readonly Uint8Array[]>();
/** The same marks by the hash of the last label of the site's name. */
const MARKS_BY_LABEL = new Map<number, readonly Uint8Array[]>();
/** The outlines of labels that are the last of a site or in `SECOND_LEVEL`. They exclude nearly all other labels. */
const MAY_BE_KNOWN = new Uint8Array(2 ** 15);
const SECOND_LEVEL_HASHES = new Set(
  SECOND_LEVEL.map((label) => {
    const bytes = new TextEncoder().encode(label);
    MAY_BE_KNOWN[outlineOf(bytes, 0, bytes.length)] = 1;
    return hashOf(bytes, 0, bytes.length);
  }),
);
for (const { sites, mark } of WRAPPERS) {
  const marks = mark === undefined ? [] : [new TextEncoder().encode(mark)];
  for (const site of sites) {
    const name = new TextEncoder().encode(site);
    const label = site.lastIndexOf(".") + 1;
    const hash = hashOf(name, 0, name.length);
    const last = hashOf(name, label, name.length);
    MARKS.set(hash, [...(MARKS.get(hash) ?? []), ...marks]);
    MARKS_BY_LABEL.set(last, [...(MARKS_BY_LABEL.get(last) ?? []), ...marks]);
    MAY_BE_KNOWN[outlineOf(name, label, name.length)] = 1;
  }
}

/** The first letter, the last letter and the length of a label, in 15 bits. */
function outlineOf(bytes: Uint8Array, start: number, end: number): number {
  const letters = ((bytes[start]! & 31) << 5) | (bytes[end - 1]! & 31);
  return (letters << 5) | ((end - start) & 31);
}

/** A hash of a name, the same for upper and lower case. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (bytes[i]! | 0x20)) | 0;
  return hash;
}

const NO_MARKS: readonly Uint8Array[] = [];

/**
 * The marks of links with a URL inside at a host; `NO_MARKS` if no links at that host are wrapped.
 *
 * @param second the start of the second label before the top-level domain, and `last` that of the first. Each label
 * ends before a dot, and `end` is the start of the top-level domain. Where a label is missing, its start is its end.
 */
function marksAt(
  url: Uint8Array,
  second: number,
  last: number,
  end: number,
): readonly Uint8Array[] {
  if (last === end || MAY_BE_KNOWN[outlineOf(url, last, end - 1)] === 0) return NO_MARKS;
  const label = hashOf(url, last, end - 1);
  // Hosts that end in `co.uk` or the like are so rare that one label is enough.
  if (SECOND_LEVEL_HASHES.has(label)) {
    return MARKS_BY_LABEL.get(hashOf(url, second, last - 1)) ?? NO_MARKS;
  }
  return MARKS.get(label) ?? MARKS.get(hashOf(url, second, end - 1)) ?? NO_MARKS;
}

/** Whether any of the marks is in the bytes from `start` to `end`. A backslash counts as a slash. */
function hasMark(
  marks: readonly Uint8Array[],
  url: Uint8Array,
  start: number,
  end: number,
): boolean {
  for (const mark of marks) {
    for (let at = start; at + mark.length <= end; at++) {
      let i = 0;
      while (i < mark.length && withSlash(url[at + i]!) === mark[i]) i++;
      if (i === mark.length) return true;
    }
  }
  return false;
}

function withSlash(byte: number): number {
  return byte === BACKSLASH ? SLASH : byte;
}

/** The result of `lookAtUrl`. */
export type UrlLook =
  /**
   * `unwrapLink` finds nothing. The host has a dot, is not in Punycode, and imitates no well-known site if that is
   * tested. Only printable ASCII characters follow the host, without colons, backslashes and fragments.
   */
  | "plain"
  /** Like `"plain"`, but at the site of a wrapper, so `unwrapLink` may find a wrapped link that it cannot open. */
  | "maybe-closed"
  /** `unwrapLink` finds no URL. It may find a wrapped link that it cannot open. */
  | "nothing-inside"
  /** `unwrapLink` may find a URL. */
  | "maybe-inside";

/**
 * Tells from the bytes of a URL whether `unwrapLink` may find a URL in it, so that few lines of a file need
 * `unwrapLink`.
 *
 * @param isImitation the `quickTest()` of `imitations`; without it, hosts are not tested for imitations.
 * @example
 * ```ts
 * import { lookAtUrl } from "@x/links/unwrap";
 *
 * const bytes = new TextEncoder().encode("http://a.example/#?go=http://evil.example/");
 * lookAtUrl(bytes); // → "maybe-inside"
 * lookAtUrl(bytes, 0, 18); // → "nothing-inside"
 * lookAtUrl(bytes, 0, 17); // → "plain"
 * ```
 */
export function lookAtUrl(
  url: Uint8Array,
  start: number = 0,
  end: number = url.length,
  isImitation: QuickTest | null = null,
): UrlLook {
  const hostStart = start + schemeLength(url, start, end);
  /** The starts of the current label and of the two before it. */
  let label = hostStart;
  let last = hostStart;
  let second = hostStart;
  let isPlain = true;
  let at = hostStart;
  for (; at < end; at++) {
    const kind = IN_HOST[url[at]!]!;
    if (kind === NOTHING) continue;
    if (kind === AFTER_HOST) break;
    if (kind === IS_HYPHEN) {
      if (at > label && url[at - 1] === HYPHEN) isPlain = false;
      continue;
    }
    // Programs read empty labels differently.
    if (kind === ALWAYS || at === label) return "maybe-inside";
    second = last;
    last = label;
    label = at + 1;
  }
  if (at === label) return "maybe-inside";
  const hostEnd = at;
  if (at < end && url[at] === COLON) {
    const portEnd = endOfPort(url, at + 1, end);
    // Without a scheme before it, the host itself may be a scheme.
    if (hostStart === start || portEnd === null) return "maybe-inside";
    isPlain = false;
    at = portEnd;
  }
  const marks = marksAt(url, second, last, label);
  if (marks !== NO_MARKS && hasMark(marks, url, at, end)) return "maybe-inside";
  if (label === hostStart) isPlain = false;
  while (at < end) {
    if (at + 4 <= end && areNothing(url, at)) {
      at += 4;
      continue;
    }
    // No sign begins at the last byte.
    if (at + 1 < end ? (FIRST[url[at]!]! & SECOND[url[at + 1]!]!) === 0 : IN_REST[url[at]!] === 0) {
      at += 2;
      continue;
    }
    const look = lookCloser(url, at, end);
    if (look === "maybe-inside") return look;
    if (look === "nothing-inside") isPlain = false;
    at += 2;
  }
  if (!isPlain || isImitation?.(url, hostStart, hostEnd)) return "nothing-inside";
  return marks === NO_MARKS ? "plain" : "maybe-closed";
}

/** Looks at two bytes after the host, and the byte before them. */
function lookCloser(url: Uint8Array, at: number, end: number): UrlLook {
  let look: UrlLook = "plain";
  for (let i = at - 1; i < at + 2 && i < end; i++) {
    const byte = url[i]!;
    if (IN_REST[byte] === ALWAYS || isPartOfUrl(url, byte, i)) return "maybe-inside";
    if (byte === COLON || byte === HASH || byte === BACKSLASH) look = "nothing-inside";
  }
  return look;
}

/** The end of a port, which may be empty; `null` if it has characters other than digits. */
function endOfPort(url: Uint8Array, at: number, end: number): number | null {
  while (at < end && url[at]! >= DIGIT_0 && url[at]! <= DIGIT_9) at++;
  return at === end || (IN_HOST[url[at]!] === AFTER_HOST && url[at] !== COLON) ? at : null;
}

/** Whether none of four bytes needs a closer look. */
function areNothing(url: Uint8Array, at: number): boolean {
  const kinds =
    (FIRST[url[at]!]! & SECOND[url[at + 1]!]!) | (FIRST[url[at + 2]!]! & SECOND[url[at + 3]!]!);
  return kinds === 0;
}

/**
 * Whether a byte may belong to the start of a URL: `http:`, `ftp:`, or two slashes, perhaps with escapes or encoded.
 */
function isPartOfUrl(url: Uint8Array, byte: number, at: number): boolean {
  if (byte === COLON) {
    const before = url[at - 1]! | 0x20;
    return before === LOWER_P || before === LOWER_S;
  }
  const signs = AT_1[byte]! & AT_2[url[at + 1]!]! & AT_3[url[at + 2]!]!;
  if (signs !== 0 && (signs & AT_4[url[at + 3]!]!) !== 0) return true;
  if (byte !== PERCENT) return false;
  // A character that is escaped twice has an escaped percent sign. Only a character that is printable ASCII can be part
  // of a URL, but tabs and line ends may be between its characters, and any space before two slashes.
  return isPrintable(url, at + 1) || isDropped(url, at + 1) || isSpaceBeforeSlash(url, at + 1);
}

/** Whether two hexadecimal digits stand for a space or a control character, and a slash follows. */
function isSpaceBeforeSlash(url: Uint8Array, at: number): boolean {
  const high = url[at]! - DIGIT_0;
  return isSlash(url[at + 2]) && (high < 2 || (high === 2 && url[at + 1] === DIGIT_0));
}

function isSlash(byte: number | undefined): boolean {
  return byte === SLASH || byte === BACKSLASH;
}

/** Whether two hexadecimal digits stand for a printable ASCII character other than a space. */
function isPrintable(url: Uint8Array, at: number): boolean {
  const high = url[at];
  return (
    high !== undefined && high >= 0x32 && high <= 0x37 && !(high === 0x32 && url[at + 1] === 0x30)
  );
}

/** Whether two hexadecimal digits stand for a tab or a line end. */
function isDropped(url: Uint8Array, at: number): boolean {
  if (url[at] !== DIGIT_0) return false;
  const low = url[at + 1]! | 0x20;
  return low === DIGIT_9 || low === LOWER_A || low === LOWER_D;
}

/** The length of `http://` or `https://` at the start; 0 if the URL does not start with either. */
function schemeLength(url: Uint8Array, start: number, end: number): number {
  if ((url[start]! | 0x20) !== 0x68 || end - start < 8) return 0;
  const colon = url[start + 4] === COLON ? 4 : 5;
  const isWeb =
    (url[start + 1]! | 0x20) === 0x74 &&
    (url[start + 2]! | 0x20) === 0x74 &&
    (url[start + 3]! | 0x20) === LOWER_P &&
    (colon === 4 || (url[start + 4]! | 0x20) === LOWER_S) &&
    url[start + colon] === COLON &&
    url[start + colon + 1] === SLASH &&
    url[start + colon + 2] === SLASH;
  return isWeb ? colon + 3 : 0;
}

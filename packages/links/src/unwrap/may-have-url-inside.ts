/**
 * The label before the top-level domain of every host in the tables of wrappers, and the labels before `co.uk` and the
 * like. The tests wrap URLs by the rule of each row, and fail if a label is missing here.
 */
const LABELS: ReadonlySet<string> = new Set([
  ...["outlook", "office365", "office", "live", "proofpoint", "urldefense", "cudasvc", "cisco"],
  ...["trendmicro", "symantec", "fireeye", "sophos", "mimecast", "mimecastprotect"],
  ...["google", "bing", "yahoo", "youtube", "facebook", "messenger", "instagram", "threads"],
  ...["linkedin", "twitter", "x", "slack-redir", "steamcommunity", "vk", "umblr", "href"],
  ...["ampproject", "bing-amp", "translate", "archive", "arquivo", "archive-it", "webarchive"],
  ...["nationalarchives", "googleusercontent"],
]);
/** The labels of `co.uk`, `com.au`, `org.uk` and `gov.uk`, before which another label counts. */
const SECOND_LEVEL: ReadonlySet<string> = new Set(["co", "com", "org", "gov"]);

const LONGEST_LABEL = 20;
/** For each length of a label in the sets, the first letters of these labels, as bits. */
const FIRST_LETTERS = new Uint32Array(LONGEST_LABEL + 1);
for (const label of [...LABELS, ...SECOND_LEVEL]) {
  FIRST_LETTERS[label.length]! |= 1 << (label.charCodeAt(0) & 0x1f);
}

const SPACE = 0x20;
const HASH = 0x23;
const PERCENT = 0x25;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const QUESTION = 0x3f;
const LETTER_H = 0x48;
const LETTER_R = 0x52;
const LOWER_A = 0x61;
const LOWER_P = 0x70;
const LOWER_S = 0x73;

/** Bytes after which a URL is examined closely. */
const NOTHING = 0;
const ALWAYS = 1;
const IN_HOST = 2;
const KINDS = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  if (byte <= SPACE || byte >= 0x7f) KINDS[byte] = ALWAYS;
}
KINDS[0x5c] = ALWAYS; // "\"
for (const byte of [PERCENT, COLON, LETTER_R]) KINDS[byte] = IN_HOST;
KINDS[0x40] = IN_HOST; // "@"

/**
 * Whether `unwrapLink` may find something in a URL. `false` is certain; `true` is not. It takes a few nanoseconds for
 * each ten bytes, so it can be called for every line of a file.
 *
 * @example
 * ```ts
 * import { mayHaveUrlInside } from "@x/links/unwrap";
 *
 * const bytes = new TextEncoder().encode("http://a.example/?go=http://evil.example/");
 * mayHaveUrlInside(bytes); // → true
 * mayHaveUrlInside(bytes, 0, 17); // → false
 * ```
 */
export function mayHaveUrlInside(
  url: Uint8Array,
  start: number = 0,
  end: number = url.length,
): boolean {
  const hostStart = start + schemeLength(url, start, end);
  let [third, second, last] = [hostStart - 1, hostStart - 1, hostStart - 1];
  let at = hostStart;
  for (; at < end; at++) {
    const byte = url[at]!;
    if (byte === SLASH || byte === QUESTION || byte === HASH) break;
    if (byte === DOT) {
      third = second;
      second = last;
      last = at;
    } else if (KINDS[byte] !== NOTHING && byte !== LETTER_R) return true;
  }
  // Readers differ in what they make of empty labels.
  if (last === at - 1 || (last >= hostStart && second === last - 1)) return true;
  const label = knownLabel(url, second + 1, last);
  if (label !== null) {
    if (LABELS.has(label)) return true;
    const before = knownLabel(url, third + 1, second);
    if (before !== null && LABELS.has(before)) return true;
  }
  for (; at < end; at++) {
    while (at + 4 <= end && areNothing(url, at)) at += 4;
    if (at === end) break;
    const byte = url[at]!;
    const kind = KINDS[byte];
    if (kind === NOTHING) continue;
    if (kind === ALWAYS || isPartOfUrl(url, byte, at)) return true;
  }
  return false;
}

/** Whether four bytes, as nearly all, need no closer look. */
function areNothing(url: Uint8Array, at: number): boolean {
  const kinds =
    KINDS[url[at]!]! | KINDS[url[at + 1]!]! | KINDS[url[at + 2]!]! | KINDS[url[at + 3]!]!;
  return kinds === NOTHING;
}

/** Whether a byte may belong to the start of a URL: `http:`, `ftp:`, `aHR0c`, or an escape of one of their characters. */
function isPartOfUrl(url: Uint8Array, byte: number, at: number): boolean {
  if (byte === COLON) {
    const before = url[at - 1]! | 0x20;
    return before === LOWER_P || before === LOWER_S;
  }
  if (byte === LETTER_R) return url[at - 1] === LETTER_H && url[at - 2] === LOWER_A;
  // What is escaped twice has an escaped percent sign. Only a character that is printable ASCII can be part of a URL.
  return byte === PERCENT && isPrintable(url, at + 1);
}

/** Whether two hexadecimal digits stand for a printable character of ASCII other than a space. */
function isPrintable(url: Uint8Array, at: number): boolean {
  const high = url[at];
  return (
    high !== undefined && high >= 0x32 && high <= 0x37 && !(high === 0x32 && url[at + 1] === 0x30)
  );
}

/** The length of `http://` or `https://` at the start; 0 if there is something else. */
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

/** A label in lower case, if its length and first letter are those of a label in the sets. */
function knownLabel(url: Uint8Array, start: number, end: number): string | null {
  const length = end - start;
  if (length < 1 || length > LONGEST_LABEL) return null;
  if ((FIRST_LETTERS[length]! & (1 << (url[start]! & 0x1f))) === 0) return null;
  let label = "";
  for (let i = start; i < end; i++) label += String.fromCharCode(url[i]! | 0x20);
  return label;
}

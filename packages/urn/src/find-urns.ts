import {
  closingFinder,
  isCutAt,
  isCutAtEscape,
  isNidCut,
  kindOfBefore,
  type Opening,
  textBefore,
} from "./end-of-urn.ts";
import {
  assertString,
  booleanOption,
  chosenSyntax,
  type UrnSyntax,
  type UrnSyntaxOptions,
} from "./options.ts";
import { toUrn, type Urn } from "./parse.ts";
import {
  endOfNidCharacters,
  MAX_NID_LENGTH,
  scanUrn,
  startsScheme,
  type UrnScan,
} from "./scan-urn.ts";

/** The options of `findUrns`. */
export interface FindUrnsOptions extends UrnSyntaxOptions {
  /**
   * Whether to end a URN where the text around it clearly does, although the character could be part of a URN:
   *
   * - at the next `'`, `*` or `~` when the same character is directly before the URN;
   * - at the next run of underscores at the end of a word when underscores are directly before the URN, and the run is
   *   at least as long as those, or has at least three underscores;
   * - at a character reference, such as `&quot;`;
   * - at a `,` or `;` directly before another URN;
   * - at the next `&` when the URN is the value of a parameter, directly after `=`;
   * - when an escape, such as `%20` or `=3C`, is directly before the URN: at the next escape of `'` or of a character
   *   that cannot be part of a URN, and, after a percent escape, also at the next `&`.
   *
   * By default, only the specification decides.
   */
  readonly trimDelimiters?: boolean | undefined;
  /**
   * Whether to leave out punctuation at the end of a URN that more likely belongs to the sentence: `. , ; : ! ? '` and
   * a `)` without a `(` in the URN. The option includes `trimDelimiters`. By default, punctuation is part of the URN,
   * as the specification says.
   */
  readonly trimPunctuation?: boolean | undefined;
}

/** A URN found in running text. */
export interface FoundUrn {
  /** The parts of the URN, as written. */
  readonly urn: Urn;
  /** The index of the URN's first character, in UTF-16 code units. */
  readonly start: number;
  /** The index after the URN's last character. */
  readonly end: number;
  /**
   * Whether the name seems to go on after `end`: before a hyphen or short dash that is not ASCII, an invisible joint
   * such as a soft hyphen, or an ellipsis; before an escape of one of these or of a character of the name, such as
   * `\\_`, `\\/`, `\\u002B`, `&#x2B;` or `{\\_}`; before a backslash at the end of a line; before `%` without the
   * digits of an escape; before `~` under `"rfc2141"`; and at the end of a line after `-`, `/` or `=`. Three dots count
   * as an ellipsis, also at the end of the name.
   */
  readonly isCut: boolean;
}

/**
 * A part of a text that contains `urn:`, in upper or lower case, and that was not read as a URN. `why` is one of:
 *
 * - `"run-too-long"`: a run of characters is longer than `maxRunLength`, and was not searched.
 * - `"other-scheme"`: the characters before `urn:` make it the end of another scheme, as in `x-urn:a:b` (RFC 3986
 *   §3.1), although they may also be the end of a sentence, as in `end.urn:a:b`.
 * - `"escaped-name"`: the name starts with an escape, as in `urn:a:\\_b`, or the NID has one, as in `urn:x\\-a:b`.
 */
export interface UnreadPart {
  /** Always `null`, while a {@link FoundUrn} has a URN here. */
  readonly urn: null;
  readonly why: "run-too-long" | "other-scheme" | "escaped-name";
  /** The index of the first character of the run or, for other reasons, of `urn:`. In UTF-16 code units. */
  readonly start: number;
  /**
   * The index after the run or, for other reasons, after the colon behind the NID, or behind `urn` if the NID has an
   * escape.
   */
  readonly end: number;
}

/**
 * Returns the URNs in running text, in order.
 *
 * A URN starts at a word boundary: no ASCII letter or digit is before it, not even with underscores or a single `-`,
 * `+` or `.` in between: `x-urn:` is another scheme (`urnFinder` reports it). An escape before the URN, such as `\\n`,
 * `\\u003c`, `%20` or a colour of a terminal, counts as the character that it stands for. A URN ends before the first
 * character that cannot be part of it, such as an excluded character, a malformed escape or, under `"rfc2141"`, `%00`.
 * URNs do not overlap. Time is linear in the length of the text.
 *
 * @throws {TypeError} when the text is not a string.
 * @example
 * ```ts
 * import { findUrns } from "@x/urn";
 *
 * const text = "See <urn:isbn:0451450523> (or urn:ietf:rfc:2141).";
 * findUrns(text).map(({ start, end }) => text.slice(start, end)); // → ["urn:isbn:0451450523", "urn:ietf:rfc:2141)."]
 * findUrns(text, { trimPunctuation: true })[1]?.urn.nss; // → "rfc:2141"
 * findUrns("<x xmlns='urn:a:b'/>", { trimDelimiters: true })[0]?.urn.nss; // → "b"
 * findUrns("urn:nbn:de:bsz:352-\n246910")[0]?.isCut; // → true
 * ```
 * @see RFC 2141 §2.4
 */
export function findUrns(text: string, options?: FindUrnsOptions): FoundUrn[] {
  assertString(text, "text");
  const found: FoundUrn[] = [];
  const keep = (result: FoundUrn | UnreadPart) => result.urn !== null && found.push(result);
  scan({ text, previous: "", offset: 0 }, scanOptions(options), { push: keep });
  return found;
}

/** The options of {@link scan}. */
interface ScanOptions {
  readonly syntax: UrnSyntax;
  readonly trim: "nothing" | "delimiters" | "punctuation";
}

export function scanOptions(options: FindUrnsOptions | undefined): ScanOptions {
  const syntax = chosenSyntax(options);
  if (booleanOption(options, "trimPunctuation")) return { syntax, trim: "punctuation" };
  const isTrimmed = booleanOption(options, "trimDelimiters");
  return { syntax, trim: isTrimmed ? "delimiters" : "nothing" };
}

/** A part of a longer text. */
interface TextPart {
  readonly text: string;
  /** The end of the text before `text`, which decides whether a URN can begin at the start of `text`. */
  readonly previous: string;
  /** The index in the longer text at which `text` starts. */
  readonly offset: number;
}

/** Adds the URNs in a text, and the parts that were not read, to `found`. */
export function scan(
  { text, previous, offset }: TextPart,
  { syntax, trim }: ScanOptions,
  found: { push(item: FoundUrn | UnreadPart): unknown },
): void {
  const unread = (start: number, end: number, why: UnreadPart["why"]) =>
    found.push({ urn: null, why, start: offset + start, end: offset + end });
  const closing = trim === "nothing" ? null : closingFinder(text);
  let from = 0;
  let opening: Opening | null = null;
  let colon = text.indexOf(":");
  while (colon !== -1) {
    const start = colon - 3;
    let next = colon + 1;
    if (start >= from && startsScheme(text, start)) {
      const isListed = start === from + 1 && opening !== null && ",;".includes(text.charAt(from));
      if (!isListed) {
        const before = textBefore(text, start, previous);
        const kind = kindOfBefore(before);
        opening = kind === null || kind === "other-scheme" ? null : { text: before, kind };
        if (kind === "other-scheme") {
          const head = scanUrn(text.slice(start, start + HEAD_LENGTH), 0, syntax);
          const hasName =
            head.end !== -1 || isEscapedName(text, start + head.nssStart, before, head, syntax);
          if (hasName) unread(start, start + head.nssStart, "other-scheme");
        }
      }
    } else opening = null;
    if (opening !== null) {
      // A URN that ends at a delimiter is read from a text of its own, so its indices start at 0.
      const base = closing === null ? 0 : start;
      const searched = closing === null ? text : text.slice(start, closing(start, opening));
      const scan = scanUrn(searched, start - base, syntax);
      const nssStart = base + scan.nssStart;
      if (scan.end === -1) {
        if (isEscapedName(text, nssStart, opening.text, scan, syntax)) {
          unread(start, nssStart, "escaped-name");
        }
      } else {
        from = base + scan.end;
        next = from;
        const kept = trim === "punctuation" ? trimmed(text.slice(start, from), syntax) : scan;
        if (kept === null) {
          if (isCutAtEscape(text, from, opening.text, syntax))
            unread(start, nssStart, "escaped-name");
        } else {
          const end = base + kept.end;
          found.push({
            urn: toUrn(kept),
            start: offset + start,
            end: offset + end,
            isCut:
              isCutAt(text, end, opening.text, syntax) ||
              isCutAtEscape(text, from, opening.text, syntax),
          });
        }
      }
    }
    colon = text.indexOf(":", next);
  }
}

/** The length of `urn:`, the longest NID, its colon and an escape as the first character of the NSS. */
const HEAD_LENGTH = "urn:".length + MAX_NID_LENGTH + ":%XX".length;

/** Whether a URN without an NSS has an escape in its NID, or where its NSS would start. */
function isEscapedName(
  text: string,
  nssStart: number,
  before: string,
  { nidEnd }: UrnScan,
  syntax: UrnSyntax,
): boolean {
  return nidEnd === -1
    ? isNidCut(text, endOfNidCharacters(text, nssStart), before)
    : isCutAtEscape(text, nssStart, before, syntax);
}

/** Reads the URN without the punctuation at its end. Returns `null` when the rest is not a URN. */
function trimmed(written: string, syntax: UrnSyntax): UrnScan | null {
  let rest = written;
  for (;;) {
    const kept = rest.slice(0, trimmedLength(rest));
    const scan = scanUrn(kept, 0, syntax);
    if (scan.end === -1) return null;
    if (scan.end === rest.length) return scan;
    // If a component lost all its characters, the scan ends before its "?+" or "?=", and other punctuation
    // may now be at the end.
    rest = kept.slice(0, scan.end);
  }
}

const TRAILING_PUNCTUATION = ".,;:!?'";

function trimmedLength(written: string): number {
  let unclosed = 0;
  for (let i = 0; i < written.length; i++) {
    if (written.charAt(i) === "(") unclosed++;
    else if (written.charAt(i) === ")") unclosed--;
  }
  let length = written.length;
  while (length > 0) {
    const last = written.charAt(length - 1);
    if (last === ")" && unclosed < 0) unclosed++;
    else if (!TRAILING_PUNCTUATION.includes(last)) break;
    length--;
  }
  return length;
}

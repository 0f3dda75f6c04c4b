import { scanUrn, startsScheme, type UrnScan } from "../grammar/scan-urn.ts";
import {
  assertString,
  booleanOption,
  chosenSyntax,
  type UrnSyntax,
  type UrnSyntaxOptions,
} from "../options.ts";
import { toUrn } from "../parse.ts";
import type { Urn } from "../urn.ts";
import { closingFinder, type Opening } from "./closing.ts";
import { isCutAt, isCutAtEscape } from "./cut.ts";
import { kindOfBefore, textBefore } from "./escape-before.ts";

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
   * such as a soft hyphen, or an ellipsis; before an escape of one of these or of a character of the name, such as `\\_`,
   * `\\/`, `\\u002B`, `&#x2B;` or `{\\_}`; before a backslash at the end of a line; before `%` without the digits of an
   * escape; before `~` under `"rfc2141"`; and at the end of a line after `-`, `/` or `=`. Three dots count as an
   * ellipsis, also at the end of the name.
   */
  readonly isCut: boolean;
}

/**
 * Returns the URNs in running text, in order.
 *
 * A URN starts at a word boundary: no ASCII letter or digit is before it, not even with underscores or a single `-`, `+`
 * or `.` in between: `x-urn:` is another scheme. An escape before the URN, such as `\\n`, `\\u003c`, `%20` or a colour of a terminal, counts as the character that it
 * stands for. A URN ends before the first character that cannot be part of it, such as an excluded character, a
 * malformed escape or, under `"rfc2141"`, `%00`. URNs do not overlap. Time is linear in the length of the text.
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
  scan({ text, previous: "", offset: 0 }, scanOptions(options), found);
  return found;
}

/** The options of {@link scan}. */
export interface ScanOptions {
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
export interface TextPart {
  readonly text: string;
  /** The end of the text before `text`, which decides whether a URN can begin at the start of `text`. */
  readonly previous: string;
  /** The index in the longer text at which `text` starts. */
  readonly offset: number;
}

/** Adds the URNs in a text to `found`. */
export function scan(
  { text, previous, offset }: TextPart,
  { syntax, trim }: ScanOptions,
  found: { push(item: FoundUrn): unknown },
): void {
  const closing = trim === "nothing" ? null : closingFinder(text);
  let from = 0;
  let opening: Opening | null = null;
  let colon = text.indexOf(":");
  while (colon !== -1) {
    const start = colon - 3;
    let next = colon + 1;
    if (start >= from && startsScheme(text, start)) {
      const isListed = start === from + 1 && opening !== null && ",;".includes(text.charAt(from));
      if (!isListed) opening = openingOf(textBefore(text, start, previous));
    } else opening = null;
    if (opening !== null) {
      // A URN that ends at a delimiter is read from a text of its own, so its indices start at 0.
      const base = closing === null ? 0 : start;
      const searched = closing === null ? text : text.slice(start, closing(start, opening));
      const scan = scanUrn(searched, start - base, syntax);
      if (scan.end !== -1) {
        from = base + scan.end;
        next = from;
        const kept = trim === "punctuation" ? trimmed(text.slice(start, from), syntax) : scan;
        if (kept !== null) {
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

/** What is before a URN; `null` when no URN can start there. */
function openingOf(text: string): Opening | null {
  const kind = kindOfBefore(text);
  return kind === null ? null : { text, kind };
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

import { isClass, LET_NUM, LOW_LINE } from "../grammar/characters.ts";
import { scanUrn, startsScheme, type UrnScan } from "../grammar/scan-urn.ts";
import {
  assertString,
  chosenSyntax,
  ownOption,
  type UrnSyntax,
  type UrnSyntaxOptions,
} from "../options.ts";
import { toUrn } from "../parse.ts";
import type { Urn } from "../urn.ts";

/** The options of `findUrns`. */
export interface FindUrnsOptions extends UrnSyntaxOptions {
  /**
   * Whether to leave out punctuation at the end of a URN that more likely belongs to the sentence:
   * `. , ; : ! ? '` and a `)` without a `(` in the URN. By default, it is part of the URN, as the specification says.
   */
  readonly trimPunctuation?: boolean | undefined;
}

/** A URN found in running text. */
export interface FoundUrn {
  /** Its parts, as written. */
  readonly urn: Urn;
  /** The index of its first character, in UTF-16 code units. */
  readonly start: number;
  /** The index after its last character. */
  readonly end: number;
}

/**
 * Returns the URNs in running text, in order.
 *
 * A URN starts at a word boundary (no ASCII letter, digit or `_` before it). It ends before the first
 * character that cannot be part of it, such as an excluded character, a malformed escape or, under
 * `"rfc2141"`, `%00`. URNs do not overlap. Time is linear in the length of the text.
 *
 * @throws {TypeError} when the text is not a string.
 * @example
 * ```ts
 * import { findUrns } from "@x/urn";
 *
 * const text = "See <urn:isbn:0451450523> (or urn:ietf:rfc:2141).";
 * findUrns(text).map(({ start, end }) => text.slice(start, end)); // → ["urn:isbn:0451450523", "urn:ietf:rfc:2141)."]
 * findUrns(text, { trimPunctuation: true })[1]?.urn.nss; // → "rfc:2141"
 * ```
 * @see RFC 2141 §2.4
 */
export function findUrns(text: string, options?: FindUrnsOptions): FoundUrn[] {
  assertString(text, "text");
  const found: FoundUrn[] = [];
  scan(text, 0, scanOptions(options), found);
  return found;
}

/** The options of {@link scan}. */
export interface ScanOptions {
  readonly syntax: UrnSyntax;
  readonly trim: boolean;
}

export function scanOptions(options: FindUrnsOptions | undefined): ScanOptions {
  const syntax = chosenSyntax(options);
  return { syntax, trim: ownOption(options, "trimPunctuation") === true };
}

/** Adds the URNs in a text to `found`. The text starts at `offset` in a longer one. */
export function scan(
  text: string,
  offset: number,
  { syntax, trim }: ScanOptions,
  found: { push(item: FoundUrn): unknown },
): void {
  let from = 0;
  let colon = text.indexOf(":");
  while (colon !== -1) {
    const start = colon - 3;
    let next = colon + 1;
    if (start >= from && startsScheme(text, start) && isWordBoundary(text, start)) {
      const scan = scanUrn(text, start, syntax);
      if (scan.end !== -1) {
        from = scan.end;
        next = from;
        const kept = trim ? trimmed(text.slice(start, from), syntax) : scan;
        if (kept !== null) {
          // A trimmed URN was read on its own, so its indices start at 0.
          const end = trim ? start + kept.end : kept.end;
          found.push({ urn: toUrn(kept), start: offset + start, end: offset + end });
        }
      }
    }
    colon = text.indexOf(":", next);
  }
}

function isWordBoundary(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  return !(isClass(before, LET_NUM) || before === LOW_LINE);
}

/** Reads the URN without the punctuation at its end; `null` when the rest is not a URN. */
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

import { LOW_LINE } from "./ascii.ts";
import { isClass, LET_NUM } from "./character-classes.ts";
import { isUrnCharacter, readUrn, startsScheme } from "./grammar.ts";
import { toUrn } from "./parse.ts";
import { assertString, chosenSyntax, type UrnSyntax, type UrnSyntaxOptions } from "./syntax.ts";
import type { Urn } from "./urn.ts";

/** What the functions that find URNs can be told. */
export interface FindUrnsOptions extends UrnSyntaxOptions {
  /**
   * Whether to leave out punctuation at the end that is more likely the sentence's than the URN's:
   * `. , ; : ! ? '` and a `)` that closes nothing in the URN. By default it belongs to the URN, as the
   * text has it.
   */
  readonly trimPunctuation?: boolean | undefined;
}

/** A URN found in a text. */
export interface FoundUrn {
  /** Its parts, as written. */
  readonly urn: Urn;
  /** Where it starts in the text: a UTF-16 offset. */
  readonly start: number;
  /** Where it ends: the offset of the first character that does not belong to it. */
  readonly end: number;
}

/**
 * The URNs in a running text, in their order, with their places.
 *
 * A URN starts at a word boundary (no ASCII letter, digit or `_` before it) and ends before the first
 * character that cannot continue it: an excluded character, a malformed escape and, under `"rfc2141"`,
 * `%00`. They do not overlap. The time is linear in the text's length.
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
  return [...iterateUrns(text, options)];
}

/**
 * The URNs of `findUrns`, one at a time, each found when it is asked for.
 *
 * @throws {TypeError} when the text is not a string.
 * @example
 * ```ts
 * import { iterateUrns } from "@x/urn";
 *
 * const [first] = iterateUrns("urn:a:1 urn:a:2 and ten thousand more");
 * first?.end; // → 7
 * ```
 * @see RFC 2141 §2.4
 */
export function iterateUrns(text: string, options?: FindUrnsOptions): Generator<FoundUrn, void> {
  assertString(text, "text");
  return scan(text, chosenSyntax(options), options?.trimPunctuation === true);
}

/**
 * The URNs of a text that comes in pieces, whatever the pieces cut apart; places count from the start of
 * the whole text.
 *
 * Pieces are decoded text: put a `TextDecoderStream` before it. What is kept is the text since the last
 * character that no URN may hold (a space, a line end), so time is linear, and so is memory in the
 * longest run without one.
 *
 * @throws {TypeError} when a piece is not a string.
 * @example
 * ```ts
 * import { findUrnsInStream } from "@x/urn";
 *
 * const starts: number[] = [];
 * for await (const { start } of findUrnsInStream(["see ur", "n:a:1 urn:", "a:2"])) starts.push(start);
 * starts; // → [4, 12]
 * ```
 * @see RFC 2141 §2.4
 */
export async function* findUrnsInStream(
  pieces: AsyncIterable<string> | Iterable<string>,
  options?: FindUrnsOptions,
): AsyncGenerator<FoundUrn, void> {
  const syntax = chosenSyntax(options);
  const trim = options?.trimPunctuation === true;
  let kept: string[] = [];
  let keptStart = 0;
  function* findIn(text: string): Generator<FoundUrn> {
    for (const { urn, start, end } of scan(text, syntax, trim)) {
      yield { urn, start: keptStart + start, end: keptStart + end };
    }
  }
  for await (const piece of pieces) {
    assertString(piece, "each piece of text");
    const cut = lastBreak(piece, syntax);
    if (cut === -1) {
      kept.push(piece);
      continue;
    }
    const text = kept.join("") + piece.slice(0, cut);
    yield* findIn(text);
    keptStart += text.length;
    kept = [piece.slice(cut)];
  }
  yield* findIn(kept.join(""));
}

/** The offset of the last character that no URN may hold, or -1. */
function lastBreak(text: string, syntax: UrnSyntax): number {
  let i = text.length - 1;
  while (i >= 0 && isUrnCharacter(text.charCodeAt(i), syntax)) i--;
  return i;
}

function* scan(text: string, syntax: UrnSyntax, trim: boolean): Generator<FoundUrn, void> {
  let from = 0;
  let colon = text.indexOf(":");
  while (colon !== -1) {
    const start = colon - 3;
    let next = colon + 1;
    if (start >= from && startsScheme(text, start) && isWordBoundary(text, start)) {
      const reading = readUrn(text, start, syntax);
      if (reading.end !== -1) {
        from = reading.end;
        next = from;
        const found = trim
          ? trimmed(text, start, from, syntax)
          : { urn: toUrn(text, reading, start, from), start, end: from };
        if (found !== null) yield found;
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

/** The URN that is left without the punctuation at its end, or `null` when that is none. */
function trimmed(text: string, start: number, end: number, syntax: UrnSyntax): FoundUrn | null {
  let written = text.slice(start, end);
  for (;;) {
    const kept = written.slice(0, trimmedLength(written));
    const reading = readUrn(kept, 0, syntax);
    if (reading.end === -1) return null;
    if (reading.end === written.length) {
      return { urn: toUrn(written, reading, 0, reading.end), start, end: start + reading.end };
    }
    // Without a component's last characters its "?=" or "?+" may be left, which the reading leaves out;
    // that can bring other punctuation to the end.
    written = kept.slice(0, reading.end);
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

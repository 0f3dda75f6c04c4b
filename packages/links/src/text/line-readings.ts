import { type CutText, cutText, type Place } from "./cut-text.ts";
import { DOTS } from "./patterns.ts";

/** The shortest line that a soft line break may end. RFC 2045 §6.7 limits encoded lines to 76 characters. */
const SHORTEST_BROKEN_LINE = 56;
const SOFT_BREAK = /=[ \t]{0,8}\r?\n/g;
/** A dot that ends a sentence in Chinese and Japanese, or separates the labels of a host. */
const SENTENCE_END = new RegExp(`[${DOTS}]`, "g");

/** The lines of a run that starts at `offset`. Each line keeps the `=` at its end. */
export function linesOf(run: string, offset: number): Place[] {
  return split(run, offset, /[ \t]{0,8}\r?\n/g);
}

/** The sentences of a line that starts at `offset`, without the full stops between them. */
export function sentencesOf(line: string, offset: number): Place[] {
  return split(line, offset, SENTENCE_END);
}

function split(text: string, offset: number, separator: RegExp): Place[] {
  const places: Place[] = [];
  let start = 0;
  for (const { index, 0: found } of text.matchAll(separator)) {
    places.push({ start: offset + start, end: offset + index });
    start = index + found.length;
  }
  places.push({ start: offset + start, end: offset + text.length });
  return places;
}

/** Lines that soft line breaks may have separated, joined, together with some text around them. */
export interface JoinedLines extends CutText {
  /** The place of the lines in the joined text. */
  readonly start: number;
  readonly end: number;
  /** Whether a place in the joined text goes across a line break. */
  readonly isAcross: (start: number, end: number) => boolean;
}

/**
 * Reads a run as quoted-printable, whose soft line breaks do not count.
 *
 * @param before The number of code units before the lines to keep, and `after` those after the run.
 */
export function* joinedLines(
  text: string,
  { start, end }: Place,
  { before, after }: { readonly before: number; readonly after: number },
): Generator<JoinedLines> {
  let breaks: Place[] = [];
  let from = start;
  for (const { index, 0: found } of text.slice(start, end).matchAll(SOFT_BREAK)) {
    const place = { start: start + index, end: start + index + found.length };
    const line = text.slice(Math.max(0, place.start - SHORTEST_BROKEN_LINE), place.start);
    if (line.length === SHORTEST_BROKEN_LINE && !line.includes("\n")) {
      breaks.push(place);
      continue;
    }
    if (breaks.length > 0) yield join(from, place.start, place.end);
    breaks = [];
    from = place.end;
  }
  if (breaks.length > 0) yield join(from, end, end + after);

  function join(from: number, to: number, last: number): JoinedLines {
    const first = Math.max(0, from - before);
    const cuts = breaks.map(({ start, end }) => ({ start: start - first, end: end - first }));
    const joined = cutText(text.slice(first, last), cuts);
    const removed = cuts.reduce((length, { start, end }) => length + end - start, 0);
    const toSource = (index: number, isEnd: boolean) => first + joined.toSource(index, isEnd);
    return {
      text: joined.text,
      toSource,
      start: from - first,
      end: to - first - removed,
      isAcross: (start, end) => toSource(end, true) - toSource(start, false) > end - start,
    };
  }
}

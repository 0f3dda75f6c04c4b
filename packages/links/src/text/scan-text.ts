import { tryParseUrl } from "@x/canon";
import { bareLink, fullLink, hasTopLevelDomain } from "./full-link.ts";
import {
  BARE_HOST,
  DOTS,
  type LinkInText,
  LONGEST_LOOK_BACK,
  LONGEST_RUN,
  RUN,
  URL_START,
} from "./link-end.ts";

/** Text to search, which may be a part of a longer text. */
interface TextPart {
  readonly text: string;
  /** The index to start from. The text before it only decides where a link can start. */
  readonly from: number;
  /** Whether the text ends here. If not, a run that may continue is left for the next part. */
  readonly isLast: boolean;
  /** Whether the text was decoded, so that a `=` at the end of a line is no soft line break. */
  readonly isDecoded?: boolean | undefined;
}

/** A link that starts this close to the end of a piece of a run is read again with the next piece. */
const OVERLAP = 2048;
/** The number of code units that must follow a run, because a link in angle brackets may continue on the next lines. */
const LONGEST_CONTINUATION = 4096;

const INTERESTING = new RegExp(`[.:${DOTS}\\uff1a]|dot|punkt|punto|point|__|//|%3a`, "i");
const READ_BY_LINES = new RegExp(`[\\n${DOTS}]`);

/**
 * Finds the links in running text, in order. Returns the index from which the next part must continue: the length of
 * the text if this part is the last.
 */
export function scanText(
  { text, from, isLast, isDecoded = false }: TextPart,
  found: (link: LinkInText) => void,
): number {
  let at = from;
  for (;;) {
    const match = next(RUNS, text, at);
    if (match === null) return text.length;
    const start = match.index;
    const [run] = match;
    const end = start + run.length;
    const isCut = run.length >= LONGEST_RUN;
    const isOpen = !isLast && text.length - end < LONGEST_CONTINUATION;
    if (isOpen && !isCut) return start;
    at = end;
    if (!INTERESTING.test(run)) continue;
    let last = start;
    for (const link of linksInReadings(text, { start, end }, isDecoded)) {
      if (isCut && link.end === end && link.start > end - OVERLAP && link.start > start) {
        last = link.start;
        break;
      }
      found(link);
      last = Math.max(last, link.end);
    }
    if (isCut) at = Math.max(last, end - OVERLAP);
  }
}

// The function `next` sets where each search with these patterns starts.
const RUNS = new RegExp(RUN, "giu");
const STARTS = new RegExp(URL_START, "giu");
const HOSTS = new RegExp(BARE_HOST, "giu");

/**
 * The links in a run, in order, by each way to read it: a `=` at the end of a line may be a soft line break, and a full
 * stop in a host may end a sentence. A link that is there by only one of the readings is a link.
 */
function linksInReadings(text: string, run: Place, isDecoded: boolean): Iterable<LinkInText> {
  const written = text.slice(run.start, run.end);
  if (!READ_BY_LINES.test(written)) return linksInRun(text, written, run.start);
  const links: LinkInText[] = [];
  for (const line of linesOf(written, run.start)) {
    for (const link of linksInLine(text, line)) links.push(link);
  }
  if (!isDecoded) {
    const around = { before: LONGEST_LOOK_BACK, after: LONGEST_CONTINUATION };
    for (const joined of joinedLines(text, run, around)) {
      for (const link of linksInLine(joined.text, joined)) {
        if (!joined.isAcross(link.start, link.end)) continue;
        const { toSource } = joined;
        links.push({ ...link, start: toSource(link.start, false), end: toSource(link.end, true) });
      }
    }
  }
  return links.sort((one, other) => one.start - other.start || other.end - one.end);
}

/** The links in a line, and those in its sentences if at least two of them have links. */
function linksInLine(text: string, { start, end }: Place): LinkInText[] {
  const line = text.slice(start, end);
  const links = [...linksInRun(text, line, start)];
  const known = new Set(links.map(keyOf));
  const sentences = sentencesOf(line, start).map((sentence) =>
    [...linksInRun(text, text.slice(sentence.start, sentence.end), sentence.start)].filter(
      ({ url }) => hasTopLevelDomain(tryParseUrl(url)?.host ?? ""),
    ),
  );
  if (sentences.filter(({ length }) => length > 0).length < 2) return links;
  return [...links, ...sentences.flat().filter((link) => !known.has(keyOf(link)))];
}

function keyOf({ start, end }: LinkInText): string {
  return `${start} ${end}`;
}

/** The links in a run of text without spaces, which starts at `offset`. */
function* linksInRun(text: string, run: string, offset: number): Generator<LinkInText> {
  let at = 0;
  let start = next(STARTS, run, 0);
  let host = next(HOSTS, run, 0);
  for (;;) {
    if (start !== null && start.index < at) start = next(STARTS, run, at);
    if (host !== null && host.index < at) host = next(HOSTS, run, at);
    let found: readonly LinkInText[];
    let after: number;
    if (host !== null && (start === null || host.index < start.index)) {
      const limit = start?.index ?? run.length;
      found = bareLink(text, run, offset, host, limit);
      after = Math.min(host.index + host[0].length, Math.max(limit, host.index + 1));
    } else if (start !== null) {
      found = fullLink(text, run, offset, start);
      after = start.index + start[0].length;
    } else return;
    yield* found;
    const [link] = found;
    if (link !== undefined) yield* linksInside(text, link);
    at = link === undefined ? after : Math.max(after, afterLabel(text, run, offset, link));
  }
}

const DEFANGED = /[[({](?:\.|dot)[\])}]|hxxps?:/i;
/** The URL before a defanged dot, which ends the link for mail programs. */
const BEFORE_DOT = /^https?:\/\/[^/?#[({\s]+(?=[[({\s])/i;
/** The text after each mark. A bracket may also belong to a defanged dot. */
const AFTER_MARKS = /(?<=[,;|]|\((?!\.|dot))(?:[^,;|(]|\((?=\.|dot))+/gi;
/** The value of each parameter. A URL in it may have parameters of its own. */
const VALUES = /(?<=[?&][^=&#?]{0,64}=)[^&#]+/g;

/**
 * The links inside a link: the beginning of its host; the defanged links after a `,`, `;`, `|` or `(`, which may also
 * belong to its path; and those that are the values of its parameters. If the whole link is defanged, these values are
 * parts of its URL like any others.
 */
function* linksInside(text: string, { start, end, isDefanged }: LinkInText): Generator<LinkInText> {
  const written = text.slice(start, end);
  const [url] = BEFORE_DOT.exec(written) ?? [""];
  if (hasTopLevelDomain(tryParseUrl(url)?.host ?? "")) {
    yield { start, end: start + url.length, url, isDefanged: false };
  }
  if (!DEFANGED.test(written)) return;
  const values = isDefanged ? [] : written.matchAll(VALUES);
  const pieces = [...written.matchAll(AFTER_MARKS), ...values];
  for (const { index, 0: piece } of pieces.sort((one, other) => one.index - other.index)) {
    if (!DEFANGED.test(piece)) continue;
    for (const link of linksInRun(text, piece, start + index)) {
      if (link.start !== start + index) break;
      yield link;
    }
  }
}

/**
 * The index at which the search continues after a link. In Slack's `<https://a.example/b|a.example/b>`, the label that
 * repeats the URL is skipped.
 */
function afterLabel(text: string, run: string, offset: number, { start, end }: LinkInText): number {
  const at = end - offset;
  if (run.charAt(at) !== "|" || text.charAt(start - 1) !== "<") return at;
  const label = run.slice(at + 1);
  const isWhole = text.charAt(offset + run.length) === ">";
  return isWhole && text.slice(start, end).replace(/\/$/, "").endsWith(label) ? run.length : at;
}

function next(pattern: RegExp, run: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(run);
}

/** The shortest line that a soft line break may end. RFC 2045 §6.7 limits encoded lines to 76 characters. */
const SHORTEST_BROKEN_LINE = 56;
const SOFT_BREAK = /=[ \t]{0,8}\r?\n/g;
/** A dot that ends a sentence in Chinese and Japanese, or separates the labels of a host. */
const SENTENCE_END = new RegExp(`[${DOTS}]`, "g");

/** The lines of a run that starts at `offset`. Each line keeps the `=` at its end. */
function linesOf(run: string, offset: number): Place[] {
  return split(run, offset, /[ \t]{0,8}\r?\n/g);
}

/** The sentences of a line that starts at `offset`, without the full stops between them. */
function sentencesOf(line: string, offset: number): Place[] {
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

/** A range of indices. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A text from which some places were cut out. */
export interface CutText {
  readonly text: string;
  /** The index in the whole text of a character at which something starts, or after which it ends. */
  readonly toSource: (index: number, isEnd: boolean) => number;
}

/** @param places The places to cut out, in order. */
export function cutText(text: string, places: readonly Place[]): CutText {
  /** For each piece that is kept: its index in the result, and in the whole text. */
  const pieces: { readonly at: number; readonly source: number }[] = [];
  let kept = "";
  let from = 0;
  for (const { start, end } of [...places, { start: text.length, end: text.length }]) {
    if (start > from || pieces.length === 0) pieces.push({ at: kept.length, source: from });
    kept += text.slice(from, start);
    from = end;
  }
  const map = (index: number): number => {
    let low = 0;
    let high = pieces.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (pieces[middle]!.at <= index) low = middle;
      else high = middle;
    }
    return pieces[low]!.source + index - pieces[low]!.at;
  };
  return {
    text: kept,
    toSource: (index, isEnd) => (isEnd && index > 0 ? map(index - 1) + 1 : map(index)),
  };
}

/** Lines that soft line breaks may have separated, joined, together with some text around them. */
interface JoinedLines extends CutText {
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
function* joinedLines(
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
    const around = text.slice(first, last);
    const joined = cutText(around, cuts);
    const removed = around.length - joined.text.length;
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

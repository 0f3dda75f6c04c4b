import { type CanonicalUrl, tryParseUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import type { LinkSink } from "../found-link.ts";
import { hasTopLevelDomain } from "../top-level.ts";
import { isBareHost } from "./bare-host.ts";
import { cleanUrl, ENCODED_START, OUTER } from "./clean.ts";
import type { Place } from "./cut-text.ts";
import { joinedLines, linesOf, sentencesOf } from "./line-readings.ts";
import { linkEnd } from "./link-end.ts";
import { ANY_DOT, BARE_HOST, DOTS, EAST_ASIAN, LONGEST_RUN, RUN, URL_START } from "./patterns.ts";

/** Text to search, which may be a part of a longer text. */
export interface TextPart {
  readonly text: string;
  /** The index to start from. The text before it only decides where a link can start. */
  readonly from: number;
  /** Whether the text ends here. If not, a run that may continue is left for the next part. */
  readonly isLast: boolean;
  /** Whether the text was decoded, so that a `=` at the end of a line is no soft line break. */
  readonly isDecoded?: boolean | undefined;
}

/** The place and the URL of a link in a text. */
export interface LinkInText {
  readonly start: number;
  readonly end: number;
  readonly url: string;
  readonly isDefanged: boolean;
}

/** A link that starts this close to the end of a piece of a run is read again with the next piece. */
const OVERLAP = 2048;
/** The number of code units that must follow a run, because a link in angle brackets may continue on the next lines. */
const LONGEST_CONTINUATION = 4096;
/** The number of code units of the user name, host and port of a URL that are examined. */
const LONGEST_AUTHORITY = 2048;
/** The number of code units before a host that are examined. */
export const LONGEST_LOOK_BACK = 128;
/** The number of code units after a host that are examined. */
const LONGEST_LOOK_AHEAD = 20;

/** A parameter of a wiki template, as in `{{cite web|url=https://…|title=…}}`. */
const TEMPLATE_PARAMETER = /\|\s*[\w-]{1,24}\s*=\s*$/;
const LONGEST_PARAMETER = 32;
const INTERESTING = new RegExp(`[.:${DOTS}\\uff1a]|dot|punkt|punto|point|__|//|%3a`, "i");
const AUTHORITY_END = /[[({]?(?:[/?#]|\\(?!\.))|(?<=.)(?:https?|hxxps?|ftp):\/\//i;
/** The lines that continue a URL in angle brackets. Each may be quoted, as in a reply. */
const CONTINUATION = /(?:[ \t]*\r?\n(?:>[ \t]?){0,8}[ \t]*[^\s<>"]{1,400}){1,8}>/y;
const EAST_ASIAN_CHARACTER = new RegExp(`[${EAST_ASIAN}]`);
const READ_BY_LINES = new RegExp(`[\\n${DOTS}]`);
/**
 * A host directly before a character that does not belong to it: a Chinese, Japanese or Korean character, or
 * punctuation, as in `https://a.example's`.
 */
const ASCII_HOST_BEFORE = new RegExp(
  `^[^/?#]*?${ANY_DOT}[a-z]{2,}(?=[${EAST_ASIAN}\\uff0e\\uff61',;!*&|])`,
  "i",
);
const IN_HOST = String.raw`\p{L}\p{N}\p{M}`;
/** The host of a URL with a scheme, before a character that no host has and that does not begin a defanged dot. */
const HOST_OF_URL = new RegExp(
  `^[^/?#]*?${ANY_DOT}[${IN_HOST}](?:[${IN_HOST}-]*[${IN_HOST}])?(?=-*(?:[^${IN_HOST}.@_-]|$))(?!${ANY_DOT})`,
  "iu",
);
const EAST_ASIAN_START = new RegExp(
  `^[${EAST_ASIAN}]+(?=[a-z\\d][\\x21-\\x7e]*(?:$|[${EAST_ASIAN}]))`,
  "i",
);
/** The start of a wildcard for all hosts in a domain, as in `*.evil.example`. */
const WILDCARD = /(?:^|[\s"'(<=,;|])\*\.$/;
/** An ellipsis after a word, as in `here...evil.example`. In programs, dots without a word before them are an operator. */
const AFTER_DOTS = /[\p{L}\p{N}]\.{2,8}$/u;
const DEFANGED_AT = /(?:[[({]\s?(?:at|@)\s?[\])}]|@)\s?$/i;

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

/** The links in a run of text without blanks, which starts at `offset`. */
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
    if (link !== undefined) yield* linksAfterMarks(text, link);
    at = link === undefined ? after : Math.max(after, afterLabel(text, run, offset, link));
  }
}

const DOT_IN_BRACKETS = /[[({](?:\.|dot)[\])}]/i;
const AFTER_MARKS = /(?<=[,;|])[^,;|]+/g;

/** The defanged links after a `,`, `;` or `|` in a link, which may also belong to its path. */
function* linksAfterMarks(text: string, { start, end }: Place): Generator<LinkInText> {
  const written = text.slice(start, end);
  if (!DOT_IN_BRACKETS.test(written)) return;
  for (const { index, 0: piece } of written.matchAll(AFTER_MARKS)) {
    if (!DOT_IN_BRACKETS.test(piece)) continue;
    for (const link of linksInRun(text, piece, start + index)) {
      if (link.start === start + index) yield link;
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

/** The readings of a link that starts with a scheme, the longest one first; empty if it is not a URL. */
function fullLink(
  text: string,
  wholeRun: string,
  offset: number,
  match: RegExpExecArray,
): readonly LinkInText[] {
  const start = match.index;
  const hostStart = start + match[0].length;
  const run = withoutNextWord(wholeRun, start, hostStart);
  const look = text.slice(Math.max(0, offset + start - LONGEST_PARAMETER), offset + start);
  const isBracketed = /<(?:url:)?$/i.test(look);
  const isParameter = TEMPLATE_PARAMETER.test(look);
  const before = isBracketed ? "<" : isParameter ? "|" : look.slice(-1);
  const authorityEnd = endOfAuthority(run, hostStart);
  // A slash or bracket after the host shows that punctuation at its end belongs to the host.
  const following = /[[({/?#\\]/.test(run.charAt(authorityEnd)) ? "/" : "";
  const authority = run.slice(start, authorityEnd) + following;
  const authorityLength = linkEnd(authority, {
    ...{ start: 0, hostStart: hostStart - start, hostEnd: authorityEnd - start, before },
  });
  const hostEnd = Math.min(start + authorityLength, authorityEnd);
  if (hostEnd <= hostStart) return [];
  const isEncoded = ENCODED_START.test(match[0]);
  const length = isEncoded
    ? hostEnd - start
    : lengthUpToHost(run.slice(start, hostEnd), hostStart - start);
  if (length === 0) return [];
  if (start + length < authorityEnd) {
    return [toLink(text, offset + start, offset + start + length)];
  }
  let end = linkEnd(run, { start, hostStart, hostEnd: authorityEnd, before });
  if (isEncoded) end = endOfValue(run, start, end);
  const links = [toLink(text, offset + start, offset + end)];
  const glued = startOfGlued(run, authorityEnd, end);
  if (glued !== null) {
    const place = { start, hostStart, hostEnd: authorityEnd, before };
    const shorter = linkEnd(run.slice(0, glued), place);
    links.push(toLink(text, offset + start, offset + shorter));
  }
  if (isBracketed && end === run.length) {
    CONTINUATION.lastIndex = offset + end;
    const continuation = CONTINUATION.exec(text);
    if (continuation !== null) {
      if (PREFIX_OF_PATH.test(links[0]!.url)) links.shift();
      links.unshift(toLink(text, offset + start, CONTINUATION.lastIndex - 1));
    }
  }
  return links;
}

/** A URL whose path is also judged as a prefix of a longer one. */
const PREFIX_OF_PATH = /^[a-z]+:\/\/[^/?#]*(?:\/[^/?#]+){0,3}\/$/i;

/**
 * The index at which Chinese, Japanese or Korean text follows the path of a link without a blank; `null` if there is
 * none. Such text may also belong to the path.
 */
function startOfGlued(run: string, hostEnd: number, end: number): number | null {
  const at = run.slice(hostEnd, end).search(EAST_ASIAN_CHARACTER);
  // The path up to a slash is judged with the whole path.
  return at < 1 || run.charAt(hostEnd + at - 1) === "/" ? null : hostEnd + at;
}

/** The run without the next word after a host with blanks around its dots, unless its top-level domain exists. */
function withoutNextWord(run: string, start: number, hostStart: number): string {
  const end = endOfAuthority(run, hostStart);
  const spaced = run.slice(hostStart, end).indexOf(" . ");
  if (spaced === -1) return run;
  const { url } = cleanUrl(run.slice(start, end));
  return hasTopLevelDomain(tryParseUrl(url)?.host ?? "") ? run : run.slice(0, hostStart + spaced);
}

function toLink(text: string, start: number, end: number): LinkInText {
  return { start, end, ...cleanUrl(text.slice(start, end)) };
}

/** The end of the user name, host and port, which may be written in a defanged way. */
function endOfAuthority(run: string, start: number): number {
  const length = run.slice(start, start + LONGEST_AUTHORITY).search(AUTHORITY_END);
  return length === -1 ? Math.min(run.length, start + LONGEST_AUTHORITY) : start + length;
}

/** The end of a percent-encoded URL in a parameter: the next `&`. */
function endOfValue(run: string, start: number, end: number): number {
  const ampersand = run.slice(start, end).indexOf("&");
  return ampersand === -1 ? end : start + ampersand;
}

const SCHEME = /^[a-z][a-z\d+.-]*:[/\\]*/i;

/** The length of the URL in a text that starts with a scheme and ends with a host; 0 if the text is not a URL. */
function lengthUpToHost(written: string, startLength: number): number {
  const url = cleanUrl(written).url.replace(OUTER, "");
  const { specification, browser, problem } = readUrl(url);
  const opened = browser ?? specification;
  const isOpened = opened !== null && problem?.code !== "host-invalid";
  const [start] = SCHEME.exec(url) ?? [];
  if (start !== undefined && isOpened && isSite(opened)) return written.length;
  const authority = written.slice(startLength);
  const [host] =
    ASCII_HOST_BEFORE.exec(authority) ??
    // Before an "@", any character that no host has belongs to the user name.
    (authority.includes("@") ? null : HOST_OF_URL.exec(authority)) ??
    [];
  const canonical = host === undefined ? null : tryParseUrl(`http://${cleanUrl(host).url}`);
  if (canonical !== null && isSite(canonical)) {
    const length = startLength + host!.length;
    if (SCHEME.test(cleanUrl(written.slice(0, length)).url)) return length;
  }
  return start === undefined || !isOpened || start.endsWith(":") ? 0 : written.length;
}

function isSite({ hostType, host }: Pick<CanonicalUrl, "hostType" | "host">): boolean {
  return hostType !== "domain" || hasTopLevelDomain(host);
}

/** The readings of a link that starts with a host. `limit` is the index at which a URL with a scheme starts. */
function bareLink(
  text: string,
  run: string,
  offset: number,
  match: RegExpExecArray,
  limit: number,
): readonly LinkInText[] {
  let start = match.index;
  let hostEnd = Math.min(start + match[0].length, limit);
  const written = run.slice(start, hostEnd);
  const skipped = EAST_ASIAN_START.exec(match.groups!["host"]!)?.[0].length ?? 0;
  start += skipped;
  const look = text.slice(Math.max(0, offset + start - LONGEST_LOOK_BACK), offset + start);
  const before = look.slice(-1);
  const hyphens = /^-*/.exec(run.slice(start, hostEnd))![0].length;
  start += hyphens;
  if (hyphens > 1 && run.charAt(hostEnd) === "=") return [];
  const isWildcard = WILDCARD.test(look) && hyphens === 0;
  if (skipped === 0 && !isWildcard) {
    const isAfterDots = AFTER_DOTS.test(look) || (before === "." && /^www\./i.test(written));
    if (DEFANGED_AT.test(look) || (!isAfterDots && /[.$#%\p{L}\p{N}_-]/u.test(before))) return [];
  }
  // Before the slashes, the scheme may be missing, or written in a way that no program knows.
  const isAfterSlashes = /(?:(?:^|[^\w/\\.~%-])\/|:\/[\])}])\/$/.test(look);
  if (/[/\\]/.test(before) && !isAfterSlashes) return [];
  hostEnd = trimmedHost(run, start, hostEnd, written.length);
  // In Markdown, underscores around a host are emphasis: _a.example_.
  if (run.charAt(hostEnd) === "_") while (run.charAt(start) === "_" && start < hostEnd) start++;
  let end = hostEnd;
  const following = run.slice(hostEnd, hostEnd + 4);
  if (/^(?:@|[[({]\s?(?:at|@))/i.test(following)) return [];
  if (/^(?:[/?#]|[[({]\/)/.test(following)) {
    end = Math.max(hostEnd, linkEnd(run, { start, hostStart: hostEnd, hostEnd, before }));
  }
  for (;;) {
    const { url, isDefanged } = cleanUrl(run.slice(start, end));
    const canonical = tryParseUrl(`http://${url}`);
    if (canonical === null) return [];
    const host = /^[^/?#:]*/.exec(url)![0];
    const isHost = isBareHost({
      written: run.slice(start, hostEnd),
      host,
      canonical,
      isDefanged,
      rest: url.slice(host.length),
      next: run.charAt(end),
      before: look,
      after: text.slice(offset + end, offset + end + LONGEST_LOOK_AHEAD),
    });
    const shorter = ASCII_HOST_BEFORE.exec(run.slice(start, hostEnd))?.[0].length;
    const isShorter = shorter !== undefined && start + shorter < end;
    if (isHost && (!isShorter || hasTopLevelDomain(canonical.host))) {
      const first = offset + start - (isAfterSlashes ? 2 : 0);
      const toLink = (end: number): LinkInText => {
        const { url, isDefanged } = cleanUrl(run.slice(start, end));
        return { start: first, end: offset + end, url: `http://${url}`, isDefanged };
      };
      const glued = startOfGlued(run, hostEnd, end);
      if (glued === null) return [toLink(end)];
      const place = { start, hostStart: hostEnd, hostEnd, before };
      return [toLink(end), toLink(linkEnd(run.slice(0, glued), place))];
    }
    if (!isShorter) return [];
    end = start + shorter;
  }
}

const END_OF_HOST = new RegExp(`[.${DOTS}\\])}_-]`);

/** The end of a host, without trailing dots and brackets that belong to the text. */
function trimmedHost(run: string, start: number, end: number, length: number): number {
  let last = end;
  while (last > start && length > 0 && END_OF_HOST.test(run.charAt(last - 1))) last--;
  return last;
}

/** Finds the links in a whole text; their indices start at `offset`. */
export function findInText(
  text: string,
  offset: number,
  sink: LinkSink,
  where = "text",
  isDecoded = false,
): void {
  scanText({ text, from: 0, isLast: true, isDecoded }, (link) =>
    sink(toFound(text, link, offset, where)),
  );
}

export function toFound(
  text: string,
  { start, end, url, isDefanged }: LinkInText,
  offset: number,
  where: string,
): Parameters<LinkSink>[0] {
  return {
    text: text.slice(start, end),
    start: offset + start,
    end: offset + end,
    url,
    where,
    isDefanged,
    shown: null,
  };
}

import { tryParseUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import type { LinkSink } from "../found-link.ts";
import { hasTopLevelDomain } from "../top-level.ts";
import { isBareHost } from "./bare-host.ts";
import { cleanUrl, ENCODED_START, OUTER } from "./clean.ts";
import { linkEnd } from "./link-end.ts";
import { BARE_HOST, LONGEST_RUN, RUN, URL_START } from "./patterns.ts";

/** Text to search, which may be a part of a longer text. */
export interface TextPart {
  readonly text: string;
  /** The index to start from. The text before it only decides where a link can start. */
  readonly from: number;
  /** Whether the text ends here. If not, a run that may continue is left for the next part. */
  readonly isLast: boolean;
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
/** The shortest line that a soft line break may end. RFC 2045 §6.7 limits encoded lines to 76 characters. */
const SHORTEST_BROKEN_LINE = 56;

/** A parameter of a wiki template, as in `{{cite web|url=https://…|title=…}}`. */
const TEMPLATE_PARAMETER = /\|\s*[\w-]{1,24}\s*=\s*$/;
const LONGEST_PARAMETER = 32;
const INTERESTING = /[.:\uff0e\u3002\uff61\uff1a]|dot|punkt|punto|point|__|\/\/|%3a/i;
const AUTHORITY_END = /[[({]?(?:[/?#]|\\(?!\.))|(?<=.)(?:https?|hxxps?|ftp):\/\//i;
/** The lines that continue a URL in angle brackets. Each may be quoted, as in a reply. */
const CONTINUATION = /(?:[ \t]*\r?\n(?:>[ \t]?){0,8}[ \t]*[^\s<>"]{1,400}){1,8}>/y;
const BLANK_IN_LINE = / (?![ \t]{0,8}\r?\n)/;
const SOFT_BREAK = /=[ \t]*\r?\n/;
const EAST_ASIAN = "\\u1100-\\u11ff\\u2e80-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff";
/**
 * A host directly before a character that does not belong to it: a Chinese, Japanese or Korean character, or
 * punctuation, as in `https://a.example's`.
 */
const ASCII_HOST_BEFORE = new RegExp(
  `^[^/?#]*?\\.[a-z]{2,}(?=[${EAST_ASIAN}\\uff0e\\uff61',;!*&|])`,
  "i",
);
/** The host of a URL with a scheme, before a character that no host has and that does not begin a defanged dot. */
const ASCII_HOST_OF_URL =
  /^[^/?#]*?\.[a-z]{2,}(?=[^\p{L}\p{N}\p{M}.@_-])(?![[({<]\s?(?:[.\uff0e\u3002\uff61]|dot|punkt|punto|point))/iu;
const EAST_ASIAN_START = new RegExp(
  `^[${EAST_ASIAN}]+(?=[a-z\\d][\\x21-\\x7e]*(?:$|[${EAST_ASIAN}]))`,
  "i",
);
/** The start of a wildcard for all hosts in a domain, as in `*.evil.example`. */
const WILDCARD = /(?:^|[\s"'(<=,;|])\*\.$/;
const DEFANGED_AT = /(?:[[({]\s?(?:at|@)\s?[\])}]|@)\s?$/i;

/**
 * Finds the links in running text, in order. Returns the index from which the next part must continue: the length of
 * the text if this part is the last.
 */
export function scanText(
  { text, from, isLast }: TextPart,
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
    for (const link of linksInRun(text, run, start)) {
      if (isCut && link.end === end && link.start > end - OVERLAP && link.start > start) {
        last = link.start;
        break;
      }
      found(link);
      last = link.end;
    }
    at = isCut ? Math.max(last, end - OVERLAP) : Math.max(last, end);
  }
}

// The function `next` sets where each search with these patterns starts.
const RUNS = new RegExp(RUN, "giu");
const STARTS = new RegExp(URL_START, "giu");
const HOSTS = new RegExp(BARE_HOST, "giu");

/** The links in a run of text without blanks, which starts at `offset`. */
function* linksInRun(text: string, run: string, offset: number): Generator<LinkInText> {
  let at = 0;
  let start = next(STARTS, run, 0);
  let host = next(HOSTS, run, 0);
  for (;;) {
    if (start !== null && start.index < at) start = next(STARTS, run, at);
    if (host !== null && host.index < at) host = next(HOSTS, run, at);
    let link: LinkInText | null;
    let after: number;
    if (host !== null && (start === null || host.index < start.index)) {
      const limit = start?.index ?? run.length;
      link = bareLink(text, run, offset, host, limit);
      after = Math.min(host.index + host[0].length, Math.max(limit, host.index + 1));
    } else if (start !== null) {
      link = fullLink(text, run, offset, start);
      after = start.index + start[0].length;
    } else return;
    if (link !== null) yield link;
    at = link === null ? after : Math.max(after, afterLabel(text, run, offset, link));
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

/** The link that starts with a scheme; `null` if it is not a URL. */
function fullLink(
  text: string,
  wholeRun: string,
  offset: number,
  match: RegExpExecArray,
): LinkInText | null {
  const start = match.index;
  const hostStart = start + match[0].length;
  const run = withoutNextWord(wholeRun, start, hostStart);
  const before = text.slice(Math.max(0, offset + start - LONGEST_PARAMETER), offset + start);
  const isBracketed = /<(?:url:)?$/i.test(before);
  const isParameter = TEMPLATE_PARAMETER.test(before);
  const opening = isBracketed ? "<" : isParameter ? "|" : before.slice(-1);
  const authorityEnd = endOfAuthority(run, hostStart);
  // A slash or bracket after the host shows that punctuation at its end belongs to the host.
  const following = /[[({/?#\\]/.test(run.charAt(authorityEnd)) ? "/" : "";
  const authority = run.slice(start, authorityEnd) + following;
  const authorityLength = linkEnd(authority, 0, hostStart - start, opening);
  const hostEnd = Math.min(start + authorityLength, authorityEnd);
  if (hostEnd <= hostStart) return null;
  const isEncoded = ENCODED_START.test(match[0]);
  const length = isEncoded
    ? hostEnd - start
    : lengthUpToHost(run.slice(start, hostEnd), hostStart - start);
  if (length === 0) return null;
  if (start + length < authorityEnd) {
    return toLink(text, offset + start, offset + start + length);
  }
  let end = linkEnd(run, start, hostStart, opening);
  if (isEncoded) end = endOfValue(run, start, end);
  end = endAtBreak(text, run, offset, start, hostStart, end, opening);
  let last = offset + end;
  if (isBracketed && end === run.length) {
    CONTINUATION.lastIndex = last;
    const continuation = CONTINUATION.exec(text);
    if (continuation !== null) last += continuation[0].length - 1;
  }
  return toLink(text, offset + start, last);
}

/** The part of the run before the first space after the host, unless that space is in a soft line break. Blanks around dots belong to the host if its top-level domain exists. */
function withoutNextWord(run: string, start: number, hostStart: number): string {
  let end = endOfAuthority(run, hostStart);
  const spaced = run.slice(hostStart, end).indexOf(" . ");
  if (spaced !== -1) {
    const { url } = cleanUrl(run.slice(start, end));
    if (!hasTopLevelDomain(tryParseUrl(url)?.host ?? "")) end = hostStart + spaced;
  }
  return upToBlank(run, end);
}

/** A run up to the next blank, except one in a soft line break. */
function upToBlank(run: string, from: number): string {
  if (!run.includes(" ", from)) return run;
  const blank = run.slice(from).search(BLANK_IN_LINE);
  return blank === -1 ? run : run.slice(0, from + blank);
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
  const ampersand = run.indexOf("&", start);
  return ampersand === -1 ? end : Math.min(ampersand, end);
}

/** Ends a link at a line break that is not a soft one. */
function endAtBreak(
  text: string,
  run: string,
  offset: number,
  start: number,
  hostStart: number,
  end: number,
  before: string,
): number {
  let from = start;
  for (;;) {
    const place = run.slice(from, end).search(SOFT_BREAK);
    if (place === -1) return end;
    const at = from + place;
    const line = text.slice(Math.max(0, offset + at - SHORTEST_BROKEN_LINE), offset + at);
    if (line.length < SHORTEST_BROKEN_LINE || line.includes("\n")) {
      return linkEnd(run.slice(0, at), start, hostStart, before);
    }
    from = at + 1;
  }
}

const SCHEME = /^[a-z][a-z\d+.-]*:[/\\]*/i;

/** The length of the URL in a text that starts with a scheme and ends with a host; 0 if the text is not a URL. */
function lengthUpToHost(written: string, startLength: number): number {
  const url = cleanUrl(written).url.replace(OUTER, "");
  const [start] = SCHEME.exec(url) ?? [];
  if (start === undefined) return 0;
  const { specification, browser, problem } = readUrl(url);
  const opened = browser ?? specification;
  const isOpened = opened !== null && problem?.code !== "host-invalid";
  if (isOpened && (opened.hostType !== "domain" || hasTopLevelDomain(opened.host))) {
    return written.length;
  }
  const authority = written.slice(startLength);
  const [host] =
    ASCII_HOST_BEFORE.exec(authority) ??
    // Before an "@", any character that no host has belongs to the user name.
    (authority.includes("@") ? null : ASCII_HOST_OF_URL.exec(authority)) ??
    [];
  const canonical = host === undefined ? null : tryParseUrl(`http://${host}`);
  if (host !== undefined && canonical !== null && hasTopLevelDomain(canonical.host)) {
    return startLength + host.length;
  }
  return !isOpened || start.endsWith(":") ? 0 : written.length;
}

/** The link that starts with a host. `limit` is the index at which a URL with a scheme starts. */
function bareLink(
  text: string,
  run: string,
  offset: number,
  match: RegExpExecArray,
  limit: number,
): LinkInText | null {
  let start = match.index;
  let hostEnd = Math.min(start + match[0].length, limit);
  const written = run.slice(start, hostEnd);
  const skipped = EAST_ASIAN_START.exec(match.groups!["host"]!)?.[0].length ?? 0;
  start += skipped;
  const look = text.slice(Math.max(0, offset + start - LONGEST_LOOK_BACK), offset + start);
  const before = look.slice(-1);
  const hyphens = /^-*/.exec(run.slice(start, hostEnd))![0].length;
  start += hyphens;
  if (hyphens > 1 && run.charAt(hostEnd) === "=") return null;
  const isWildcard = WILDCARD.test(look) && hyphens === 0;
  if (skipped === 0 && !isWildcard) {
    if (DEFANGED_AT.test(look) || /[.$#%\p{L}\p{N}_-]/u.test(before)) return null;
  }
  // Before the slashes, the scheme may be missing, or written in letters that no program knows.
  const isAfterSlashes = /(?:(?:^|[\s"'(<=]):?|[^\0-\x7f]:)\/\/$/.test(look);
  if (/[/\\]/.test(before) && !isAfterSlashes) return null;
  hostEnd = trimmedHost(run, start, hostEnd, written.length);
  // In Markdown, underscores around a host are emphasis: _a.example_.
  if (run.charAt(hostEnd) === "_") while (run.charAt(start) === "_" && start < hostEnd) start++;
  let end = hostEnd;
  const following = run.slice(hostEnd, hostEnd + 4);
  if (/^(?:@|[[({]\s?(?:at|@))/i.test(following)) return null;
  if (/^(?:[/?#]|[[({]\/)/.test(following)) {
    end = linkEnd(upToBlank(run, hostEnd), start, hostEnd, before);
  }
  end = Math.max(hostEnd, endAtBreak(text, run, offset, start, hostEnd, end, before));
  for (;;) {
    const { url, isDefanged } = cleanUrl(run.slice(start, end));
    const canonical = tryParseUrl(`http://${url}`);
    if (canonical === null) return null;
    const host = /^[^/?#:]*/.exec(url)![0];
    const isHost = isBareHost({
      written: run.slice(start, hostEnd),
      host,
      canonical,
      isDefanged,
      rest: url.slice(host.length),
      next: run.charAt(end),
      before: look,
      after: text.slice(offset + end, offset + end + 20),
    });
    const shorter = ASCII_HOST_BEFORE.exec(run.slice(start, hostEnd))?.[0].length;
    const isShorter = shorter !== undefined && start + shorter < end;
    if (isHost && (!isShorter || hasTopLevelDomain(canonical.host))) {
      const first = offset + start - (isAfterSlashes ? 2 : 0);
      return { start: first, end: offset + end, url: `http://${url}`, isDefanged };
    }
    if (!isShorter) return null;
    end = start + shorter;
  }
}

/** The end of a host, without trailing dots and brackets that belong to the text. */
function trimmedHost(run: string, start: number, end: number, length: number): number {
  let last = end;
  while (last > start && length > 0 && /[.\uff0e\u3002\uff61\])}_-]/.test(run.charAt(last - 1)))
    last--;
  return last;
}

/** Finds the links in a whole text; their indices start at `offset`. */
export function findInText(text: string, offset: number, sink: LinkSink, where = "text"): void {
  scanText({ text, from: 0, isLast: true }, (link) => sink(toFound(text, link, offset, where)));
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

import { type CanonicalUrl, tryParseUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { hasTopLevelDomain } from "../top-level.ts";
import { cleanUrl, ENCODED_START, OUTER } from "./clean.ts";
import { ASCII_HOST_BEFORE, type LinkInText, linkEnd, startOfGlued } from "./link-end.ts";
import { ANY_DOT } from "./patterns.ts";

/** A parameter of a wiki template, as in `{{cite web|url=https://…|title=…}}`. */
const TEMPLATE_PARAMETER = /\|\s*[\w-]{1,24}\s*=\s*$/;
const LONGEST_PARAMETER = 32;
/** The number of code units of the user name, host and port of a URL that are examined. */
const LONGEST_AUTHORITY = 2048;
const AUTHORITY_END = /[[({]?(?:[/?#]|\\(?!\.))|(?<=.)(?:https?|hxxps?|ftp):\/\//i;
/** The lines that continue a URL in angle brackets. Each may be quoted, as in a reply. */
const CONTINUATION = /(?:[ \t]*\r?\n(?:>[ \t]?){0,8}[ \t]*[^\s<>"]{1,400}){1,8}>/y;
const IN_HOST = String.raw`\p{L}\p{N}\p{M}`;
/**
 * The user name and host of a URL with a scheme, before a character that no host has and that does not begin a defanged
 * dot.
 */
const HOST_OF_URL = new RegExp(
  String.raw`^(?:[^/?#]*@(?!$))?(?:\[[\da-f:.]+\]|[^/?#@]*?${ANY_DOT}[${IN_HOST}](?:[${IN_HOST}-]*[${IN_HOST}])?)(?=[_-]*(?:[^${IN_HOST}.@_-]|@?$))(?!${ANY_DOT})`,
  "iu",
);

/** The readings of a link that starts with a scheme, the longest one first; empty if it is not a URL. */
export function fullLink(
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
  const place = { start, hostStart, hostEnd: authorityEnd, before };
  let end = linkEnd(run, place);
  if (isEncoded) end = endOfValue(run, start, end);
  const links = [toLink(text, offset + start, offset + end)];
  const glued = startOfGlued(run, authorityEnd, end);
  if (glued !== null) {
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
  const host = (ASCII_HOST_BEFORE.exec(authority) ?? HOST_OF_URL.exec(authority))?.[0];
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

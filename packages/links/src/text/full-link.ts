import { type CanonicalUrl, tryParseUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { topLevelDomains } from "@x/canon/top-level-domains";
import { TOP_LEVEL_DOMAINS } from "../top-level-domains.generated.ts";
import {
  ANY_DOT,
  ASCII_HOST_BEFORE,
  cleanUrl,
  DOTS,
  EAST_ASIAN,
  ENCODED_START,
  type LinkInText,
  LONGEST_LOOK_BACK,
  linkEnd,
  OUTER,
  startOfGlued,
} from "./link-end.ts";

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
    start: 0,
    hostStart: hostStart - start,
    hostEnd: authorityEnd - start,
    before,
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

/** The run without the next word after a host with spaces around its dots, unless its top-level domain exists. */
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

const EAST_ASIAN_START = new RegExp(
  `^[${EAST_ASIAN}]+(?=[a-z\\d][\\x21-\\x7e]*(?:$|[${EAST_ASIAN}]))`,
  "i",
);
/** The start of a wildcard for all hosts in a domain, as in `*.evil.example`. */
const WILDCARD = /(?:^|[\s"'(<=,;|])\*\.$/;
/**
 * An ellipsis after a word, as in `here...evil.example`. In programs, dots without a word before them are an operator.
 */
const AFTER_DOTS = /[\p{L}\p{N}]\.{2,8}$/u;
/** The sign of an address. A host with a space between `@` and it is a link in mail programs. */
const AT = /(?:[[({]\s?(?:at|@)\s?[\])}]\s?|@)$/i;
/** The number of code units after a host that are examined. */
const LONGEST_LOOK_AHEAD = 20;

/** The readings of a link that starts with a host. `limit` is the index at which a URL with a scheme starts. */
export function bareLink(
  text: string,
  run: string,
  offset: number,
  match: RegExpExecArray,
  limit: number,
): readonly LinkInText[] {
  let start = match.index;
  let hostEnd = Math.min(start + match[0].length, limit);
  const skipped = EAST_ASIAN_START.exec(match.groups!["host"]!)?.[0].length ?? 0;
  start += skipped;
  const look = text.slice(Math.max(0, offset + start - LONGEST_LOOK_BACK), offset + start);
  const before = look.slice(-1);
  const hyphens = /^-*/.exec(run.slice(start, hostEnd))![0].length;
  start += hyphens;
  if (hyphens > 1 && run.charAt(hostEnd) === "=") return [];
  const isWildcard = WILDCARD.test(look) && hyphens === 0;
  if (skipped === 0 && !isWildcard) {
    if (AT.test(look)) return [];
    // Mail programs link a host that begins with `www.` after any sign.
    const isAfterSign = /^www\./i.test(match[0]) || AFTER_DOTS.test(look);
    if (!isAfterSign && /[.$#%\p{L}\p{N}_-]/u.test(before)) return [];
  }
  // Before the slashes, the scheme may be missing, or written in a way that no program knows.
  const isAfterSlashes = /(?:(?:^|[^\w/\\.~%-])\/|:\/[\])}])\/$/.test(look);
  if (/[/\\]/.test(before) && !isAfterSlashes) return [];
  hostEnd = trimmedHost(run, start, hostEnd);
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
      const links: LinkInText[] = [];
      const add = (last: number) => {
        const link = toLink(text, offset + start, offset + last);
        links.push({ ...link, start: first, url: `http://${link.url}` });
      };
      add(end);
      const glued = startOfGlued(run, hostEnd, end);
      if (glued !== null) {
        add(linkEnd(run.slice(0, glued), { start, hostStart: hostEnd, hostEnd, before }));
      }
      return links;
    }
    if (!isShorter) return [];
    end = start + shorter;
  }
}

const END_OF_HOST = new RegExp(`[.${DOTS}\\])}_-]`);

/** The end of a host, without trailing dots and brackets that belong to the text. */
function trimmedHost(run: string, start: number, end: number): number {
  let last = end;
  while (last > start && END_OF_HOST.test(run.charAt(last - 1))) last--;
  return last;
}

/** A host written without a scheme and the text around it. */
interface BareHost {
  /** The host as it is written, perhaps defanged. */
  readonly written: string;
  /** The host, refanged. */
  readonly host: string;
  readonly canonical: CanonicalUrl;
  readonly isDefanged: boolean;
  /** The port, path, query and fragment after the host; empty if there are none. */
  readonly rest: string;
  /** The character after the link. */
  readonly next: string;
  /** Up to 128 characters before the host. */
  readonly before: string;
  readonly after: string;
}

/** Top-level domains that are also endings of file names. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  "md sh rs py zip mov pl so ps cab app bz gz java".split(" "),
);
/** Top-level domains that are also units, as in `10.km`. */
const UNITS: ReadonlySet<string> = new Set("am pm km cm mm kg mg ml in ft hr gb mb".split(" "));
/** Names of objects in programs, as before the dot in `window.name`. */
const OBJECTS: ReadonlySet<string> = new Set(
  "this self event window document console e req res obj os sys system math string".split(" "),
);
/** Properties in programs that are also top-level domains, as in `user.name` and `x.id`. */
const PROPERTIES: ReadonlySet<string> = new Set(
  "name id data info map is to it do call run date bar".split(" "),
);
const VARIABLES =
  /^(?:[a-z]|foo|bar|baz|data|items?|users?|rows?|col|node|el|elem|element|arr|array|list|obj|object|opts?|options|params|props|state|response|result|err|error|ctx|context|args?|model|form|input|field|val|value|key|str|entry|record|module)$/;
const WORDS_BEFORE_DOT_COM: ReadonlySet<string> = new Set(
  "the a an this that and or one of your my his her our first big old new era".split(" "),
);
const AFTER_DOT_COM =
  /^\s*(?:bubble|boom|era|crash|compan(?:y|ies)|startups?|craze|years|domains?)\b/i;
/** Names of products in their usual spelling. */
const PRODUCTS: ReadonlySet<string> = new Set(["ASP.NET", "ADO.NET", "ML.NET", "VB.NET"]);
/** A file name with two endings, such as `invoice.pdf.zip`. */
const FILE_IN_FILE =
  /\.(?:pdf|docx?|xlsx?|pptx?|txt|csv|jpe?g|png|exe|js|html?|tar|test|spec|min|d)\.[a-z]+$/i;
/** Abbreviations for kinds of companies and for titles, such as `Co.Ltd` and `Dr.med`. */
const ABBREVIATION = /^(?:(?:co|pvt|pte|pty)\.ltd|dr\.med)$/i;
const WORD_FOR_DOT = / (?:dot|\.) /i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const NETWORK = /^\/\d{1,2}$/;

/** Whether a name with dots in running text is a host, rather than a file, a number or the end of a sentence. */
function isBareHost(bare: BareHost): boolean {
  const { host, canonical, isDefanged, rest, next } = bare;
  if (next === "(" && rest === "" && !isDefanged) return false;
  if (canonical.hostType !== "domain") {
    if (!IPV4.test(host)) return false;
    return isDefanged || (rest.length > 1 && !NETWORK.test(rest));
  }
  const labels = canonical.host.split(".");
  const isWww = labels[0] === "www" && labels.length > 2;
  if (!hasTopLevelDomain(canonical.host)) return isWww;
  if (rest.length > 1 || isWww) return true;
  const last = labels.at(-1)!;
  const [first] = labels;
  if (isDefanged) return !WORD_FOR_DOT.test(bare.written) || isSpokenHost(bare, labels);
  if (labels.length > 2) return !(FILE_ENDINGS.has(last) && FILE_IN_FILE.test(host));
  if (FILE_ENDINGS.has(last) || OBJECTS.has(first!) || PRODUCTS.has(host)) return false;
  if (ABBREVIATION.test(host)) return false;
  if (PROPERTIES.has(last) && VARIABLES.test(first!)) return false;
  if (/^\d+$/.test(first!) && UNITS.has(last)) return false;
  return !isEndOfSentence(host);
}

/** Whether a host with a spoken dot is meant as a host: `evil dot example`, but not "the dot com bubble". */
function isSpokenHost({ before, after }: BareHost, labels: readonly string[]): boolean {
  if (/(?:\bat|@) $/i.test(before)) return false;
  if (labels.length > 2) return true;
  if (!["com", "net", "org"].includes(labels[1]!)) return false;
  return !WORDS_BEFORE_DOT_COM.has(labels[0]!) && !AFTER_DOT_COM.test(after);
}

/** Words that, when capitalized, start a sentence more often than they are a top-level domain. */
const FIRST_WORD = /^(?:So|It|Is|My|At|To|Be|No|Do)$/;

/** Whether the space after a sentence is missing, as in `end.In the morning`. */
function isEndOfSentence(host: string): boolean {
  const last = host.slice(host.lastIndexOf(".") + 1);
  return /^\p{Lu}\p{Ll}*$/u.test(last) && (!/^\p{Lu}/u.test(host) || FIRST_WORD.test(last));
}

const TOP_LEVEL: ReadonlySet<string> = new Set(TOP_LEVEL_DOMAINS.split(" "));

/** Whether a canonical host ends in a top-level domain that exists, or in a label for special use. */
export const hasTopLevelDomain: (host: string) => boolean = topLevelDomains((label) =>
  TOP_LEVEL.has(label),
);

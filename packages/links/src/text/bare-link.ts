import { type CanonicalUrl, tryParseUrl } from "@x/canon";
import { hasTopLevelDomain } from "../top-level.ts";
import { cleanUrl } from "./clean.ts";
import { ASCII_HOST_BEFORE, type LinkInText, linkEnd, startOfGlued } from "./link-end.ts";
import { DOTS, EAST_ASIAN, LONGEST_LOOK_BACK } from "./patterns.ts";

const EAST_ASIAN_START = new RegExp(
  `^[${EAST_ASIAN}]+(?=[a-z\\d][\\x21-\\x7e]*(?:$|[${EAST_ASIAN}]))`,
  "i",
);
/** The start of a wildcard for all hosts in a domain, as in `*.evil.example`. */
const WILDCARD = /(?:^|[\s"'(<=,;|])\*\.$/;
/** An ellipsis after a word, as in `here...evil.example`. In programs, dots without a word before them are an operator. */
const AFTER_DOTS = /[\p{L}\p{N}]\.{2,8}$/u;
const DEFANGED_AT = /(?:[[({]\s?(?:at|@)\s?[\])}]|@)\s?$/i;
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
    const clean = cleanUrl(run.slice(start, end));
    const { url, isDefanged } = clean;
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
      const toLink = (last: number, { url, isDefanged }: typeof clean): LinkInText => ({
        start: first,
        end: offset + last,
        url: `http://${url}`,
        isDefanged,
      });
      const glued = startOfGlued(run, hostEnd, end);
      if (glued === null) return [toLink(end, clean)];
      const place = { start, hostStart: hostEnd, hostEnd, before };
      const shorterEnd = linkEnd(run.slice(0, glued), place);
      return [toLink(end, clean), toLink(shorterEnd, cleanUrl(run.slice(start, shorterEnd)))];
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

/** Whether the blank after a sentence is missing, as in `end.In the morning`. */
function isEndOfSentence(host: string): boolean {
  const [name, last] = [
    host.slice(0, host.lastIndexOf(".")),
    host.slice(host.lastIndexOf(".") + 1),
  ];
  return /^\p{Lu}\p{Ll}*$/u.test(last) && (!/^\p{Lu}/u.test(name) || FIRST_WORD.test(last));
}

import type { CanonicalUrl } from "@x/canon";
import { hasTopLevelDomain } from "../top-level.ts";

/** A host written without a scheme and the text around it. */
export interface BareHost {
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
export function isBareHost(bare: BareHost): boolean {
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

import type { CanonicalUrl } from "@x/canon";
import { hasTopLevelDomain } from "../top-level.ts";

/** What is known about a host that is written without a scheme. */
export interface BareHost {
  /** As written. */
  readonly written: string;
  /** Turned back, if it was defanged. */
  readonly host: string;
  readonly canonical: CanonicalUrl;
  readonly isDefanged: boolean;
  /** Whether a port, a path or a query follows. */
  readonly rest: string;
  /** The character after it. */
  readonly next: string;
  /** The text before it and after it, a few characters each. */
  readonly before: string;
  readonly after: string;
}

/** Top-level domains that are also endings of file names. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  "md sh rs py zip mov pl so ps cab app bz gz java".split(" "),
);
/** Top-level domains that are also units: `10.km`. */
const UNITS: ReadonlySet<string> = new Set("am pm km cm mm kg mg ml in ft hr gb mb".split(" "));
/** Names before a dot in programs. */
const OBJECTS: ReadonlySet<string> = new Set(
  "this self event window document console e req res obj os sys system math string".split(" "),
);
const WORDS_BEFORE_DOT_COM: ReadonlySet<string> = new Set(
  "the a an this that and or one of your my his her our first big old new era".split(" "),
);
const AFTER_DOT_COM =
  /^\s*(?:bubble|boom|era|crash|compan(?:y|ies)|startups?|craze|years|domains?)\b/i;
/** Names of products in their usual spelling. */
const PRODUCTS: ReadonlySet<string> = new Set(["ASP.NET", "ADO.NET", "ML.NET", "VB.NET"]);
const WORD_FOR_DOT = / dot /i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const NETWORK = /^\/\d{1,2}$/;

/** Whether a name with dots in running text is a host, and not a file, a number or the end of a sentence. */
export function isBareHost(bare: BareHost): boolean {
  const { host, canonical, isDefanged, rest, next } = bare;
  if (next === "(" && rest === "") return false;
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
  if (labels.length > 2) return true;
  if (FILE_ENDINGS.has(last) || OBJECTS.has(first!) || PRODUCTS.has(host)) return false;
  if (/^\d+$/.test(first!) && UNITS.has(last)) return false;
  return !isEndOfSentence(host);
}

/** `evil dot example`, and not "the dot com bubble". */
function isSpokenHost({ before, after }: BareHost, labels: readonly string[]): boolean {
  if (/(?:\bat|@) $/i.test(before)) return false;
  if (labels.length > 2) return true;
  if (!["com", "net", "org"].includes(labels[1]!)) return false;
  return !WORDS_BEFORE_DOT_COM.has(labels[0]!) && !AFTER_DOT_COM.test(after);
}

/** `end.In the morning`: a blank is missing after the dot. */
function isEndOfSentence(host: string): boolean {
  const [name, last] = [
    host.slice(0, host.lastIndexOf(".")),
    host.slice(host.lastIndexOf(".") + 1),
  ];
  return /^\p{Lu}\p{Ll}*$/u.test(last) && !/^\p{Lu}/u.test(name);
}

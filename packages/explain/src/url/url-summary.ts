import { tryParseUrl } from "@x/canon";
import { listInWords } from "../list-in-words.ts";
import type { Refusal } from "../refusal.ts";
import { annotateUrl, shownHost } from "./annotate-url.ts";
import type { UrlExplanation } from "./explain-url.ts";
import { lookAlikesIn } from "./look-alikes.ts";
import { isDoubtful, oddsText } from "./odds.ts";
import type { MatchRecord } from "./records.ts";
import { verdictText } from "./verdict-wording.ts";

/** The four verdicts of a summary. */
export type SummaryVerdict = "listed" | "not-listed" | "cannot-tell" | "not-a-url";

/** A verdict in a few words. */
export interface UrlSummary {
  readonly verdict: SummaryVerdict;
  /** The verdict as a label. If a match may be by chance, it is "Probably listed". */
  readonly badge: string;
  /** One or two short sentences: what the text looks like, and where a browser goes. */
  readonly sentence: string;
  /** The facts behind the verdict. Each may need `printable` before it is shown. */
  readonly facts: readonly string[];
  /** The host that the summary is about; `null` if there is none. */
  readonly host: string | null;
  /**
   * Whether the text seems to lead to another place than it does. This is typical of phishing, so no verdict makes it harmless.
   */
  readonly isDisguised: boolean;
  /** Whether the text looks like a URN instead of a URL. */
  readonly isUrn: boolean;
}

/** What is known about a text besides its explanation. */
export interface UrlSummaryOptions {
  /** Sentences that say why lists are missing or out of date. With them, a URL that is not listed has no verdict. */
  readonly doubts?: readonly string[] | undefined;
  /** What a text looks like instead of a URL, in words: `"a line of a hosts file"`. */
  readonly looksLike?: string | null | undefined;
  /** The URL that a defanged text stands for. */
  readonly meant?: string | null | undefined;
}

const BADGES: Readonly<Record<SummaryVerdict, string>> = {
  listed: "Listed",
  "not-listed": "Not on these lists",
  "cannot-tell": "Cannot tell",
  "not-a-url": "Not a URL",
};

const URN = /^\s*urn:[a-z0-9][a-z0-9-]{0,31}:/i;

/**
 * Sums up the verdict on a text that should be a URL in a few words, the most important first.
 *
 * @param input the text that was explained.
 * @example
 * ```ts
 * import { explainUrl, urlSummary } from "@x/explain";
 * import { prefixList } from "@x/prefix-list";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const list = prefixList([fullHash("evil.example/")], { name: "phishing", prefixBytes: 8 });
 * const url = "http://login.evil.example\\@www.good.example/";
 * const { badge, sentence } = urlSummary(url, explainUrl(url, [list]));
 * badge; // → "Listed"
 * sentence; // → "Looks like good.example. Opens evil.example."
 * ```
 */
export function urlSummary(
  input: string,
  explained: UrlExplanation | Refusal,
  options: UrlSummaryOptions = {},
): UrlSummary {
  if ("error" in explained) return refusedSummary(input, explained, options);
  const { doubts = [] } = options;
  const { title, detail, isCertain } = verdictText(explained);
  const { listed, lists } = explained;
  const verdict: SummaryVerdict =
    listed === true
      ? "listed"
      : listed === null || doubts.length > 0 || !isCertain
        ? "cannot-tell"
        : "not-listed";
  const goal = goalOf(explained);
  const decoy = explained.opened === true ? decoyOf(input, explained, goal) : null;
  const alike = lookAlikesIn(goal);
  const resembled = decoy ?? alike?.resembles ?? null;
  const host = listed === true ? listedHost(explained, goal) : goal;
  const isNot = decoy === null ? ", but is not" : "";
  const sentence =
    resembled === null || explained.opened !== true
      ? plainSentence(input, explained, goal, verdict)
      : `Looks like ${shownHost(withoutWww(resembled))}${isNot}. Opens ${shownHost(host)}.`;
  const isDisguised = decoy !== null || alike !== null || isHiddenAddress(input, explained, goal);
  const facts: string[] = [];
  if (listed === true) facts.push("Do not open it.", ...listedFacts(explained));
  else if (listed === null) facts.push("No list", ...doubts);
  else if (verdict === "cannot-tell") {
    facts.push("Not listed, but not for certain", detail, ...doubts);
    const empty = lists.filter(({ size }) => size === 0).map(({ name }) => name);
    if (empty.length > 0) facts.push(`${listInWords(empty)} has no entries.`);
  } else {
    const caution = isDisguised
      ? "But such a disguise is typical of phishing."
      : "That does not mean it is safe.";
    const made = madeOn(lists);
    facts.push(caution, detail);
    if (made !== "") facts.push(`${lists.length > 1 ? "lists" : "list"} ${made}`);
  }
  const badge = listed === true ? title : BADGES[verdict];
  return { verdict, badge, sentence, facts, host, isDisguised, isUrn: false };
}

/** The host that a browser opens or, if it opens none, the one that the text names. */
function goalOf({ browser, host }: UrlExplanation): string {
  return browser === null ? host : (tryParseUrl(browser.canonical)?.host ?? host);
}

/** The host that a text seems to lead to if it actually leads to another one; otherwise `null`. */
function decoyOf(input: string, explained: UrlExplanation, goal: string): string | null {
  const { host, refused } = explained;
  if (refused === null && host !== goal) return host;
  const decoy = annotateUrl(input, explained).find(({ role }) => role === "decoy");
  return decoy === undefined ? null : /^[a-z0-9.-]+/i.exec(decoy.text)![0].toLowerCase();
}

/** Whether a host is an IPv4 address that is not written as four numbers. */
function isHiddenAddress(input: string, { hostType, host }: UrlExplanation, goal: string): boolean {
  return hostType === "ipv4" && goal === host && !input.includes(goal);
}

function withoutWww(host: string): string {
  return host.replace(/^www\.(?=[^.]+\.)/, "");
}

/** The host of the entry that lists a URL, if `goal` is below it. */
function listedHost({ matches }: UrlExplanation, goal: string): string {
  for (const { expression } of matches) {
    const host = expression.slice(0, expression.indexOf("/"));
    if (goal === host || goal.endsWith(`.${host}`)) return host;
  }
  return goal;
}

function plainSentence(
  input: string,
  explained: UrlExplanation,
  goal: string,
  verdict: SummaryVerdict,
): string {
  const { opened, matches, listed } = explained;
  const isNamed = opened === true;
  const verb = isNamed ? "Opens" : "Names";
  const start = `${verb} ${isHiddenAddress(input, explained, goal) ? "the address " : ""}${shownHost(goal)}`;
  const end = opened === false ? " Browsers do not open this text." : "";
  if (verdict === "cannot-tell") {
    return listed === null
      ? `${start}. There is no list to check it against.${end}`
      : `${start}, which may be listed.${end}`;
  }
  if (verdict === "not-listed") return `${start}, which is not on these lists.${end}`;
  const isOnlyRules = isNamed && matches.every(({ reading }) => reading === "specification");
  const is = isProbable(explained) ? "is probably listed" : "is listed";
  if (isOnlyRules) return `${start}. Safe Browsing’s rules read another URL, which ${is}.${end}`;
  return matches.some(listsWholeHost)
    ? `${start}, which ${is}.${end}`
    : `${start}. This page ${is}.${end}`;
}

function listsWholeHost({ expression }: MatchRecord): boolean {
  return expression.indexOf("/") === expression.length - 1;
}

function isProbable({ matches, chanceOfFalseMatch }: UrlExplanation): boolean {
  return isDoubtful(chanceOfFalseMatch) && !matches.some(({ confirmed }) => confirmed);
}

function listedFacts({ matches, chanceOfFalseMatch }: UrlExplanation): string[] {
  const [first] = matches;
  const entries = new Set(matches.map(({ expression }) => expression)).size;
  const whole = listsWholeHost(first!) ? " for the whole host" : "";
  const more = entries > 1 ? ` and ${entries - 1} more` : "";
  const bytes = Math.min(...matches.map(({ prefix }) => prefix.length / 2));
  const odds = matches.some(({ confirmed }) => confirmed)
    ? "its full hash is on the list"
    : `${bytes}-byte hash prefix: ${oddsText(chanceOfFalseMatch ?? 0)}`;
  const on = `on ${listInWords(new Set(matches.map(({ list }) => list)))}`;
  const made = madeOn(matches);
  return [made === "" ? on : `${on}, ${made}`, `entry ${first!.expression}${whole}${more}`, odds];
}

/** When the oldest list was made; empty if the list does not say. */
function madeOn(lists: readonly { readonly created: string }[]): string {
  const days = [...new Set(lists.map(({ created }) => created.slice(0, 10)))].sort();
  if (days.length === 0 || days[0] === "1970-01-01") return "";
  return `made ${days[0]}${days.length > 1 ? " or later" : ""}`;
}

function refusedSummary(
  input: string,
  refusal: Refusal,
  { looksLike = null, meant = null }: UrlSummaryOptions,
): UrlSummary {
  const { error } = refusal;
  const nothing = { host: null, isDisguised: false, isUrn: false };
  if (error.code === "host-undecided") {
    const { detail } = verdictText(refusal);
    const sentence = "No verdict on this host.";
    return {
      ...nothing,
      verdict: "cannot-tell",
      badge: BADGES["cannot-tell"],
      sentence,
      facts: [detail],
    };
  }
  const facts = [
    looksLike === null ? `Expected ${error.expected}.` : `It looks like ${looksLike}.`,
  ];
  if (meant !== null) {
    const host = tryParseUrl(meant)?.host ?? null;
    const sentence = `Means ${shownHost(host ?? meant)}. Not checked yet.`;
    return {
      verdict: "cannot-tell",
      badge: BADGES["cannot-tell"],
      sentence,
      facts,
      host,
      isDisguised: false,
      isUrn: false,
    };
  }
  const isUrn = URN.test(input);
  const sentence = isUrn ? "This is a URN: a name, not an address." : "This is not a URL.";
  return { verdict: "not-a-url", badge: BADGES["not-a-url"], sentence, facts, ...nothing, isUrn };
}

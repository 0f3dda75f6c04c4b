import { tryParseUrl } from "@x/canon";
import { listInWords } from "../list-in-words.ts";
import type { Refusal } from "../refusal.ts";
import { annotateUrl, shownHost } from "./annotate-url.ts";
import type { UrlExplanation } from "./explain-url.ts";
import { lookAlikesIn } from "./look-alikes.ts";
import { isDoubtful, oddsText } from "./odds.ts";
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
  /** What the verdict is based on. Each may need `printable` before it is shown. */
  readonly facts: readonly string[];
  /** The host that the summary is about; `null` if there is none. */
  readonly host: string | null;
  /** Whether the text looks like a URN instead of a URL. */
  readonly isUrn: boolean;
}

/** What is known about a text beside its explanation. */
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
 * The verdict on a text that should be a URL, in a few words that lead with the point.
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
  const disguise = explained.opened === true ? disguiseOf(input, explained, goal) : null;
  const host = listed === true ? listedHost(explained, goal) : goal;
  const sentence =
    disguise !== null
      ? `Looks like ${shownHost(disguise)}. Opens ${shownHost(host)}.`
      : plainSentence(input, explained, goal, verdict);
  const facts: string[] = [];
  if (listed === true) facts.push(...listedFacts(explained), ...ageOf(explained));
  else if (listed === null) facts.push("No list", ...doubts);
  else if (verdict === "cannot-tell") {
    facts.push("Not listed, but not for certain", detail, ...doubts);
    const empty = lists.filter(({ size }) => size === 0).map(({ name }) => name);
    if (empty.length > 0) facts.push(`${listInWords(empty)} has no entries.`);
  } else facts.push("That does not mean it is safe.", detail, ...ageOf(explained));
  const badge = listed === true ? title : BADGES[verdict];
  return { verdict, badge, sentence, facts, host, isUrn: false };
}

/** The host that a browser opens or, if it opens none, the one that the text names. */
function goalOf({ browser, host }: UrlExplanation): string {
  return browser === null ? host : (tryParseUrl(browser.canonical)?.host ?? host);
}

/** The host that a text seems to lead to, if it leads to another; otherwise `null`. */
function disguiseOf(input: string, explained: UrlExplanation, goal: string): string | null {
  const { host, refused } = explained;
  if (refused === null && host !== goal) return withoutWww(host);
  const decoy = annotateUrl(input, explained).find(({ role }) => role === "decoy");
  if (decoy !== undefined) return withoutWww(/^[a-z0-9.-]+/i.exec(decoy.text)![0].toLowerCase());
  const resembles = lookAlikesIn(goal)?.resembles ?? null;
  return resembles === null ? null : withoutWww(resembles);
}

function withoutWww(host: string): string {
  return host.replace(/^www\.(?=[^.]+\.)/, "");
}

/** The host of the entry that lists a URL, if the goal is below it. */
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
  const { opened, host, matches, listed, hostType } = explained;
  const isNamed = opened === true;
  const isAddress = hostType !== "domain" && goal === host && !input.includes(goal);
  const verb = isNamed ? "Opens" : "Names";
  const start = `${verb} ${isAddress ? "the address " : ""}${shownHost(goal)}`;
  const end = opened === false ? " Browsers do not open this text." : "";
  if (verdict === "cannot-tell") {
    return listed === null
      ? `${start}. There is no list to check it against.${end}`
      : `${start}, which may be listed.${end}`;
  }
  if (verdict === "not-listed") return `${start}, which is not on these lists.${end}`;
  const isOnlyRules = isNamed && matches.every(({ reading }) => reading === "specification");
  const is = isProbable(explained) ? "is probably listed" : "is listed";
  if (isOnlyRules) return `${start}. The rules read another URL, which ${is}.${end}`;
  const isWholeHost = matches.some(
    ({ expression }) => expression.endsWith("/") && /^[^/]*\/$/.test(expression),
  );
  return isWholeHost ? `${start}, which ${is}.${end}` : `${start}. This page ${is}.${end}`;
}

function isProbable({ matches, chanceOfFalseMatch }: UrlExplanation): boolean {
  return isDoubtful(chanceOfFalseMatch) && !matches.some(({ confirmed }) => confirmed);
}

function listedFacts({ matches, chanceOfFalseMatch }: UrlExplanation): string[] {
  const entries = [...new Set(matches.map(({ expression }) => expression))];
  const more = entries.length > 1 ? ` and ${entries.length - 1} more` : "";
  const odds = matches.some(({ confirmed }) => confirmed)
    ? "its full hash is on the list"
    : oddsText(chanceOfFalseMatch ?? 0);
  return [
    listInWords(new Set(matches.map(({ list }) => list))),
    `entry ${entries[0]}${more}`,
    odds,
  ];
}

/** When the oldest list was made, if it says so. */
function ageOf({ lists }: UrlExplanation): string[] {
  const [oldest] = lists.map(({ created }) => created).sort();
  if (oldest === undefined || oldest.startsWith("1970-01-01")) return [];
  const later = lists.length > 1 ? " or later" : "";
  return [`${lists.length > 1 ? "lists" : "list"} made ${oldest.slice(0, 10)}${later}`];
}

function refusedSummary(
  input: string,
  refusal: Refusal,
  { looksLike = null, meant = null }: UrlSummaryOptions,
): UrlSummary {
  const { error } = refusal;
  const nothing = { host: null, isUrn: false };
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
      isUrn: false,
    };
  }
  const isUrn = URN.test(input);
  const sentence = isUrn ? "This is a URN: a name, not an address." : "This is not a URL.";
  return { verdict: "not-a-url", badge: BADGES["not-a-url"], sentence, facts, host: null, isUrn };
}

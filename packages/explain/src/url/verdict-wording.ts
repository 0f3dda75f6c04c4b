import type { Refusal } from "../refusal.ts";
import type { UrlCheck } from "./checked-url.ts";
import type { UrlExplanation } from "./explain-url.ts";
import type { MatchRecord } from "./records.ts";

/** The verdict on an input. */
export type Verdict = "listed" | "not-listed" | "no-list" | "not-a-url";

/** The verdicts in words, for a column of a table or the start of a line. */
export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  listed: "listed",
  "not-listed": "not listed",
  "no-list": "no list",
  "not-a-url": "not a URL",
};

/**
 * The verdict in a record of `checkedUrl` or `explainUrl`.
 *
 * @example
 * ```ts
 * import { explainUrl, VERDICT_LABELS, verdictOf } from "@x/explain";
 *
 * const verdict = verdictOf(explainUrl("mailto:x", []));
 * VERDICT_LABELS[verdict]; // → "not a URL"
 * ```
 */
export function verdictOf(record: UrlCheck | Pick<UrlExplanation, "listed"> | Refusal): Verdict {
  if ("error" in record) return "not-a-url";
  if (record.listed === null) return "no-list";
  return record.listed ? "listed" : "not-listed";
}

/**
 * Why a URL is listed, on one line. The list's name may need `printable` before the line is shown.
 *
 * @example
 * ```ts
 * import { matchText } from "@x/explain";
 *
 * matchText({ list: "phishing", expression: "evil.example/", prefix: "f001957c" }); // → "evil.example/ (f001957c) is on phishing"
 * ```
 */
export function matchText({ list, expression, prefix }: MatchRecord): string {
  return `${expression} (${prefix}) is on ${list}`;
}

/** The verdict on one URL, for people. */
export interface VerdictText {
  readonly verdict: Verdict;
  /** The verdict alone: `"Listed"`. */
  readonly title: string;
  /** One sentence that says why. */
  readonly detail: string;
}

const and = new Intl.ListFormat("en");
const or = new Intl.ListFormat("en", { type: "disjunction" });

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/**
 * The verdict in an explanation, in words. Names of lists may need `printable` before the text is shown.
 *
 * @example
 * ```ts
 * import { explainUrl, verdictText } from "@x/explain";
 * import { prefixList } from "@x/prefix-list";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const list = prefixList([fullHash("evil.example/")], { name: "phishing", prefixBytes: 4 });
 * verdictText(explainUrl("http://evil.example/a", [list])).detail; // → "1 of 2 expressions is on phishing."
 * verdictText(explainUrl("http://good.example/", [list])).title; // → "Not listed"
 * ```
 */
export function verdictText(explained: UrlExplanation | Refusal): VerdictText {
  const verdict = verdictOf(explained);
  const label = VERDICT_LABELS[verdict];
  const title = label.charAt(0).toUpperCase() + label.slice(1);
  return { verdict, title, detail: detailOf(explained) };
}

function detailOf(explained: UrlExplanation | Refusal): string {
  if ("error" in explained) return "Nothing was hashed or looked up.";
  const { expressions, lists, listed, matches } = explained;
  if (listed === null) return "The URL was not looked up.";
  const total = expressions.length;
  if (listed) {
    const found = new Set(matches.map(({ expression }) => expression)).size;
    const on = and.format(new Set(matches.map(({ list }) => list)));
    if (total === 1) return `Its one expression is on ${on}.`;
    return `${found} of ${total} expressions ${found === 1 ? "is" : "are"} on ${on}.`;
  }
  const none = total === 1 ? "Its one expression is not" : `None of its ${total} expressions is`;
  const on = lists.map(({ name, size }) => `${name} (${counted(size, "prefix", "prefixes")})`);
  return `${none} on ${or.format(on)}.`;
}

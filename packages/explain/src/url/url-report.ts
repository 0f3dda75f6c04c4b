import { counted } from "../counted.ts";
import { printable } from "../printable/printable.ts";
import type { Refusal } from "../refusal.ts";
import type { UrlExplanation } from "./explain-url.ts";
import { type UrlSummaryOptions, urlSummary } from "./url-summary.ts";
import { verdictText } from "./verdict-wording.ts";

/**
 * Changes text so that nothing in it can be clicked by accident: `http` becomes `hxxp`, and dots between letters or
 * digits are put in brackets.
 */
function defang(text: string): string {
  return text
    .replace(/\b(h)tt(ps?)(?=:)/gi, "$1xx$2")
    .replace(/(?<=[\p{L}\p{N}\p{M}-])[.。．｡](?=[\p{L}\p{N}\p{M}-])/gu, "[.]");
}

/**
 * Puts at signs in brackets, so that the report notifies nobody. A backslash would not help: sites such as GitHub look
 * for `@name` in the rendered Markdown.
 */
function withoutMentions(text: string): string {
  return text.replaceAll("@", "[@]");
}

/** The options of {@link urlReport}: those of `urlSummary` and the format. */
export interface UrlReportOptions extends UrlSummaryOptions {
  /** The format of the report; `"text"` by default. */
  readonly format?: "text" | "markdown" | undefined;
}

/** Longer values are shortened to this many characters. */
const LONGEST_VALUE = 1000;

/**
 * A report on a URL for a ticket or a chat channel: the verdict, the matching entries, and the lists that the URL was
 * looked up in. All URLs in the report are defanged.
 *
 * @param input the text that was explained.
 * @example
 * ```ts
 * import { explainUrl, urlReport } from "@x/explain";
 *
 * const url = "http://evil.example/a";
 * urlReport(url, explainUrl(url, [])).split("\n")[2]; // → "URL: hxxp://evil[.]example/a"
 * ```
 */
export function urlReport(
  input: string,
  explained: UrlExplanation | Refusal,
  { format = "text", ...options }: UrlReportOptions = {},
): string {
  const { badge, sentence, facts } = urlSummary(input, explained, options);
  const isMarkdown = format === "markdown";
  const plain = (text: string): string => {
    const safe = withoutMentions(defang(printable(text)));
    return isMarkdown ? escapeMarkdown(safe) : safe;
  };
  const value = (text: string): string => {
    const cut = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
    const safe = defang(printable(cut));
    return isMarkdown ? codeSpan(safe) : safe;
  };
  const rows: [string, string][] = [["URL", value(input)]];
  if (!("error" in explained)) {
    const { browser, canonical, refused, lists, matches } = explained;
    if (browser !== null) rows.push(["Browsers open", value(browser.opens)]);
    if (refused === null && canonical !== input) rows.push(["Canonical", value(canonical)]);
    for (const { expression, prefix, list } of matches) {
      rows.push(["Entry", `${value(expression)} (${prefix}) on ${plain(list)}`]);
    }
    for (const { name, size, checksum, created } of lists) {
      const facts = `${counted(size, "prefix", "prefixes")}, of ${created.slice(0, 10)}, checksum ${checksum}`;
      rows.push(["List", `${plain(name)} (${facts})`]);
    }
  }
  const notes = verdictText(explained).notes.map(plain);
  const verdict = `${badge}. ${facts.map(plain).join(" ")}`;
  if (!isMarkdown) {
    return [
      plain(sentence),
      verdict,
      ...rows.map(([name, text]) => `${name}: ${text}`),
      ...notes,
      "",
    ].join("\n");
  }
  return [
    `**${plain(sentence)}**`,
    "",
    verdict,
    "",
    ...rows.map(([name, text]) => `- ${name}: ${text}`),
    ...notes.map((note) => `- ${note}`),
    "",
  ].join("\n");
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_<>[\]#|~&!]/g, "\\$&");
}

/** Encloses a text in one backtick more than its longest run of backticks. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

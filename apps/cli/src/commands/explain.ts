import type { CanonicalizationStep } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import {
  type Disguise,
  type ExplainUrlOptions,
  explainUrl,
  innerRecord,
  innerText,
  type MatchRecord,
  matchText,
  type Refusal,
  type UrlExplanation,
  unseenSite,
  verdictText,
} from "@x/explain";
import { printable, printableInShort } from "@x/explain/printable";
import type { CheckAnswer, FollowedLink } from "@x/links/follow";
import { type UnwrappedLink, unwrapLink } from "@x/links/unwrap";
import { chanceOfFalseMatch, type InnerUrl } from "@x/lookup";
import { mayHaveMore, mustBeUrl } from "@x/lookup/inside";
import type { PrefixList } from "@x/prefix-list";
import type { Command } from "commander";
import {
  addFollowOption,
  chainCode,
  chainLines,
  chainRecord,
  FOLLOW_HELP,
  type FollowOptions,
  followInput,
  isUnfinished,
} from "../check/chain.ts";
import { disguiseLines, disguisesIn } from "../check/disguises.ts";
import type { Follow } from "../check/follower.ts";
import type { Context } from "../context.ts";
import {
  UNFINISHED_STATUS_HELP,
  UNSURE_VERDICT_HELP,
  VERDICT_STATUS_HELP,
} from "../exit-status.ts";
import { listWarnings, readEach } from "../input/list-files.ts";
import { fill, fillBeside, foldBeside, hang } from "../output/layout.ts";
import type { Finding, RefusedInput } from "../output/results.ts";
import { type EvaluatingOptions, registerEvaluating } from "./evaluating-command.ts";
import {
  addBytesOption,
  addListUrlOptions,
  addRefangOption,
  addUnwrapOption,
  addVerdictOptions,
  LIST_URL_HELP,
  type ListUrlOptions,
  listUrlReader,
  REFANG_HELP,
  UNWRAP_HELP,
  type VerdictOptions,
} from "./options.ts";

interface ExplainOptions extends EvaluatingOptions, FollowOptions, VerdictOptions, ListUrlOptions {
  readonly refang?: boolean;
  readonly unwrap: boolean;
  readonly bytes: number;
}

/** A URL inside the explained one. */
interface ExplainedInside extends InnerUrl {
  readonly listed: boolean | null;
  readonly matches: readonly MatchRecord[];
}

/** The URLs inside a URL, with their verdicts. */
interface Inside {
  readonly urls: readonly ExplainedInside[];
  /** Notes for people about the URLs that were not opened. */
  readonly notes: readonly string[];
  /** The reason why the URL cannot count as "not listed"; `null` if it can. */
  readonly unsure: Unsure | null;
}

/** The reason why a URL has no verdict, as a code for programs and a sentence for people. */
interface Unsure {
  readonly reason: string;
  readonly words: string;
}

const NOTHING_INSIDE: Inside = { urls: [], notes: [], unsure: null };

/** The verdict on one URL in a chain of redirects. */
interface ExplainAnswer extends CheckAnswer {
  readonly matches: readonly string[];
}

type Followed = FollowedLink<ExplainAnswer>;

type Style = Pick<Context, "colours" | "columns">;

interface VerdictStyle extends Style {
  /** The chance that a URL matches one of the lists of safe sites by coincidence. */
  readonly safeChance: number;
  /** The chance that a URL matches one of the lists of dangerous sites by coincidence. */
  readonly chance: number;
}

const STEP_INDENT = 26;
/** On terminals of at least this width, a full hash and its expression are on one line. */
const WIDE_COLUMNS = 120;

/**
 * Formats the canonicalization steps. A step that changed something is shown with its result, and any other step only
 * by its name.
 */
function stepLines(steps: readonly CanonicalizationStep[], { colours, columns }: Style): string[] {
  const lines: string[] = [];
  let unchanged: string[] = [];
  const flush = (): void => {
    const names = fill(
      unchanged.map((name) => `· ${name}`),
      columns === null ? null : columns - 4,
    );
    lines.push(...hang("  ", 4, names, colours.dim));
    unchanged = [];
  };
  for (const { step, text, changed } of steps) {
    if (!changed) {
      unchanged.push(step);
      continue;
    }
    flush();
    const label = `  ${colours.yellow("●")} ${colours.bold(step.padEnd(STEP_INDENT - 4))}`;
    lines.push(...foldBeside(label, STEP_INDENT, printableInShort(text), columns));
  }
  flush();
  return lines;
}

/** Describes how browsers read the input, if they read it differently. */
function browserLines({ browser, refused }: UrlExplanation, style: Style): string[] {
  if (browser === null) return [];
  const { colours, columns } = style;
  const item = (text: string): string[] => fillBeside("  · ", 4, text, columns);
  const isSame = browser.opens === browser.canonical;
  return [
    `\n${colours.underline("Browsers open another URL")}`,
    ...foldBeside("  ", 2, printableInShort(browser.opens), columns, colours.yellow),
    ...browser.differences.flatMap(({ message }) => item(message)),
    ...(isSame ? [] : item(`Canonical form: ${printableInShort(browser.canonical)}`)),
    ...(refused === null
      ? []
      : item(`The specification does not read this as a URL: expected ${refused.expected}.`)),
  ];
}

function expressionLines(
  { expressions, matches }: UrlExplanation,
  { colours, columns }: Style,
): string[] {
  const isWide = columns !== null && columns >= WIDE_COLUMNS;
  return expressions.flatMap(({ expression, hash, prefix, reading }) => {
    const isListed = matches.some((match) => match.expression === expression);
    const name = isListed ? (text: string) => colours.red(colours.bold(text)) : colours.bold;
    const reader = reading === "browser" ? "  (browsers)" : "";
    const shown = `${printableInShort(expression)}${reader}`;
    const mark = isListed ? colours.red("▸ ") : "  ";
    const start = colours.cyan(hash.slice(0, prefix.length));
    const hex = `${colours.cyan(prefix)}  ${start}${colours.dim(hash.slice(prefix.length))}`;
    if (!isWide) return [...foldBeside(mark, 2, shown, columns, name), `    ${hex}`];
    const indent = 2 + prefix.length + 2 + hash.length + 2;
    return foldBeside(`${mark}${hex}  `, indent, shown, columns, name);
  });
}

/** Formats the URLs inside a URL and the notes about those that were not opened. */
function insideLines({ urls, notes }: Inside, { colours, columns }: Style): string[] {
  if (urls.length === 0 && notes.length === 0) return [];
  const found = urls.flatMap((inner) => {
    const style = inner.listed ? (text: string) => colours.red(colours.bold(text)) : undefined;
    const mark = inner.listed ? colours.red("▸ ") : "  ";
    return foldBeside(mark, 2, printableInShort(innerText(inner)), columns, style);
  });
  const others = notes.flatMap((note) => fillBeside("  · ", 4, printableInShort(note), columns));
  return [`\n${colours.underline("URLs inside")}`, ...found, ...others];
}

/** Formats the ways in which a URL is built to mislead people. */
function disguiseSection(disguises: readonly Disguise[], { colours, columns }: Style): string[] {
  if (disguises.length === 0) return [];
  const lines = disguiseLines(disguises).flatMap((line) =>
    foldBeside("  ", 2, printableInShort(line), columns, colours.yellow),
  );
  return [`\n${colours.underline("Disguised")}`, ...lines];
}

/** Describes the matches of the URLs inside a URL. */
function matchesInside({ urls }: Inside, chance: number): string[] {
  return urls.flatMap((inner) => {
    return inner.matches.map((match) => matchText({ ...match, inner }, chance));
  });
}

/** Formats the verdict on a URL that counts as listed because another URL is listed. */
function listedLines(
  why: string,
  matches: readonly string[],
  { colours, columns }: Style,
): string[] {
  if (matches.length === 0) return [];
  const style = (text: string): string => colours.red(colours.bold(text));
  return [
    ...foldBeside("  ", 2, `LISTED. ${why}`, columns, style),
    ...matches.flatMap((match) => foldBeside("    ", 4, printableInShort(match), columns)),
  ];
}

function verdictInside(inside: Inside, style: VerdictStyle): string[] {
  const matches = matchesInside(inside, style.chance);
  return listedLines("A URL inside it is on a list.", matches, style);
}

/** Formats the redirects of a URL. */
function chainSection(followed: Followed | undefined, { colours, columns }: Style): string[] {
  if (followed === undefined) return [];
  const lines = chainLines(followed);
  const shown = lines.length > 0 ? lines : ["nowhere else"];
  return [
    `\n${colours.underline("Where it leads")}`,
    ...shown.flatMap((line) => foldBeside("  ", 2, printableInShort(line), columns)),
  ];
}

/** Formats the verdict that results from following a URL. Returns no lines if following does not change the verdict. */
function verdictFollowed(followed: Followed | undefined, style: Style): string[] {
  if (followed?.verdict === "unsafe") {
    const { matches } = followed.hops.at(-1)!.answer!;
    return listedLines("It leads to a URL that is on a list.", matches, style);
  }
  if (followed === undefined || !isUnfinished(followed)) return [];
  const { colours, columns } = style;
  return foldBeside("  ", 2, "Unsure. It was not followed to its end.", columns, colours.yellow);
}

function unsureLines({ words }: Unsure, { colours, columns }: Style): string[] {
  return foldBeside("  ", 2, `Unsure. ${words}`, columns, colours.yellow);
}

function linesOfVerdict(
  explained: UrlExplanation,
  { colours, columns, safeChance }: VerdictStyle,
): string[] {
  const { verdict, title, detail, notes } = verdictText(explained);
  const unseen = unseenSite(explained);
  const hint = verdict === "no-list" ? " Name a list with --list FILE." : "";
  const style =
    verdict === "listed"
      ? (text: string) => colours.red(colours.bold(text))
      : verdict === "not-listed"
        ? colours.gray
        : colours.dim;
  const shown = verdict === "listed" ? title.toUpperCase() : title;
  const first = printableInShort(`${shown}. ${printable(detail)}${hint}`);
  const matches = [
    ...explained.matches.map((match) => matchText(match, explained.chanceOfFalseMatch)),
    ...explained.safeMatches.map(
      (match) => `${matchText(match, safeChance)}, a list of safe sites`,
    ),
  ];
  return [
    ...foldBeside("  ", 2, first, columns, style),
    ...matches.flatMap((match) => foldBeside("    ", 4, printableInShort(match), columns)),
    ...[...notes, ...(unseen === null ? [] : [unseen])].flatMap((note) =>
      fillBeside("  ", 2, printableInShort(note), columns, colours.dim),
    ),
  ];
}

function toText(
  url: string | Uint8Array,
  explained: UrlExplanation,
  inside: Inside,
  style: VerdictStyle,
  followed: Followed | undefined,
  disguises: readonly Disguise[],
): string {
  const { colours, columns } = style;
  const title = (text: string) => `\n${colours.underline(text)}`;
  const isListedInside = explained.listed !== true && isListed(inside);
  const unsure = explained.listed === true ? null : inside.unsure;
  const followedLater = verdictFollowed(followed, style);
  const later =
    followedLater.length === 0 && unsure !== null ? unsureLines(unsure, style) : followedLater;
  return [
    ...foldBeside("", 0, printableInShort(url), columns, colours.bold),
    title("Canonicalization"),
    ...stepLines(explained.steps, style),
    title("Canonical URL"),
    ...foldBeside("  ", 2, printableInShort(explained.canonical), columns, colours.bold),
    ...browserLines(explained, style),
    title("Expressions, hash prefixes and full hashes (SHA-256)"),
    ...expressionLines(explained, style),
    ...insideLines(inside, style),
    ...chainSection(followed, style),
    ...disguiseSection(disguises, style),
    title("Verdict"),
    ...later,
    ...(isListedInside || later.length > 0 ? [] : linesOfVerdict(explained, style)),
    ...verdictInside(inside, style),
    "",
  ].join("\n");
}

/** Formats the result for an input that is not a URL, but has a listed URL inside. */
function toTextOfRefused(
  url: string | Uint8Array,
  { error }: Refusal,
  inside: Inside,
  style: VerdictStyle,
): string {
  const { colours, columns } = style;
  return [
    ...foldBeside("", 0, printableInShort(url), columns, colours.bold),
    ...fillBeside("  ", 2, printableInShort(error.message), columns),
    ...insideLines(inside, style),
    `\n${colours.underline("Verdict")}`,
    ...verdictInside(inside, style),
    "",
  ].join("\n");
}

function isListed({ urls }: Inside): boolean {
  return urls.some(({ listed }) => listed === true);
}

const LIMITS = {
  depth: "URLs are nested or escaped more often than they were opened",
  urls: "there are more URLs than were opened",
  length: "the URL is too long to be opened",
};

function insideOf(
  url: string | Uint8Array,
  lists: readonly PrefixList[],
  options: ExplainUrlOptions,
): Inside {
  const opened = unwrapLink(url);
  const { found, closed, limits } = opened;
  const all = found.map(({ url }) => explainUrl(url, lists, options));
  const codes = all.map((explained) => ("error" in explained ? explained.error.code : null));
  const unsure = unsureAbout(opened, codes);
  const urls = found.map((inner, i): ExplainedInside => {
    const explained = all[i]!;
    const { listed, matches } = "error" in explained ? NOT_LOOKED_UP : explained;
    const record = matches.map(({ covers: _, ...match }) => match);
    return { ...innerRecord(inner), listed, matches: record };
  });
  const unopened = closed.map(({ wrapper }) => `Only ${wrapper} knows where this link leads.`);
  const notes = [...new Set(unopened), ...limits.map((limit) => `${LIMITS[limit]}.`)];
  return {
    urls,
    notes,
    unsure: lists.length === 0 || urls.some(({ listed }) => listed === true) ? null : unsure,
  };
}

/**
 * Returns the reason why a URL has no verdict, as in `urlhash check`: it may contain more URLs than are opened, or it
 * certainly leads to one without a verdict.
 */
function unsureAbout(opened: UnwrappedLink, codes: readonly (string | null)[]): Unsure | null {
  const failed = codes.find((code, i) => code !== null && mustBeUrl(opened.found[i]!));
  if (failed != null)
    return { reason: failed, words: "There is no verdict on a URL that it leads to." };
  if (!mayHaveMore(opened, false)) return null;
  return { reason: "unwrap-limit", words: "It may have more URLs inside." };
}

const NOT_LOOKED_UP: Pick<UrlExplanation, "listed" | "matches"> = { listed: null, matches: [] };

/** The verdict on one URL in a chain of redirects. */
function answerOf(
  explained: UrlExplanation | Refusal,
  inside: Inside,
  chance: number,
): ExplainAnswer {
  const own = "error" in explained ? [] : explained.matches;
  const matches = [
    ...own.map((match) => matchText(match, chance)),
    ...matchesInside(inside, chance),
  ];
  const isUnsure = "error" in explained || inside.unsure !== null;
  return { verdict: matches.length > 0 ? "unsafe" : isUnsure ? "unsure" : "safe", matches };
}

function explaining(
  lists: readonly PrefixList[],
  { unwrap, ...options }: ExplainUrlOptions & { readonly unwrap: boolean },
  { colours, columns }: Style,
) {
  const safeChance = chanceOfFalseMatch(options.safeLists ?? []);
  const style = { colours, columns, safeChance, chance: chanceOfFalseMatch(lists) };
  const insideUrl = (url: string | Uint8Array): Inside =>
    unwrap ? insideOf(url, lists, options) : NOTHING_INSIDE;

  /** Checks each URL in a chain of redirects. Without a list, no URL is listed. */
  const check = (url: string): ExplainAnswer =>
    answerOf(explainUrl(url, lists, options), insideUrl(url), style.chance);

  function explain(url: string | Uint8Array, followed?: Followed): Finding | RefusedInput {
    const explained = explainUrl(url, lists, options);
    const inside = insideUrl(url);
    if ("error" in explained) {
      if (!isListed(inside)) return explained;
      return {
        isListed: true,
        toRecord: () => ({ refused: explained.error, listed: true, inside: inside.urls }),
        toText: () => toTextOfRefused(url, explained, inside, style),
      };
    }
    const isListedLater = followed?.verdict === "unsafe";
    const isListedAnywhere = explained.listed === true || isListed(inside) || isListedLater;
    const isOpen = followed !== undefined && isUnfinished(followed);
    const unsure = isListedAnywhere ? null : inside.unsure;
    const reason = isOpen ? chainCode(followed) : unsure?.reason;
    const listed = reason === undefined ? isListedAnywhere || explained.listed : null;
    const isSafe = explained.safeMatches.length > 0;
    const disguises = isListedAnywhere || isSafe ? [] : disguisesIn(url, readUrl(url));
    const members = {
      ...(disguises.length > 0 && { disguises }),
      ...(inside.urls.length > 0 && { inside: inside.urls }),
      ...(reason !== undefined && { reason }),
      ...(followed !== undefined && { chain: chainRecord(followed) }),
    };
    return {
      isListed: isListedAnywhere,
      isUnsure: reason !== undefined,
      isUnfinished: isOpen,
      toRecord: () => ({ ...explained, listed, ...members }),
      toText: () => toText(url, explained, inside, style, followed, disguises),
    };
  }

  /** Explains an input and, if it is a URL that is not listed, follows it. */
  async function explainFollowed(
    url: string | Uint8Array,
    follow: Follow,
  ): Promise<Finding | RefusedInput> {
    const finding = explain(url);
    if ("error" in finding || finding.isListed) return finding;
    return explain(url, await followInput(url, follow, check));
  }

  return { explain, explainFollowed };
}

const HELP = `
${LIST_URL_HELP}

${REFANG_HELP}

${UNWRAP_HELP}

${FOLLOW_HELP}

Browsers read some URLs differently. If they open another URL, the output shows
it, says why, and marks its expressions, which may be the only listed ones.
For each match, the output says how much its entry covers.
Text: every step; those that changed something (●) show the URL after them.
JSON: { "line" or "argument": 1, "url", "reading", "steps": [{ "step",
"section", "text", "changed" }], "canonical", "scheme", "host", "hostType",
"path", "query", "browser": { "opens", "canonical", "differences": [{ "code",
"message" }] } or null, "refused", "expressions": [{ "expression", "hash",
"prefix", "reading" }], "lists": [{ "name", "size", "checksum", "created" }],
"listed", "matches": [{ "list", "checksum", "created", "expression", "prefix",
"confirmed", "reading" }], "safeLists", "safeMatches" }. Without a list,
"listed" is null. If there are URLs inside, "inside" has them: [{ "url",
"wrapper", "certainty", "inside", "listed", "matches" }]. If a URL on no list is
built to mislead, "disguises" says how: [{ "code", "resembles", "message" }].
With --follow, "chain": [{ "url", "written", "via", "status", "verdict",
"reason" }]. If the URL could not be followed to its end, has more URLs inside
than are opened, or leads to one without a verdict, "listed" is null, and
"reason" says why.`;

const EXAMPLES = `  $ urlhash explain 'http://user@EXAMPLE.com:80/%2561/../b?q#top'
  $ urlhash explain --list phishing.list http://3279880203/login
  $ urlhash explain --list phishing.list --follow https://short.example/abc`;

export function registerExplain(program: Command, context: Context): void {
  registerEvaluating<ExplainOptions>(program, context, {
    name: "explain",
    summary: "show every step from a URL to the verdict on it",
    description:
      "Show each canonicalization step of a URL, its expressions with their hashes, and the verdict.",
    help: HELP,
    examples: EXAMPLES,
    statusHelp: `${VERDICT_STATUS_HELP}\n${UNSURE_VERDICT_HELP}\n${UNFINISHED_STATUS_HELP}`,
    addOptions: (command) =>
      addFollowOption(
        addUnwrapOption(
          addListUrlOptions(addRefangOption(addBytesOption(addVerdictOptions(command)))),
        ),
      ),
    async evaluation(options) {
      const { list, safeList, bytes: prefixBytes, refang = false, unwrap } = options;
      const readListUrl = listUrlReader(options, context);
      const lists = await readEach(list ?? context.defaultLists, readListUrl);
      const safeLists = await readEach(safeList ?? [], readListUrl);
      await context.stderr.write(listWarnings([...lists, ...safeLists], undefined));
      const explainOptions = { prefixBytes, safeLists, unwrap };
      const { explain, explainFollowed } = explaining(lists, explainOptions, context);
      if (!options.follow) return { refang, evaluate: explain };
      const { createFollower } = await import("../check/follower.ts");
      const { follow, close } = createFollower(context);
      const evaluateLater = (url: string | Uint8Array) => explainFollowed(url, follow);
      return { refang, evaluate: explain, evaluateLater, close };
    },
  });
}

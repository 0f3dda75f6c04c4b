import { readUrl } from "@x/canon/readings";
import {
  type ExplainUrlOptions,
  explainUrl,
  matchText,
  type Refusal,
  type UrlExplanation,
} from "@x/explain";
import { chanceOfFalseMatch } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import type { Command } from "commander";
import {
  addFollowOption,
  chainCode,
  chainRecord,
  FOLLOW_HELP,
  type FollowOptions,
  followInput,
  isUnfinished,
} from "../check/chain.ts";
import { disguisesIn } from "../check/disguises.ts";
import type { Follow } from "../check/follower.ts";
import type { Context } from "../context.ts";
import {
  UNFINISHED_STATUS_HELP,
  UNSURE_VERDICT_HELP,
  VERDICT_STATUS_HELP,
} from "../exit-status.ts";
import { listWarnings, readEach } from "../input/list-files.ts";
import type { Finding, RefusedInput } from "../output/results.ts";
import { type EvaluatingOptions, registerEvaluating } from "./evaluating-command.ts";
import {
  type ExplainAnswer,
  type Followed,
  type Style,
  toText,
  toTextOfRefused,
} from "./explain-text.ts";
import {
  type Inside,
  insideOf,
  isListed,
  matchesInside,
  NOTHING_INSIDE,
} from "./explained-inside.ts";
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

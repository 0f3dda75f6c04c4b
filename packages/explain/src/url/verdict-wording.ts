import { DOUBTFUL_CHANCE, type InnerUrl } from "@x/lookup";
import { counted, listInWords, theseLists } from "../counted.ts";
import type { Refusal } from "../input.ts";
import { coverageText, type UrlExplanation } from "./explain-url.ts";
import { hasFullHash, type MatchRecord, type UrlCheck } from "./records.ts";

/** Words that say whose reading of the URL matches, if that matters to people. */
const READERS = { both: "", specification: "", browser: ", as browsers read the URL" } as const;

/** The verdicts in words, for a column of a table or the start of a line. */
export const VERDICT_LABELS = {
  listed: "listed",
  "not-listed": "not listed",
  "no-list": "no list",
  "not-a-url": "not a URL",
} as const;

export type VerdictCode = keyof typeof VERDICT_LABELS;

/** The verdict in a record of `checkedUrl` or `explainUrl`. */
export function verdictOf(
  record: UrlCheck | Pick<UrlExplanation, "listed"> | Refusal,
): VerdictCode {
  if ("error" in record) return "not-a-url";
  if (record.listed === null) return "no-list";
  return record.listed ? "listed" : "not-listed";
}

/** Says on one line why a URL is listed. The list's name may need `printable` before the line is shown. */
export function matchText(
  {
    list,
    expression,
    prefix,
    confirmed,
    reading,
    inner,
  }: Omit<MatchRecord, "checksum" | "created">,
  chance: number | null,
): string {
  const on = confirmed || !isDoubtful(chance) ? "is on" : "is probably on";
  const through = inner === undefined ? "" : `, inside the URL: ${innerText(inner)}`;
  return `${expression} (${prefix}) ${on} ${list}${READERS[reading]}${through}`;
}

const LONGEST_INNER_URL = 200;

/**
 * A URL inside another one, with the wrappers around it, the outermost first. The URL may need `printable` before the
 * text is shown.
 */
export function innerText(inner: InnerUrl): string {
  const { url } = inner;
  const through: string[] = [];
  for (let each: InnerUrl | null = inner; each !== null; each = each.inside) {
    const hint = each.certainty === "hint" ? ", which names only the host" : "";
    through.unshift(each.wrapper === null ? "part of a URL" : each.wrapper + hint);
  }
  const shown = url.length > LONGEST_INNER_URL ? `${url.slice(0, LONGEST_INNER_URL)}…` : url;
  return `${shown} (${through.join(" → ")})`;
}

/** The verdict on one URL, for people. */
export interface VerdictText {
  readonly verdict: VerdictCode;
  /**
   * The verdict alone, such as `"Listed"` or `"Not listed"`. It is `"Probably listed"` when the match may be a
   * coincidence (see `isDoubtful`).
   */
  readonly title: string;
  readonly detail: string;
  /**
   * Sentences about the limits of the verdict: the odds, the readings, the coverage of entries, lists of safe sites,
   * and empty lists.
   */
  readonly notes: readonly string[];
  /** The note that says that only hash prefixes match, and what that means; `null` if there is none. */
  readonly prefixNote: string | null;
  /**
   * Whether the verdict is certain. It is uncertain if a match may be a coincidence, if a URL is not listed but a list
   * is empty, or if the host cannot be decided.
   */
  readonly isCertain: boolean;
}

/** Puts a verdict into words. Expressions and list names may need `printable` before the text is shown. */
export function verdictText(explained: UrlExplanation | Refusal): VerdictText {
  const verdict = verdictOf(explained);
  if ("error" in explained) {
    if (explained.error.code === "host-undecided") return UNDECIDED;
    if (explained.error.code === "host-invalid") return IMPOSSIBLE;
    if (explained.error.code === "url-unclear") return UNCLEAR;
    const detail = "Nothing was hashed or looked up.";
    return { ...NO_NOTES, verdict, title: titleOf(verdict), detail, isCertain: true };
  }
  const isDoubted = verdict === "listed" && isProbable(explained);
  const prefixNote = prefixNoteOf(explained);
  return {
    verdict,
    title: isDoubted ? "Probably listed" : titleOf(verdict),
    detail: detailOf(explained),
    notes: [...(prefixNote === null ? [] : [prefixNote]), ...notesOf(explained)],
    prefixNote,
    isCertain: !isDoubted && (verdict === "listed" || !explained.lists.some(isEmpty)),
  };
}

/** The reason why there is no verdict on a host that cannot be decided, and advice. */
export const UNDECIDED_HOST = {
  reason:
    "The host is not in UTF-8, or has characters that Unicode does not define yet or defined only recently.",
  advice: "Browsers may open it, so do not treat it as safe.",
} as const;

const NO_NOTES = { notes: [], prefixNote: null };

const UNDECIDED: VerdictText = Object.freeze({
  ...NO_NOTES,
  verdict: "not-a-url",
  title: "No verdict",
  detail: `${UNDECIDED_HOST.reason} ${UNDECIDED_HOST.advice}`,
  isCertain: false,
});

const IMPOSSIBLE: VerdictText = Object.freeze({
  ...NO_NOTES,
  verdict: "not-a-url",
  title: "Not a URL",
  detail:
    "No site can have this host. The text was probably copied with a character too many, so do not treat it as safe.",
  isCertain: true,
});

const UNCLEAR: VerdictText = Object.freeze({
  ...IMPOSSIBLE,
  detail:
    "This is not clearly one URL: it may be several, defanged or a hash, or have other text around it, so do not treat it as safe.",
});

function titleOf(verdict: VerdictCode): string {
  const label = VERDICT_LABELS[verdict];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function onlyPrefixes(matches: readonly MatchRecord[]): boolean {
  return matches.length > 0 && !matches.some(hasFullHash);
}

function isConfirmed({ confirmed }: MatchRecord): boolean {
  return confirmed;
}

function isEmpty({ size }: { readonly size: number }): boolean {
  return size === 0;
}

function detailOf({ expressions, lists, listed, matches }: UrlExplanation): string {
  if (listed === null) return "The URL was not looked up.";
  const total = expressions.length;
  if (listed) {
    const found = new Set(matches.map(({ expression }) => expression)).size;
    const on = listInWords(new Set(matches.map(({ list }) => list)));
    if (total === 1) return `Its one expression is on ${on}.`;
    return `${found} of ${total} expressions ${found === 1 ? "is" : "are"} on ${on}.`;
  }
  const none = total === 1 ? "Its one expression is not" : `None of its ${total} expressions is`;
  const on = lists.map(({ name, size }) => `${name} (${counted(size, "prefix", "prefixes")})`);
  return `${none} on ${listInWords(on, "disjunction")}.`;
}

/** The maximum number of entries that are named one by one. */
const MOST_COVERAGES = 3;

function prefixNoteOf(explained: UrlExplanation): string | null {
  if (!onlyPrefixes(explained.matches)) return null;
  const odds = `not a full hash: with ${theseLists(explained.lists)}, ${oddsOfUrl(explained)}`;
  const but = explained.matches.some(isConfirmed) ? "but its length confirms the match" : odds;
  return `Only a hash prefix matches, ${but}.`;
}

function notesOf(explained: UrlExplanation): readonly string[] {
  const { matches, lists, listed, safeMatches } = explained;
  const notes: string[] = [];
  const readingNote = readingNoteOf(explained);
  if (readingNote !== null) notes.push(readingNote);
  const covers = new Map(matches.map((match) => [match.expression, match.covers]));
  for (const [expression, coverage] of [...covers].slice(0, MOST_COVERAGES)) {
    notes.push(coverageText(expression, coverage));
  }
  if (safeMatches.length > 0) {
    const on = listInWords(new Set(safeMatches.map(({ list }) => list)));
    const also = listed === true ? "also " : "";
    notes.push(`The URL is ${also}listed as safe on ${on}.`);
  }
  for (const { name } of lists.filter(isEmpty)) {
    notes.push(`The list ${name} is empty, so no URL can be on it.`);
  }
  return notes;
}

/** Links that phones with Android open, in an app or in the browser. */
export const APP_LINK: RegExp = /^\s*(?:intent|android-app):/i;

/** Says that browsers do not open the text, or that only one of the readings is listed; otherwise `null`. */
function readingNoteOf(explained: UrlExplanation): string | null {
  const { canonical, matches, opened, refused, browser } = explained;
  if (opened === false) {
    const isApp = APP_LINK.test(canonical);
    return isApp ? "Only phones with Android open this link." : "Browsers do not open this link.";
  }
  const readings = new Set(matches.map(({ reading }) => reading));
  if (matches.length === 0 || readings.has("both") || readings.size > 1) return null;
  if (!readings.has("browser")) {
    return browser === null
      ? "Only the specification reads the URL in this way."
      : "Browsers open another URL, which is not listed.";
  }
  return refused === null
    ? "Browsers open a listed URL. The specification reads another one, which is not listed."
    : "The specification does not accept it as a URL, but browsers open it.";
}

/**
 * Says which entry would list a URL, or which entries must be removed to take it off the lists; `null` for an input
 * that is not a URL. Expressions and list names may need `printable` before the text is shown.
 */
export function changeText(explained: UrlExplanation | Refusal): string | null {
  if ("error" in explained) return null;
  const { expressions, host, matches, chanceOfFalseMatch } = explained;
  if (matches.length === 0) {
    const exact = expressions[0]!.expression;
    const whole = `${host}/`;
    const orWhole = exact === whole ? "" : `, or ${whole} for the whole host`;
    return `To list it, add the entry ${exact}${orWhole}.`;
  }
  const removals = new Set(matches.map(({ expression, list }) => `${expression} from ${list}`));
  const all = [...removals];
  const more = all.length > MOST_COVERAGES ? [`${all.length - MOST_COVERAGES} more`] : [];
  const remove = listInWords([...all.slice(0, MOST_COVERAGES), ...more]);
  const isSure = matches.every(isConfirmed) || !isDoubtful(chanceOfFalseMatch);
  const unless = isSure
    ? ""
    : " Another entry may have the same hash prefix: then the lists need longer prefixes.";
  return `To take it off, remove ${remove}.${unless}`;
}

/** Smaller chances are not given as exact numbers, which would mean nothing to people. */
const LEAST_TOLD = 1e-9;

/** Says in words how likely it is that a harmless URL is listed by chance. */
export function oddsText(chance: number): string {
  if (chance === 0) return "no harmless URL is listed by chance";
  if (chance < LEAST_TOLD) return "fewer than 1 harmless URL in a billion is listed by chance";
  const one = Math.round(1 / chance);
  if (one < 2) return "most harmless URLs are listed by chance";
  return `about 1 harmless URL in ${one.toLocaleString("en")} is listed by chance`;
}

/**
 * The odds, in words, for harmless URLs with the same number of expressions. The more expressions a URL has, the
 * likelier a chance match is.
 */
export function oddsOfUrl({
  expressions,
  chanceOfFalseMatch,
}: Pick<UrlExplanation, "expressions" | "chanceOfFalseMatch">): string {
  const like = counted(expressions.length, "expression", "expressions");
  return `${oddsText(chanceOfFalseMatch ?? 0)} (for URLs with ${like})`;
}

/**
 * Whether a match of a hash prefix must be called probable: at least one harmless URL in a million matches by chance.
 */
export function isDoubtful(chance: number | null): boolean {
  return chance !== null && chance >= DOUBTFUL_CHANCE;
}

export function isProbable({
  matches,
  chanceOfFalseMatch,
}: Pick<UrlExplanation, "matches" | "chanceOfFalseMatch">): boolean {
  return isDoubtful(chanceOfFalseMatch) && !matches.some(isConfirmed);
}

/** Whether a match with a long prefix is certain, although other lists have short ones. */
export function isCertainByLength(
  explained: Pick<UrlExplanation, "matches" | "chanceOfFalseMatch">,
): boolean {
  return isDoubtful(explained.chanceOfFalseMatch) && !isProbable(explained);
}

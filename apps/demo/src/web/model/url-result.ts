import { readUrl } from "@x/canon/readings";
import { explainUrl, foreignRefusal, type Refusal, type UrlExplanation } from "@x/explain";
import type { InnerUrl } from "@x/links/unwrap";
import type { PrefixList } from "@x/prefix-list";

/** The result for the typed text. */
export interface UrlResult {
  readonly input: string;
  /** `null` when no URL is typed, or it cannot be read before all modules are loaded. */
  readonly explained: UrlExplanation | Refusal | null;
  /** The kind of text that an unlisted input looks like instead of a URL, in words; `null` for other inputs. */
  readonly looksLike: string | null;
  /** The URL that a defanged text stands for; `null` for any other text. */
  readonly meant: string | null;
  /** The explanation of the URL in `meant`; `null` if there is no such URL, or if the text itself is explained. */
  readonly restored: UrlExplanation | Refusal | null;
  /** The most important URL inside the text, if the text is a wrapped link or has a listed URL inside. */
  readonly inner: InnerResult | null;
  /** The only service that knows where the link leads; `null` for any other link. */
  readonly closedBy: string | null;
  /** Whether nothing is listed, but some URLs inside may not have been looked up. */
  readonly mayHaveMore: boolean;
  /** Whether the result is final. If not, lists or code are still loading, and the URL may be listed. */
  readonly isComplete: boolean;
}

/** A URL inside another one. */
export interface InnerResult {
  /** The URL as `unwrapLink` found it. */
  readonly found: InnerUrl;
  readonly explained: UrlExplanation | Refusal;
}

/** The functions that recognize other texts and unwrap URLs. The page loads them after the first answer. */
type Recognition = Pick<typeof import("@x/list-source"), "foreignLine" | "refang"> &
  Pick<typeof import("@x/links/unwrap"), "unwrapLink">;

/** The start of links that lead to no site. Inside such a link, only a listed URL matters. */
export const OTHER_SCHEME: RegExp =
  /^\s*(?:javascript|vbscript|data|blob|mailto|tel|sms|smsto|wifi|bitcoin):/i;

interface ListsInUse {
  readonly lists: readonly PrefixList[];
  readonly safeLists: readonly PrefixList[];
}

/** Whether a URL can be read before all modules are loaded: other hosts need a table that comes later. */
function isReadable(input: string): boolean {
  try {
    readUrl(input);
    return true;
  } catch {
    return false;
  }
}

/**
 * Gives the same result as the command: a text that looks like something else is refused, unless it is listed.
 *
 * @param inUse `null` while the lists are loading.
 * @param recognition `null` while it is loading. Then only the answer that a URL is listed is complete.
 */
export function urlResult(
  input: string,
  inUse: ListsInUse | null,
  recognition: Recognition | null,
): UrlResult {
  const nothing = {
    input,
    looksLike: null,
    meant: null,
    restored: null,
    inner: null,
    closedBy: null,
    mayHaveMore: false,
    isComplete: true,
  };
  if (input.trim() === "") return { ...nothing, explained: null };
  const { lists = [], safeLists = [] } = inUse ?? {};
  const explain = (url: string) => explainUrl(url, lists, { safeLists });
  if (recognition === null && !isReadable(input)) {
    return { ...nothing, explained: null, isComplete: false };
  }
  const explained = explain(input);
  const isListed = "listed" in explained && explained.listed === true;
  if (recognition === null) {
    if (isListed) return { ...nothing, explained };
    const withoutLists = explainUrl(input, []);
    return { ...nothing, explained: withoutLists, isComplete: false };
  }
  const { foreignLine } = recognition;
  const meant = meantBy(input, recognition);
  // While the lists are loading, no text is refused because it looks like something else: it may turn out to be listed.
  const isUrl = isListed || inUse === null || OTHER_SCHEME.test(input);
  const recognized = isUrl ? null : foreignLine(input);
  if (recognized === null) {
    const inside = isListed ? null : insideOf(input, recognition, explain);
    return { ...nothing, explained, meant, ...inside, isComplete: inUse !== null };
  }
  const refusal = foreignRefusal(input, recognized, "a URL");
  const result = { ...nothing, explained: refusal, looksLike: recognized.found };
  const restored = meant === null ? null : explain(meant);
  // “hxxp://” alone does not stand for a URL. A text whose host cannot be decided may still be a URL.
  const isRestored =
    restored !== null && (!("error" in restored) || restored.error.code === "host-undecided");
  return isRestored ? { ...result, meant, restored } : result;
}

/** The first listed URL inside; if there is none, the innermost one that is not a guess. */
function insideOf(
  input: string,
  { unwrapLink }: Recognition,
  explain: (url: string) => UrlExplanation | Refusal,
): Pick<UrlResult, "inner" | "closedBy" | "mayHaveMore"> {
  const { found, closed, limits } = unwrapLink(input);
  const inside = found.map((one) => ({ ...one, explained: explain(one.url) }));
  const listed = inside.find(({ explained }) => "listed" in explained && explained.listed === true);
  const leadsToSite = !OTHER_SCHEME.test(input);
  const certain = inside.findLast(({ certainty }) => certainty !== "guess");
  const chosen = listed ?? (leadsToSite ? certain : undefined);
  const inner = chosen === undefined ? null : { found: chosen, explained: chosen.explained };
  const closedBy = inner === null ? (closed[0]?.wrapper ?? null) : null;
  return { inner, closedBy, mayHaveMore: listed === undefined && limits.length > 0 };
}

function meantBy(input: string, { foreignLine, refang }: Recognition): string | null {
  const meant = refang(input);
  return meant === input || foreignLine(meant) !== null ? null : meant;
}

import {
  type ExplainUrlOptions,
  explainUrl,
  innerRecord,
  type MatchRecord,
  matchText,
  type UrlExplanation,
} from "@x/explain";
import { type UnwrappedLink, unwrapLink } from "@x/links/unwrap";
import type { InnerUrl } from "@x/lookup";
import { mayHaveMore, mustBeUrl } from "@x/lookup/inside";
import type { PrefixList } from "@x/prefix-list";

/** A URL inside the explained one. */
interface ExplainedInside extends InnerUrl {
  readonly listed: boolean | null;
  readonly matches: readonly MatchRecord[];
}

/** The URLs inside a URL, with their verdicts. */
export interface Inside {
  readonly urls: readonly ExplainedInside[];
  /** Notes for people about the URLs that were not opened. */
  readonly notes: readonly string[];
  /** The reason why the URL cannot count as "not listed"; `null` if it can. */
  readonly unsure: Unsure | null;
}

/** The reason why a URL has no verdict, as a code for programs and a sentence for people. */
export interface Unsure {
  readonly reason: string;
  readonly words: string;
}

export const NOTHING_INSIDE: Inside = { urls: [], notes: [], unsure: null };

export function isListed({ urls }: Inside): boolean {
  return urls.some(({ listed }) => listed === true);
}

const LIMITS = {
  depth: "URLs are nested or escaped more often than they were opened",
  urls: "there are more URLs than were opened",
  length: "the URL is too long to be opened",
};

export function insideOf(
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

/** Describes the matches of the URLs inside a URL. */
export function matchesInside({ urls }: Inside, chance: number): string[] {
  return urls.flatMap((inner) => {
    return inner.matches.map((match) => matchText({ ...match, inner }, chance));
  });
}

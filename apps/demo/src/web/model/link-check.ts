import type { Disguise } from "@x/explain";
import { type Misleading, misleadingText } from "@x/explain/misleading-text";
import { type FoundLink, leadsToSite } from "@x/links";
import { chanceOfFalseMatch, checker } from "@x/lookup";
import type { Check, CheckLists } from "./line-check.ts";
import type { LinksIn } from "./links-by-format.ts";
import { type Judged, judge } from "./row-verdict.ts";
import { IMITATIONS, SITES } from "./sites.ts";
import { NO_COUNTS, ROW_VERDICTS, type RowVerdict } from "./verdicts.ts";

export { hasHiddenLinks, linksIn } from "./links-by-format.ts";

/** A link as a message shows it. */
export interface ShownLink {
  readonly text: string;
  readonly url: string;
  /** The visible text of the link, if it names a host other than that of the link. */
  readonly shown: string | null;
  /** The host that the text shows and the host that the link opens, if no wrapper explains the difference. */
  readonly misleads: Misleading | null;
}

/** The verdicts on links that are neither listed nor disguised. */
const CALM: ReadonlySet<RowVerdict> = new Set(["not-listed", "cannot-tell"]);

/** Checks the links of a message, each once. The links, in the order of the rows, are in `links`. */
export function linkCheck(
  found: LinksIn,
  { lists, safeLists }: CheckLists,
): Check & { readonly links: readonly ShownLink[]; readonly mayBeNewsletter: boolean } {
  const { checkMany } = checker(lists, { safeLists });
  const judged = judge({ checkMany });
  const encoder = new TextEncoder();
  const counts: Record<RowVerdict, number> = { ...NO_COUNTS };
  let mayBeNewsletter = true;
  const rows = differentLinks(found.links).map(({ text, url, ...link }) => {
    const { shown, misleads } = misleadingText(link.shown, url, SITES);
    const input = encoder.encode(url);
    const [look] = checkMany([input]);
    const own = judged(input, look!);
    const { verdict, toRecord } = withMisleading(own, misleads);
    // Newsletters do not forge hosts, or show the names of well-known sites.
    mayBeNewsletter &&=
      own.verdict !== "disguised" && !(misleads && IMITATIONS.isWellKnown(misleads.shows));
    counts[verdict]++;
    const rank = 2 * ROW_VERDICTS.indexOf(verdict) + (shown === null ? 1 : 0);
    return { link: { text, url, shown, misleads }, verdict, toRecord, rank };
  });
  rows.sort((a, b) => a.rank - b.rank);
  return {
    counts,
    mayBeNewsletter,
    chance: chanceOfFalseMatch(lists),
    links: rows.map(({ link }) => link),
    total: 1,
    done: () => 1,
    size: () => rows.length,
    checkNext: () => false,
    verdictAt: (index) => rows[index]!.verdict,
    rowAt: (index) => ({ line: index + 1, ...rows[index]!.toRecord() }),
  };
}

/** The links to sites, each once. Of links with the same URL, one whose text shows another host is kept. */
function differentLinks(links: readonly FoundLink[]): readonly FoundLink[] {
  const different = new Map<string, FoundLink>();
  for (const link of links) {
    const known = different.get(link.url);
    const isBetter = known === undefined || (known.shown === null && link.shown !== null);
    if (isBetter && leadsToSite(link.url)) different.set(link.url, link);
  }
  return [...different.values()];
}

/** Calls a link disguised if its text shows another host and it is on no list. */
function withMisleading(judged: Judged, misleads: Misleading | null): Judged {
  const { verdict, toRecord } = judged;
  if (misleads === null || !(CALM.has(verdict) || verdict === "disguised")) return judged;
  const record = toRecord();
  if ("error" in record || "safeMatches" in record) return judged;
  const { shows, message } = misleads;
  const shown: Disguise = { code: "other-host", resembles: shows, message };
  const disguises = [shown, ...(record.disguises ?? [])];
  return { verdict: "disguised", toRecord: () => ({ ...record, disguises }) };
}

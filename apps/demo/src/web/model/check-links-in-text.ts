import { readUrl } from "@x/canon/readings";
import type { Disguise } from "@x/explain";
import { shortHost } from "@x/explain";
import { type FoundLink, findLinks, leadsToSite } from "@x/links";
import { unwrapLink } from "@x/links/unwrap";
import { chanceOfFalseMatch, checker } from "@x/lookup";
import type { BulkLists } from "./bulk/bulk-check.ts";
import { linkBehindWords, linksIn } from "./links-by-format.ts";
import { type JudgedUrl, ROW_VERDICTS, type RowVerdict } from "./row.ts";
import { type Judged, judge } from "./row-verdict.ts";
import { type ShownOfMany, showFirst } from "./shown-of-many.ts";

/** A text or a file in which links are searched, and the lists that they are looked up in. */
export interface LinksAsked extends BulkLists {
  readonly source: Blob;
}

/** The host that the text of a link shows and the one that the link opens. */
interface Misleading {
  readonly shows: string;
  readonly opens: string;
}

/** A link, and the verdict on it. */
export interface JudgedLink {
  /** The link as it is written. */
  readonly text: string;
  readonly url: string;
  /** The visible text of the link, if it names a host other than that of the link. */
  readonly shown: string | null;
  /** The host that the text shows and the host that the link opens, if no wrapper explains the difference. */
  readonly misleads: Misleading | null;
  /** Whether the link is not listed, but leads to a place that only a service knows. */
  readonly hidesGoal: boolean;
  readonly verdict: RowVerdict;
  readonly record: JudgedUrl;
}

/** The links in a text, each once, the worst first. */
export interface LinksFound {
  readonly links: ShownOfMany<JudgedLink>;
  readonly counts: Readonly<Record<RowVerdict, number>>;
  /** The share of harmless URLs that are listed by chance. */
  readonly chance: number;
  /** Names of the parts of a mail that were not searched. */
  readonly unread: readonly string[];
  /** Whether the structure of a mail is broken, so that links may be missing. */
  readonly isBroken: boolean;
  /** Whether the source is a binary file, such as a picture, so that links are probably missing. */
  readonly isBinary: boolean;
  /** Whether the source is a mail or HTML, and so not a list of sites. */
  readonly isMessage: boolean;
}

const MOST_SHOWN = 100;

/** Whether a wrapped link leads to the host that its text shows. */
function leadsToShown(shown: string, url: string): boolean {
  return unwrapLink(url).found.some(
    (inner) =>
      inner.certainty !== "guess" &&
      linkBehindWords({ words: shown, url: inner.url }).some((link) => link.shown === null),
  );
}

/** The hosts that a misleading link shows and opens; `null` if a wrapper hides where the link leads. */
function misleading(shown: string, url: string): Misleading | null {
  const { found, closed } = unwrapLink(url);
  if (closed.length > 0) return null;
  const inside = found.filter(({ certainty }) => certainty !== "guess");
  const opens = hostOf(inside.at(-1)?.url ?? url);
  if (opens === null) return null;
  const hosts = findLinks(shown).map((link) => hostOf(link.url));
  return { shows: hosts.find((host) => host !== null && host !== opens) ?? shown, opens };
}

function hostOf(url: string): string | null {
  const { specification, browser } = readUrl(url);
  return (browser ?? specification)?.host ?? null;
}

/** Calls a link disguised if its text shows another host and it is on no list. */
function withMisleading(judged: Judged, misleads: Misleading | null): Judged {
  const { verdict, toRecord } = judged;
  if (misleads === null || (verdict !== "not-listed" && verdict !== "disguised")) return judged;
  const record = toRecord();
  if ("safeMatches" in record) return judged;
  const { shows, opens } = misleads;
  const message = `The text shows ${shortHost(shows)}, but the link opens ${shortHost(opens)}.`;
  const shown: Disguise = { code: "other-host", resembles: shows, message };
  const disguises = [shown, ...(record.disguises ?? [])];
  return { verdict: "disguised", toRecord: () => ({ ...record, disguises }) };
}

/** Finds the links in a text, each once, and looks them up. */
export async function checkLinksInText({
  source,
  lists,
  safeLists,
}: LinksAsked): Promise<LinksFound> {
  const found = await linksIn(new Uint8Array(await source.arrayBuffer()));
  const different = new Map<string, FoundLink>();
  for (const link of found.links) {
    const known = different.get(link.url);
    // Of links with the same URL, keep one whose text shows another host.
    if (known === undefined || (known.shown === null && link.shown !== null)) {
      if (leadsToSite(link.url)) different.set(link.url, link);
    }
  }
  const { checkMany } = checker(lists, { safeLists });
  const judged = judge({ checkMany });
  const encoder = new TextEncoder();
  const counts = { listed: 0, disguised: 0, "not-listed": 0, "not-a-url": 0 };
  const links = [...different.values()].flatMap(({ text, url, ...link }) => {
    const shown = link.shown !== null && leadsToShown(link.shown, url) ? null : link.shown;
    const input = encoder.encode(url);
    const [look] = checkMany([input]);
    const misleads = shown === null ? null : misleading(shown, url);
    const { verdict, toRecord } = withMisleading(judged(input, look!), misleads);
    // A harmless URL that is only in the words of another link would falsely reassure people.
    if (verdict === "not-listed" && found.onlyWords.has(url)) return [];
    counts[verdict]++;
    const rank = 2 * ROW_VERDICTS.indexOf(verdict) + (shown === null ? 1 : 0);
    const hidesGoal = verdict === "not-listed" && unwrapLink(url).closed.length > 0;
    return [{ text, url, shown, misleads, hidesGoal, verdict, toRecord, rank }];
  });
  links.sort((a, b) => a.rank - b.rank);
  const { shown, total } = showFirst(links, MOST_SHOWN);
  return {
    links: {
      shown: shown.map(({ toRecord, rank: _, ...link }) => ({ ...link, record: toRecord() })),
      total,
    },
    counts,
    chance: chanceOfFalseMatch(lists),
    unread: found.unread,
    isBroken: found.isBroken,
    isBinary: found.isBinary && source instanceof File,
    isMessage: found.isMessage,
  };
}

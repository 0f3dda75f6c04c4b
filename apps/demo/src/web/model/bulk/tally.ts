import { tryParseUrl } from "@x/canon";
import type { Row } from "../row.ts";

/** A listed expression or a host, and the number of its hits. */
export interface Hits {
  /** An expression or a host. */
  readonly name: string;
  /** For an expression, the name of the list. */
  readonly list: string | null;
  readonly count: number;
}

/** The names with the most hits, and the number of all hits. */
export interface MostHits {
  readonly most: readonly Hits[];
  readonly total: number;
}

/** Names beyond this number are counted only in the total, so that memory stays bounded. */
const MOST_NAMES = 10_000;
const MOST_SHOWN = 8;

function counter() {
  const hits = new Map<string, { name: string; list: string | null; count: number }>();
  let total = 0;
  return {
    add(key: string, name: string, list: string | null): void {
      total++;
      const known = hits.get(key);
      if (known !== undefined) known.count++;
      else if (hits.size < MOST_NAMES) hits.set(key, { name, list, count: 1 });
    },
    most(): MostHits {
      const all = [...hits.values()].sort((a, b) => b.count - a.count);
      return { most: all.slice(0, MOST_SHOWN).map((one) => ({ ...one })), total };
    },
  };
}

/** The host of a listed URL in the reading that is listed, or the host of the listed URL inside it. */
export function hostOf(row: Row): string | null {
  if ("error" in row) return null;
  const inner = row.matches[0]?.inner;
  if (inner !== undefined) return tryParseUrl(inner.url)?.host ?? null;
  const isForBrowsers = row.matches.every(({ reading }) => reading === "browser");
  const url = isForBrowsers ? (row.browser ?? row.canonical) : row.canonical;
  return url?.split("/", 3)[2] ?? null;
}

/** Counts hits by entry and by host. */
export function tally() {
  const entries = counter();
  const hosts = counter();
  return {
    add(row: Row): void {
      if ("error" in row) return;
      for (const { expression, list, checksum } of row.matches) {
        entries.add(`${checksum} ${expression}`, expression, list);
      }
      const host = hostOf(row);
      if (host !== null) hosts.add(host, host, null);
    },
    entries: entries.most,
    hosts: hosts.most,
  };
}

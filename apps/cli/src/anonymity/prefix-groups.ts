import { type KeyTable, keyTable } from "./key-table.ts";

/** A range for the number of URLs or hosts that share a prefix. `to` is `null` when there is no upper limit. */
export interface GroupSize {
  readonly from: number;
  readonly to: number | null;
}

const SIZES: readonly GroupSize[] = [
  { from: 1, to: 1 },
  { from: 2, to: 2 },
  { from: 3, to: 5 },
  { from: 6, to: 10 },
  { from: 11, to: 100 },
  { from: 101, to: 1000 },
  { from: 1001, to: null },
];

/** The counts for groups of one size. */
export interface GroupCounts extends GroupSize {
  /** The number of prefixes that this many URLs share. */
  readonly prefixesByUrls: number;
  /** The number of prefixes that are shared by URLs on this many hosts. */
  readonly prefixesByHosts: number;
  /** The number of URLs whose rarest prefix is shared by this many URLs, including themselves. */
  readonly urls: number;
}

/** The counts for one set of URLs, which show how many URLs share each prefix. */
export interface AnonymityCounts {
  /** The numbers of distinct URLs and of their distinct hosts. */
  readonly urls: number;
  readonly hosts: number;
  /** The number of URLs for which clients would send prefixes. */
  readonly sending: number;
  /** The numbers of distinct prefixes that clients would send, and of the distinct expressions behind them. */
  readonly expressions: number;
  readonly prefixes: number;
  readonly groups: readonly GroupCounts[];
}

export interface PrefixGroups {
  /** Adds a URL to the counts.
   *
   * @param exact the full hash of its exact expression.
   * @param host the full hash of the expression of its host.
   * @param sent the full hashes whose prefixes clients would send.
   */
  add(exact: Uint8Array, host: Uint8Array, sent: readonly Uint8Array[]): void;
  counts(): AnonymityCounts;
}

/** Reads `bytes` bytes of a hash from `start` as a big-endian number; 0 if `bytes` is 0. */
function numberIn(hash: Uint8Array, start: number, bytes: number): number {
  let number = 0;
  for (let i = start; i < start + bytes; i++) number = number * 256 + hash[i]!;
  return number;
}

/** The number that a table assigns to the first eight bytes of a hash. */
const numberOf = (table: KeyTable, hash: Uint8Array) =>
  table.numberOf(numberIn(hash, 0, 4), numberIn(hash, 4, 4));

/** Counts how many URLs and hosts share each prefix. */
interface SharedPrefixes {
  readonly urlCounts: readonly number[];
  readonly hostCounts: readonly number[];
  /** Returns the numbers of distinct expressions and of distinct prefixes. */
  sizes(): Pick<AnonymityCounts, "expressions" | "prefixes">;
  /** Adds the prefixes that clients would send for one URL. Returns the numbers of these prefixes. */
  add(sent: readonly Uint8Array[], host: number): ReadonlySet<number>;
}

function sharedPrefixes(prefixBytes: number): SharedPrefixes {
  const expressions = keyTable();
  const prefixes = keyTable();
  const hostsOfPrefixes = keyTable();
  const urlCounts: number[] = [];
  const hostCounts: number[] = [];

  function addPrefix(hash: Uint8Array, host: number): number {
    numberOf(expressions, hash);
    const before = prefixes.size();
    const prefix = prefixes.numberOf(numberIn(hash, 0, 4), numberIn(hash, 4, prefixBytes - 4));
    if (prefix === before) {
      urlCounts.push(0);
      hostCounts.push(0);
    }
    const pairs = hostsOfPrefixes.size();
    if (hostsOfPrefixes.numberOf(prefix, host) === pairs) hostCounts[prefix]! += 1;
    return prefix;
  }

  return {
    urlCounts,
    hostCounts,
    sizes: () => ({ expressions: expressions.size(), prefixes: prefixes.size() }),
    add(sent, host) {
      const own = new Set(sent.map((hash) => addPrefix(hash, host)));
      for (const prefix of own) urlCounts[prefix]! += 1;
      return own;
    },
  };
}

/** Counts URLs by the prefixes of their hashes. @param prefixBytes 4 to 8. */
export function prefixGroups(prefixBytes: number): PrefixGroups {
  const urls = keyTable();
  const hosts = keyTable();
  const shared = sharedPrefixes(prefixBytes);
  /** For each URL with prefixes to send, the count of these prefixes, followed by their numbers. */
  const sentByUrls: number[] = [];
  let sending = 0;

  return {
    add(exact, host, sent) {
      const before = urls.size();
      if (numberOf(urls, exact) !== before) return;
      const own = shared.add(sent, numberOf(hosts, host));
      if (own.size === 0) return;
      sending++;
      sentByUrls.push(own.size, ...own);
    },
    counts() {
      const { urlCounts, hostCounts } = shared;
      const rarest = rarestOf(sentByUrls, urlCounts);
      const [byUrls, byHosts, ofUrls] = [urlCounts, hostCounts, rarest].map(countSizes);
      return {
        urls: urls.size(),
        hosts: hosts.size(),
        sending,
        ...shared.sizes(),
        groups: SIZES.map((size, i) => ({
          ...size,
          prefixesByUrls: byUrls![i]!,
          prefixesByHosts: byHosts![i]!,
          urls: ofUrls![i]!,
        })),
      };
    },
  };
}

/** For each URL with prefixes to send, the number of URLs that share its rarest prefix. */
function rarestOf(sentByUrls: readonly number[], counts: readonly number[]): number[] {
  const rarest: number[] = [];
  for (let i = 0; i < sentByUrls.length; ) {
    const end = i + 1 + sentByUrls[i]!;
    let least = Number.POSITIVE_INFINITY;
    for (i++; i < end; i++) least = Math.min(least, counts[sentByUrls[i]!]!);
    rarest.push(least);
  }
  return rarest;
}

function countSizes(counts: readonly number[]): number[] {
  const found = SIZES.map(() => 0);
  for (const count of counts) {
    found[SIZES.findIndex(({ to }) => to === null || count <= to)]! += 1;
  }
  return found;
}

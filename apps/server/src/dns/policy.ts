import type { CanonError } from "@x/canon";
import { type Checker, checker, type Match } from "@x/lookup";
import { type PrefixList, prefixList } from "@x/prefix-list";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Decision, DnsLists } from "./lists.ts";

export interface PolicyOptions {
  /** The full hashes of entries for hosts that are never blocked. */
  readonly allow: readonly Uint8Array[];
  /** The full hashes of entries for hosts that are blocked in addition to those on the lists. */
  readonly block: readonly Uint8Array[];
  readonly lists: DnsLists;
}

/** Decides which hosts are blocked. */
export interface Policy {
  /** Decides at once, unless a server has to be asked. `null` is the name of no host, and is forwarded. */
  decide(host: string | null): Decision | Promise<Decision>;
}

/** The name under which hosts in the operator's own files are counted and shown. */
export const OWN_LIST = "block";

export const FORWARD: Decision = Object.freeze({ kind: "forward" });
const ALLOWED: Decision = Object.freeze({ kind: "forward", isAllowed: true });

export function createPolicy({ allow, block, lists }: PolicyOptions): Policy {
  const allowed = hostMatcher(allow);
  const blocked = hostMatcher(block);
  return {
    decide(host) {
      if (host === null) return FORWARD;
      if (allowed(host) !== null) return ALLOWED;
      const match = blocked(host);
      if (match !== null) return { kind: "block", list: OWN_LIST, entry: match.expression };
      return lists.decide(host);
    },
  };
}

/** Returns a function that finds the first entry for a host or for a host above it. */
function hostMatcher(hashes: readonly Uint8Array[]): (host: string) => Match | null {
  if (hashes.length === 0) return () => null;
  const { checkHost }: Checker = checker(listOf(hashes));
  return (host) => {
    try {
      return checkHost(host)[0] ?? null;
    } catch (error) {
      // A name that no URL can have is on no list.
      if (hasName<CanonError>(error, "CanonError")) return null;
      throw error;
    }
  };
}

const listOf = (hashes: readonly Uint8Array[]): PrefixList =>
  prefixList(hashes, { name: OWN_LIST, created: 0 });

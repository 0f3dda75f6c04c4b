import type { HostNames } from "@x/list-store/host-names";

/** Host names, given as expressions. */
export function namesOf(expressions: Iterable<string>): HostNames {
  return {
    hosts: Array.from(expressions, (each) => ({ host: each.slice(0, -1), isBelow: true })),
    publicSuffixes: 0,
    unnamed: { covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: 0 },
  };
}

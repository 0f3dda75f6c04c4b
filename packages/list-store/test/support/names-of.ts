import type { HostNames } from "@x/list-store/host-names";

/** The host names of expressions that consist of a host and a slash. */
export function namesOf(expressions: Iterable<string>): HostNames {
  return {
    hosts: Array.from(expressions, (each) => ({ host: each.slice(0, -1), isBelow: true })),
    publicSuffixes: 0,
    unnamed: { covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: 0 },
  };
}

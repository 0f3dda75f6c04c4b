import { encodeHosts, type HostNames } from "@x/list-store/host-names";

/** The names of hosts in one shard, given as expressions. */
export function namesOf(expressions: readonly string[]): HostNames {
  const hosts = expressions.map((expression) => expression.slice(0, -1)).sort();
  return {
    parts: [encodeHosts(hosts.map((host) => ({ host, isBelow: true })))],
    below: { hosts: hosts.length, bytes: hosts.join("").length },
    alone: { hosts: 0, bytes: 0 },
    publicSuffixes: 0,
    unnamed: { covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: 0 },
  };
}

import { tryParseUrl } from "@x/canon";
import { coverage } from "@x/expressions";
import { isZoneName } from "@x/interop";
import type { HostNames, NamedHost, UnnamedCounts } from "@x/list-store/host-names";
import { fullHash } from "@x/sha256-prefix";

/** Gathers the host names among the entries of a list, and counts the entries that have none. */
export interface NameGatherer {
  /** Adds an entry. `expression` is `null` if the source of the entry gives only the hash. */
  add(expression: string | null, hash: Uint8Array): void;
  /** Removes an entry that will not be published. */
  leaveOut(expression: string): void;
  names(): HostNames;
}

const isAddress = (host: string) =>
  /[\]\d]$/.test(host) && tryParseUrl(`http://${host}/`)?.hostType !== "domain";

/** Whether an entry for a host with this number of labels covers the hosts below it. */
const coversBelow: (labels: number) => boolean = (() => {
  const known = new Map<number, boolean>();
  return (labels) => {
    let answer = known.get(labels);
    if (answer === undefined) {
      answer = coverage(`http://${Array(labels).fill("x").join(".")}/`).hostsBelow;
      known.set(labels, answer);
    }
    return answer;
  };
})();

const labelsOf = (host: string) => host.split(".").length;

/** Why an entry has no host name, or `null` if it has one. */
function whyUnnamed(expression: string): keyof UnnamedCounts | null {
  if (expression.indexOf("/") !== expression.length - 1) return "paths";
  const host = expression.slice(0, -1);
  if (isAddress(host)) return "addresses";
  return isZoneName(host) ? null : "unfit";
}

/**
 * Whether another host of the list covers this host. A covered host must not be in the zone, because the host and each
 * name between the two, even one without a record, would hide the names below it from the upper host's wildcard (RFC
 * 4592 §2.2.1).
 */
function isCovered(host: string, hosts: ReadonlySet<string>): boolean {
  let labels = labelsOf(host);
  for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) {
    if (coversBelow(--labels) && hosts.has(host.slice(dot + 1))) return true;
  }
  return false;
}

const hashOfHost = (host: string) => fullHash(`${host}/`);
const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString("latin1");

/**
 * Gathers names as plain strings. A million hosts take 91 MB and 8 to 12 s. Packed records would take 58 MB and 6 to 9
 * s, but twice as much code.
 */
export function nameGatherer(isPublicSuffix: (host: string) => boolean): NameGatherer {
  const hosts = new Set<string>();
  const unnamed = new Map<string, keyof UnnamedCounts>();
  /** The hashes of entries whose source gives only the hash. Another source may give their expressions. */
  const hashes = new Set<string>();

  function countHashes(): number {
    if (hashes.size === 0) return 0;
    for (const host of hosts) hashes.delete(keyOf(hashOfHost(host)));
    for (const expression of unnamed.keys()) hashes.delete(keyOf(fullHash(expression)));
    return hashes.size;
  }

  return {
    add(expression, hash) {
      if (expression === null) {
        hashes.add(keyOf(hash));
        return;
      }
      const reason = whyUnnamed(expression);
      if (reason === null) hosts.add(expression.slice(0, -1));
      else unnamed.set(expression, reason);
    },
    leaveOut(expression) {
      hosts.delete(expression.slice(0, -1));
      unnamed.delete(expression);
      hashes.delete(keyOf(fullHash(expression)));
    },
    names() {
      const named: NamedHost[] = [];
      const counts = { covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: countHashes() };
      let publicSuffixes = 0;
      for (const reason of unnamed.values()) counts[reason]++;
      for (const host of hosts) {
        if (isCovered(host, hosts)) {
          counts.covered++;
          continue;
        }
        if (isPublicSuffix(host)) publicSuffixes++;
        named.push({ host, isBelow: coversBelow(labelsOf(host)) });
      }
      return { hosts: named, publicSuffixes, unnamed: counts };
    },
  };
}

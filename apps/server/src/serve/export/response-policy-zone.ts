import type { Storage } from "@x/list-store";
import {
  type HostNamesIndex,
  hostsOf,
  type NamedHost,
  readHostNamesIndex,
} from "@x/list-store/host-names";
import type { OpenList } from "@x/list-store/serving";
import type { Durations } from "../answering.ts";
import type { ExportedText } from "./exported-text.ts";

/* A zone that makes a resolver answer that the hosts on a list do not exist. Names in the zone are relative. */

const ACTION = " CNAME .\n";
const BELOW = "*.";
const MAX_RETRY = 300;
const SERIALS = 2 ** 32;
/** How many hosts make up one piece of about 60 kB. */
const HOSTS = 1024;

const NO_NAMES: HostNamesIndex = {
  // The SHA-256 of the empty string.
  whole: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  base: { lines: 0, parts: [] },
  layers: [],
  below: { hosts: 0, bytes: 0 },
  alone: { hosts: 0, bytes: 0 },
  publicSuffixes: 0,
  unnamed: { covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: 0 },
};

const seconds = (milliseconds: number) => Math.max(1, Math.floor(milliseconds / 1000));

function headOf({ entry }: OpenList, names: HostNamesIndex, { wait, cache }: Durations): string {
  const { list, version, issued, expires } = entry.manifest;
  const { below, alone, publicSuffixes, unnamed } = names;
  const refresh = seconds(wait);
  const timeToLive = seconds(cache);
  const times = [refresh, Math.min(refresh, MAX_RETRY), seconds(expires - issued), timeToLive];
  return `; The list ${list}, version ${version}, as a response policy zone
;
; Hosts in this zone:
;   ${below.hosts} with all hosts below them
;   ${alone.hosts} alone: Safe Browsing clients do not block the hosts below these, either
;   ${publicSuffixes} of them are public suffixes or shared, such as github.io: this zone blocks every site below
;     these, and clients of v5 that have a public suffix list do not
; Entries that are not in this zone, which blocks whole hosts by name:
;   ${unnamed.covered} for a host below another one, whose records block it
;   ${unnamed.paths} for a part of a host
;   ${unnamed.addresses} for an IP address
;   ${unnamed.unfit} for a host that cannot be a name in a zone
;   ${unnamed.hashes} published as a hash, without a name
;
$TTL ${timeToLive}
@ IN SOA localhost. root.localhost. ${version % SERIALS} ${times.join(" ")}
@ IN NS localhost.
`;
}

function recordsOf({ host, isBelow }: NamedHost): string {
  return isBelow ? `${host}${ACTION}${BELOW}${host}${ACTION}` : host + ACTION;
}

function lengthOfRecords({ below, alone }: HostNamesIndex): number {
  const records = 2 * below.hosts + alone.hosts;
  return 2 * below.bytes + alone.bytes + below.hosts * BELOW.length + records * ACTION.length;
}

async function* records(storage: Storage, names: HostNamesIndex): AsyncGenerator<Uint8Array> {
  for await (const hosts of hostsOf(storage, names)) {
    for (let from = 0; from < hosts.length; from += HOSTS) {
      yield Buffer.from(
        hosts
          .slice(from, from + HOSTS)
          .map(recordsOf)
          .join(""),
        "latin1",
      );
    }
  }
}

/** Whether a list's zone may be public, because its publisher allows this or the list is empty, as after `withdraw`. */
export async function hasPublicNames(storage: Storage, { entry }: OpenList): Promise<boolean> {
  const { fullHashes, names } = entry.manifest.contents;
  if (names === undefined) return fullHashes === 0;
  return (await readHostNamesIndex(storage, names)).isPublic ?? false;
}

/** The response policy zone of a list; `null` if the list has entries but its publisher did not keep the host names. */
export async function responsePolicyZone(
  storage: Storage,
  loaded: OpenList,
  durations: Durations,
): Promise<ExportedText | null> {
  const { fullHashes, names } = loaded.entry.manifest.contents;
  if (names === undefined && fullHashes > 0) return null;
  const index = names === undefined ? NO_NAMES : await readHostNamesIndex(storage, names);
  return {
    contentType: "text/dns",
    head: headOf(loaded, index, durations),
    bodyHash: names ?? "",
    bodyBytes: lengthOfRecords(index),
    body: () => records(storage, index),
  };
}

import { tryParseUrl } from "@x/canon";
import { coverage } from "@x/expressions";
import { isZoneName } from "@x/interop";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import { shardNumber } from "../store/full-hashes.ts";
import { encodeHosts, type HostNames, type NamedHost } from "../store/host-names.ts";

/** Gathers the names of hosts among the entries of a list, and counts the entries that have none. */
export interface NameGatherer {
  /** Takes an entry: its expression, or `null` when its source gives the hash alone. */
  add(expression: string | null, hash: Uint8Array): void;
  /** The names, cut into shards by the first bits of the hashes of their entries. */
  names(shardBits: number): HostNames;
}

const KINDS = ["below", "alone", "covered", "paths", "addresses", "unfit", "hashes"] as const;
type Kind = (typeof KINDS)[number];

const PIECE_BYTES = 2 ** 20;
/** For each entry, a piece holds the hash, the kind, the length of the host and the host. */
const RECORD_HEAD = FULL_HASH_BYTES + 2;

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

function kindOf(expression: string): Kind {
  if (expression.indexOf("/") !== expression.length - 1) return "paths";
  const host = expression.slice(0, -1);
  if (isAddress(host)) return "addresses";
  if (!isZoneName(host)) return "unfit";
  return coversBelow(host.split(".").length) ? "below" : "alone";
}

/** The first 64 bits of a hash. */
function keyOf(hash: Uint8Array, at = 0): bigint {
  return new DataView(hash.buffer, hash.byteOffset + at).getBigUint64(0);
}

/** Whether a sorted array has a key. */
function hasKey(keys: BigUint64Array, key: bigint): boolean {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return keys[low] === key;
}

/**
 * Whether another host of the list covers this one. Such a host must not be in a zone: any name between the two, even
 * one without a record, would hide the names below it from the wildcard of the upper one (RFC 4592 §2.2.1).
 */
function isCovered(host: string, below: BigUint64Array): boolean {
  const labels = host.split(".");
  for (let count = labels.length - 1; count > 0; count--) {
    if (!coversBelow(count)) continue;
    if (hasKey(below, keyOf(fullHash(`${labels.slice(-count).join(".")}/`)))) return true;
  }
  return false;
}

/** What is in one shard, by hash, so that an entry given twice counts once. */
type Shard = Map<string, { kind: Kind; host: string }>;

export function nameGatherer(isPublicSuffix: (host: string) => boolean): NameGatherer {
  const pieces: Buffer[] = [];
  let used = PIECE_BYTES;

  function forEachRecord(visit: (piece: Buffer, at: number) => void): void {
    for (const piece of pieces) {
      // Kinds count from 1, and a piece ends in zeros.
      let at = 0;
      while (at + RECORD_HEAD <= PIECE_BYTES && piece[at + FULL_HASH_BYTES] !== 0) {
        visit(piece, at);
        at += RECORD_HEAD + piece[at + RECORD_HEAD - 1]!;
      }
    }
  }

  /** The records of each shard, as the number of their piece and the index in it. */
  function recordsByShard(bits: number): Float64Array[] {
    const counts = new Float64Array(2 ** bits);
    forEachRecord((piece, at) => {
      counts[shardNumber(piece, at, bits)]! += 1;
    });
    const records = Array.from(counts, (length) => new Float64Array(length));
    counts.fill(0);
    const numbers = new Map(pieces.map((piece, number) => [piece, number]));
    forEachRecord((piece, at) => {
      const shard = shardNumber(piece, at, bits);
      records[shard]![counts[shard]!++] = numbers.get(piece)! * PIECE_BYTES + at;
    });
    return records;
  }

  function readShard(records: Float64Array): Shard {
    const shard: Shard = new Map();
    for (const record of records) {
      const piece = pieces[Math.floor(record / PIECE_BYTES)]!;
      const at = record % PIECE_BYTES;
      const hash = piece.toString("latin1", at, at + FULL_HASH_BYTES);
      const kind = KINDS[piece[at + FULL_HASH_BYTES]! - 1]!;
      const start = at + RECORD_HEAD;
      const host = piece.toString("latin1", start, start + piece[start - 1]!);
      // An entry that one source names and another one gives as a hash has a name.
      if (kind !== "hashes" || !shard.has(hash)) shard.set(hash, { kind, host });
    }
    return shard;
  }

  /** The keys of the hosts that cover those below them, sorted. */
  function keysOfBelow(): BigUint64Array {
    const isBelow = (piece: Buffer, at: number) =>
      KINDS[piece[at + FULL_HASH_BYTES]! - 1] === "below";
    let count = 0;
    forEachRecord((piece, at) => {
      if (isBelow(piece, at)) count++;
    });
    const keys = new BigUint64Array(count);
    forEachRecord((piece, at) => {
      if (isBelow(piece, at)) keys[--count] = keyOf(piece, at);
    });
    return keys.sort();
  }

  return {
    add(expression, hash) {
      const kind = expression === null ? "hashes" : kindOf(expression);
      const host = kind === "below" || kind === "alone" ? expression!.slice(0, -1) : "";
      if (used + RECORD_HEAD + host.length > PIECE_BYTES) {
        pieces.push(Buffer.alloc(PIECE_BYTES));
        used = 0;
      }
      const piece = pieces.at(-1)!;
      piece.set(hash, used);
      piece[used + FULL_HASH_BYTES] = KINDS.indexOf(kind) + 1;
      piece[used + FULL_HASH_BYTES + 1] = host.length;
      piece.write(host, used + RECORD_HEAD, "latin1");
      used += RECORD_HEAD + host.length;
    },
    names(bits) {
      const parts: Uint8Array[] = [];
      const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
      const bytes = { below: 0, alone: 0 };
      const covering = keysOfBelow();
      let publicSuffixes = 0;
      for (const records of recordsByShard(bits)) {
        const hosts: NamedHost[] = [];
        for (const entry of readShard(records).values()) {
          const { host } = entry;
          const isHost = entry.kind === "below" || entry.kind === "alone";
          const kind = isHost && isCovered(host, covering) ? "covered" : entry.kind;
          counts[kind]++;
          if (kind !== "below" && kind !== "alone") continue;
          bytes[kind] += host.length;
          if (isPublicSuffix(host)) publicSuffixes++;
          hosts.push({ host, isBelow: kind === "below" });
        }
        hosts.sort((a, b) => (a.host < b.host ? -1 : 1));
        parts.push(encodeHosts(hosts));
      }
      const { below, alone, ...unnamed } = counts;
      return {
        parts,
        below: { hosts: below, bytes: bytes.below },
        alone: { hosts: alone, bytes: bytes.alone },
        publicSuffixes,
        unnamed,
      };
    },
  };
}

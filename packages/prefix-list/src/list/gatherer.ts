import type { RawHashes } from "../raw-hashes/raw-hashes.ts";

/** Prefixes of one length that are being gathered: pieces of memory, the last of which is being filled. */
interface Gathering {
  readonly prefixBytes: number;
  /** The pieces that are full. */
  full: Uint8Array<ArrayBuffer>[];
  piece: Uint8Array<ArrayBuffer>;
  /** The bytes of `piece` in use. */
  used: number;
  /** The bytes in use altogether. */
  total: number;
}

/** Gathers prefixes in memory of its own. */
export interface Gatherer {
  /** Adds prefixes of `length` bytes that stand one after the other, each cut to `kept` bytes. */
  add(rawHashes: Uint8Array, length: number, kept: number): void;
  /** The prefixes gathered, each length in one piece of memory, the shortest first; the gatherer is empty then. */
  take(): (RawHashes & { readonly rawHashes: Uint8Array<ArrayBuffer> })[];
}

const FIRST_PIECE_PREFIXES = 16;
/** Pieces of this size leave little memory unused, and are not so many that they cost time. */
const MAX_PIECE_PREFIXES = 2 ** 16;

/** A new piece, as large as all before it together, but not larger than needed or useful. */
function addPiece(gathering: Gathering, moreBytes: number): void {
  const { prefixBytes, total } = gathering;
  const prefixes = Math.max(
    FIRST_PIECE_PREFIXES,
    Math.min(MAX_PIECE_PREFIXES, total / prefixBytes),
  );
  if (gathering.used > 0) gathering.full.push(gathering.piece);
  gathering.piece = new Uint8Array(Math.max(prefixes * prefixBytes, moreBytes));
  gathering.used = 0;
}

function addWhole(gathering: Gathering, rawHashes: Uint8Array): void {
  const room = gathering.piece.length - gathering.used;
  const fitting = Math.min(room, rawHashes.length);
  gathering.piece.set(rawHashes.subarray(0, fitting), gathering.used);
  gathering.used += fitting;
  gathering.total += fitting;
  const left = rawHashes.length - fitting;
  if (left === 0) return;
  addPiece(gathering, left);
  gathering.piece.set(rawHashes.subarray(fitting), 0);
  gathering.used = left;
  gathering.total += left;
}

function addCut(gathering: Gathering, rawHashes: Uint8Array, length: number): void {
  const { prefixBytes } = gathering;
  for (let at = 0; at < rawHashes.length; at += length) {
    if (gathering.used === gathering.piece.length) addPiece(gathering, prefixBytes);
    const { piece, used } = gathering;
    for (let k = 0; k < prefixBytes; k++) piece[used + k] = rawHashes[at + k]!;
    gathering.used += prefixBytes;
    gathering.total += prefixBytes;
  }
}

/** All pieces in one; each piece is released when it is copied. */
function joined({ full, piece, used, total }: Gathering): Uint8Array<ArrayBuffer> {
  if (full.length === 0) return piece.subarray(0, used);
  const all = new Uint8Array(total);
  let at = 0;
  for (let i = 0; i < full.length; i++) {
    all.set(full[i]!, at);
    at += full[i]!.length;
    full[i] = new Uint8Array(0);
  }
  all.set(piece.subarray(0, used), at);
  return all;
}

export function gatherer(): Gatherer {
  let gatherings = new Map<number, Gathering>();

  function gatheringOf(prefixBytes: number): Gathering {
    const started = gatherings.get(prefixBytes);
    if (started !== undefined) return started;
    const piece = new Uint8Array(0);
    const gathering: Gathering = { prefixBytes, full: [], piece, used: 0, total: 0 };
    gatherings.set(prefixBytes, gathering);
    return gathering;
  }

  return {
    add(rawHashes, length, kept) {
      const gathering = gatheringOf(kept);
      // Copying a few bytes one by one is faster than a view of them.
      if (length === kept && rawHashes.length > length) addWhole(gathering, rawHashes);
      else addCut(gathering, rawHashes, length);
    },
    take() {
      const taken = [...gatherings.values()].filter(({ total }) => total > 0);
      gatherings = new Map();
      return taken
        .sort((a, b) => a.prefixBytes - b.prefixBytes)
        .map((gathering) => ({ prefixBytes: gathering.prefixBytes, rawHashes: joined(gathering) }));
    },
  };
}

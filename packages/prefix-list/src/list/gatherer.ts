import type { RawHashes } from "../raw-hashes/raw-hashes.ts";

/** The prefixes of one length that have been gathered, in pieces of memory. The last piece is being filled. */
interface Gathering {
  readonly prefixBytes: number;
  /** The pieces that are full. */
  full: Uint8Array<ArrayBuffer>[];
  piece: Uint8Array<ArrayBuffer>;
  /** The number of bytes of `piece` in use. */
  used: number;
  /** The number of bytes in use in all pieces. */
  total: number;
}

/** Gathers prefixes in memory of its own. */
export interface Gatherer {
  /** Adds prefixes of `length` bytes that follow each other, each cut to `kept` bytes. */
  add(rawHashes: Uint8Array, length: number, kept: number): void;
  /** Returns the prefixes, each length in one piece of memory, the shortest first, and empties the gatherer. */
  take(): (RawHashes & { readonly rawHashes: Uint8Array<ArrayBuffer> })[];
}

const FIRST_PIECE_PREFIXES = 16;
/** Pieces of this length leave little memory unused, and are few enough to cost no time. */
const MAX_PIECE_PREFIXES = 2 ** 16;

/** Adds a piece that is as large as all earlier ones together, but no larger than needed or useful. */
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

/** Joins all pieces into one. Each piece is released once it is copied. */
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

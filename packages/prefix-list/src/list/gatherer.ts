import type { RawHashes } from "../raw-hashes/raw-hashes.ts";

const FIRST_PIECE_PREFIXES = 16;
/** Chunks of this many prefixes waste little memory, and are so few that they cost little time. */
const MAX_PIECE_PREFIXES = 2 ** 16;

/** The prefixes of one length that have been gathered, in chunks of memory. The last chunk is being filled. */
class Gathering {
  readonly #prefixBytes: number;
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #piece = new Uint8Array(0);
  /** The number of bytes of `#piece` in use. */
  #used = 0;
  /** The number of bytes in use in all chunks. */
  #total = 0;

  constructor(prefixBytes: number) {
    this.#prefixBytes = prefixBytes;
  }

  /** Adds a chunk as large as all earlier ones together, up to a limit, but with room for at least `moreBytes`. */
  #addPiece(moreBytes: number): void {
    const grown = Math.min(MAX_PIECE_PREFIXES, this.#total / this.#prefixBytes);
    const prefixes = Math.max(FIRST_PIECE_PREFIXES, grown);
    if (this.#used > 0) this.#full.push(this.#piece);
    this.#piece = new Uint8Array(Math.max(prefixes * this.#prefixBytes, moreBytes));
    this.#used = 0;
  }

  #put(bytes: Uint8Array): void {
    this.#piece.set(bytes, this.#used);
    this.#used += bytes.length;
    this.#total += bytes.length;
  }

  addWhole(rawHashes: Uint8Array): void {
    const fitting = Math.min(this.#piece.length - this.#used, rawHashes.length);
    this.#put(rawHashes.subarray(0, fitting));
    if (fitting === rawHashes.length) return;
    this.#addPiece(rawHashes.length - fitting);
    this.#put(rawHashes.subarray(fitting));
  }

  addCut(rawHashes: Uint8Array, length: number): void {
    const prefixBytes = this.#prefixBytes;
    for (let at = 0; at < rawHashes.length; at += length) {
      if (this.#used === this.#piece.length) this.#addPiece(prefixBytes);
      const piece = this.#piece;
      const used = this.#used;
      for (let k = 0; k < prefixBytes; k++) piece[used + k] = rawHashes[at + k]!;
      this.#used += prefixBytes;
      this.#total += prefixBytes;
    }
  }

  /** Joins all chunks into one. Each full chunk is released as soon as it is copied. */
  joined(): Uint8Array<ArrayBuffer> {
    const full = this.#full;
    const last = this.#piece.subarray(0, this.#used);
    if (full.length === 0) return last;
    const all = new Uint8Array(this.#total);
    let at = 0;
    for (let i = 0; i < full.length; i++) {
      all.set(full[i]!, at);
      at += full[i]!.length;
      full[i] = new Uint8Array(0);
    }
    all.set(last, at);
    return all;
  }
}

export class Gatherer {
  #gatherings = new Map<number, Gathering>();

  /** Adds consecutive prefixes of `length` bytes, each truncated to `kept` bytes. */
  add(rawHashes: Uint8Array, length: number, kept: number): void {
    if (rawHashes.length === 0) return;
    let gathering = this.#gatherings.get(kept);
    if (gathering === undefined) {
      gathering = new Gathering(kept);
      this.#gatherings.set(kept, gathering);
    }
    // Copying a few bytes one by one is faster than making a view of them.
    if (length === kept && rawHashes.length > length) gathering.addWhole(rawHashes);
    else gathering.addCut(rawHashes, length);
  }

  /** Returns the prefixes and empties the gatherer. There is one array for each length, the shortest first. */
  take(): (RawHashes & { readonly rawHashes: Uint8Array<ArrayBuffer> })[] {
    const taken = [...this.#gatherings].sort(([a], [b]) => a - b);
    this.#gatherings = new Map();
    return taken.map(([prefixBytes, gathering]) => ({
      prefixBytes,
      rawHashes: gathering.joined(),
    }));
  }
}

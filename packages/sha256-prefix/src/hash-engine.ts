/** What computes the hashes of a batch; the hashes are the same. */
export type HashEngine = "webassembly" | "javascript";

/** The memory of a batch: the caller writes into the first three, and `run` into the last two. */
export interface HashBatchBuffers {
  /** The octets that the slices are taken from. */
  readonly octets: Uint8Array<ArrayBuffer>;
  /** For each slice the place in `octets` of its first octet. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** For each slice the place in `octets` after its last octet. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** The SHA-256 of each slice, 32 octets one after the other. */
  readonly hashes: Uint8Array<ArrayBuffer>;
  /** The first 4 octets of each hash as a number, most significant octet first. */
  readonly prefixes: Uint32Array<ArrayBuffer>;
}

/** Memory of a certain size, and what computes hashes in it. */
export interface HashRoom {
  readonly buffers: HashBatchBuffers;
  /** Hashes the first `count` slices, which are known to be sound. */
  run(count: number): void;
}

/** An engine: it makes room for so many octets and slices, or throws an error. */
export type MakeHashRoom = (octets: number, slices: number) => HashRoom;

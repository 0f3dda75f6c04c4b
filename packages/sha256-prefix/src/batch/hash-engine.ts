import { digestInto, FULL_HASH_BYTES } from "../digest.ts";

/** The engine that computes the hashes of a batch. Both engines give the same hashes. */
export type HashEngine = "webassembly" | "javascript";

/** The memory of a batch. The caller fills the first three arrays, and hashing fills the last two. */
export interface HashBuffers {
  /** The bytes that slices are taken from. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For each slice, the index in `bytes` where it starts. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** For each slice, the index in `bytes` after its last byte. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** The SHA-256 hashes of the slices, 32 bytes each. */
  readonly hashes: Uint8Array<ArrayBuffer>;
  /** The first 4 bytes of each hash as a number, most significant byte first. */
  readonly prefixes: Uint32Array<ArrayBuffer>;
}

/** A `WebAssembly.Memory`, declared here so that programs do not need the type declarations of browsers. */
export interface HashMemory {
  readonly buffer: ArrayBuffer;
}

/** Memory and an engine that hashes slices of it. */
export interface HashRoom {
  readonly buffers: HashBuffers;
  /** The memory of the WebAssembly engine, which the buffers are part of. */
  readonly memory: HashMemory | null;
  /** Hashes the first `count` slices. The caller has checked the slices. */
  run(count: number): void;
}

/** Allocates memory for `byteCount` bytes and `sliceCount` slices, or throws. */
export type MakeHashRoom = (byteCount: number, sliceCount: number) => HashRoom;

/** Hashes one slice after another, where WebAssembly is missing or forbidden. */
export function makeJavaScriptRoom(byteCount: number, sliceCount: number): HashRoom {
  // The arrays that can be largest come first, so that too large a request fails before much is allocated.
  const hashes = new Uint8Array(sliceCount * FULL_HASH_BYTES);
  const bytes = new Uint8Array(byteCount);
  const starts = new Uint32Array(sliceCount);
  const ends = new Uint32Array(sliceCount);
  const prefixes = new Uint32Array(sliceCount);
  const view = new DataView(bytes.buffer);
  const hashView = new DataView(hashes.buffer);
  return {
    buffers: { bytes, starts, ends, hashes, prefixes },
    memory: null,
    run(count) {
      for (let i = 0; i < count; i++) {
        prefixes[i] = digestInto(hashView, i * FULL_HASH_BYTES, bytes, view, starts[i]!, ends[i]!);
      }
    },
  };
}

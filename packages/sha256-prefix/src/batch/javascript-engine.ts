import { digestInto, FULL_HASH_BYTES } from "../digest.ts";
import type { HashRoom } from "./hash-engine.ts";

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

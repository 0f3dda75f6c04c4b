import { digestInto, FULL_HASH_BYTES } from "./digest.ts";
import type { HashRoom } from "./hash-engine.ts";

/** Room in which one slice is hashed after the other, for where there is no WebAssembly. */
export function makeJavaScriptRoom(octetCount: number, sliceCount: number): HashRoom {
  // The largest first, so that what cannot be had is refused before much is taken.
  const hashes = new Uint8Array(sliceCount * FULL_HASH_BYTES);
  const octets = new Uint8Array(octetCount);
  const starts = new Uint32Array(sliceCount);
  const ends = new Uint32Array(sliceCount);
  const prefixes = new Uint32Array(sliceCount);
  const view = new DataView(octets.buffer);
  return {
    buffers: { octets, starts, ends, hashes, prefixes },
    run(count) {
      for (let i = 0; i < count; i++) {
        prefixes[i] = digestInto(hashes, i * FULL_HASH_BYTES, octets, view, starts[i]!, ends[i]!);
      }
    },
  };
}

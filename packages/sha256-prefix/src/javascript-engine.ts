import { digestInto, HASH_BYTES } from "./digest.ts";
import type { HashBatchBuffers, RunningEngine } from "./hash-engine.ts";

/** An engine that hashes one slice after the other, for where there is no WebAssembly. */
export function startJavaScriptEngine(): RunningEngine {
  let buffers: HashBatchBuffers;
  let view: DataView;
  return {
    name: "javascript",
    allocate(octets, slices) {
      buffers = {
        // The largest first, so that what cannot be had is refused before much is taken.
        hashes: new Uint8Array(slices * HASH_BYTES),
        octets: new Uint8Array(octets),
        starts: new Uint32Array(slices),
        ends: new Uint32Array(slices),
        prefixes: new Uint32Array(slices),
      };
      view = new DataView(buffers.octets.buffer);
      return buffers;
    },
    run(count) {
      const { octets, starts, ends, hashes, prefixes } = buffers;
      for (let i = 0; i < count; i++) {
        prefixes[i] = digestInto(hashes, i * HASH_BYTES, octets, view, starts[i]!, ends[i]!);
      }
    },
  };
}

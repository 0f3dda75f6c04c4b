import { INITIAL_HASH, ROUND_CONSTANTS } from "./compress.ts";
import { HASH_BYTES } from "./digest.ts";
import type { HashBatchBuffers, RunningEngine } from "./hash-engine.ts";
// Not committed: `pnpm install` writes it, and so does `pnpm run kernel`, from kernel/sha256x4.ts.
import { KERNEL_BASE64 } from "./kernel.generated.ts";

/** What the kernel exports; the addresses are said there. */
interface Kernel {
  readonly ROUND_CONSTANTS: WebAssembly.Global<"i32">;
  readonly INITIAL_HASH: WebAssembly.Global<"i32">;
  readonly TABLES_END: WebAssembly.Global<"i32">;
  run(
    octets: number,
    starts: number,
    ends: number,
    hashes: number,
    prefixes: number,
    count: number,
  ): void;
}

const PAGE_BYTES = 2 ** 16;
/** What the kernel may read, and ignores, after the last octet. */
const READ_AHEAD_BYTES = 64;
const WORD_BYTES = 4;

/** The compiled kernel, or why it cannot be compiled; it is tried once, when it is first asked for. */
let compiled: { readonly module: WebAssembly.Module } | { readonly problem: unknown } | undefined;

function compileKernel(): typeof compiled & {} {
  try {
    // The views of the memory are read in the machine's order of octets, and WebAssembly's is this one.
    if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1) throw new Error("big-endian machine");
    const wasm = Uint8Array.from(atob(KERNEL_BASE64), (character) => character.charCodeAt(0));
    return { module: new WebAssembly.Module(wasm) };
  } catch (problem) {
    // No WebAssembly, none with SIMD, or a content security policy without 'wasm-unsafe-eval'.
    return { problem };
  }
}

/** An engine that hashes four slices at a time, or an error where there can be none. */
export function startWebAssemblyEngine(): RunningEngine {
  compiled ??= compileKernel();
  if ("problem" in compiled) {
    throw new Error("the WebAssembly engine cannot be used here", { cause: compiled.problem });
  }
  // One each: the memory of a batch is its own.
  const memory = new WebAssembly.Memory({ initial: 1 });
  const instance = new WebAssembly.Instance(compiled.module, { env: { memory } });
  const kernel = instance.exports as unknown as Kernel;

  const tables = new DataView(memory.buffer);
  ROUND_CONSTANTS.forEach((word, i) => {
    tables.setInt32(kernel.ROUND_CONSTANTS.value + i * WORD_BYTES, word, true);
  });
  INITIAL_HASH.forEach((word, i) => {
    tables.setInt32(kernel.INITIAL_HASH.value + i * WORD_BYTES, word);
  });

  let buffers: HashBatchBuffers;
  return {
    name: "webassembly",
    allocate(octets, slices) {
      const hashes = kernel.TABLES_END.value;
      const starts = hashes + slices * HASH_BYTES;
      const ends = starts + slices * WORD_BYTES;
      const prefixes = ends + slices * WORD_BYTES;
      const octetsAt = prefixes + slices * WORD_BYTES;
      const missing = octetsAt + octets + READ_AHEAD_BYTES - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
      const { buffer } = memory;
      buffers = {
        octets: new Uint8Array(buffer, octetsAt, octets),
        starts: new Uint32Array(buffer, starts, slices),
        ends: new Uint32Array(buffer, ends, slices),
        hashes: new Uint8Array(buffer, hashes, slices * HASH_BYTES),
        prefixes: new Uint32Array(buffer, prefixes, slices),
      };
      return buffers;
    },
    run(count) {
      const { octets, starts, ends, hashes, prefixes } = buffers;
      kernel.run(
        octets.byteOffset,
        starts.byteOffset,
        ends.byteOffset,
        hashes.byteOffset,
        prefixes.byteOffset,
        count,
      );
    },
  };
}

import { INITIAL_HASH, ROUND_CONSTANTS } from "./compress.ts";
import { FULL_HASH_BYTES } from "./digest.ts";
import type { HashRoom } from "./hash-engine.ts";
// Not committed: `pnpm install` writes it, and so does `pnpm run kernel`, from kernel/sha256x4.ts.
import { KERNEL_BASE64 } from "./kernel.generated.ts";

/** What the kernel exports; the addresses are said there. */
interface Kernel {
  readonly ROUND_CONSTANTS: WebAssembly.Global<"i32">;
  readonly INITIAL_HASH: WebAssembly.Global<"i32">;
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
const MAX_PAGES = 2 ** 16;
/** The first page is the kernel's. */
const TABLES_BYTES = PAGE_BYTES;
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

/** Room in which four slices are hashed at a time, or an error where that is not possible. */
export function makeWebAssemblyRoom(octetCount: number, sliceCount: number): HashRoom {
  compiled ??= compileKernel();
  if ("problem" in compiled) {
    throw new Error("the WebAssembly engine cannot be used here", { cause: compiled.problem });
  }
  const hashesAt = TABLES_BYTES;
  const startsAt = hashesAt + sliceCount * FULL_HASH_BYTES;
  const endsAt = startsAt + sliceCount * WORD_BYTES;
  const prefixesAt = endsAt + sliceCount * WORD_BYTES;
  const octetsAt = prefixesAt + sliceCount * WORD_BYTES;
  const pages = Math.ceil((octetsAt + octetCount + READ_AHEAD_BYTES) / PAGE_BYTES);
  if (pages > MAX_PAGES) {
    throw new RangeError(`WebAssembly has no room for ${octetCount} octets, ${sliceCount} slices`);
  }
  // The memory is as large as it has to be, and never grows: growing detaches the buffer, and once any buffer
  // was detached, V8 looks out for that wherever a typed array is used, in the whole program.
  const memory = new WebAssembly.Memory({ initial: pages });
  const { buffer } = memory;
  const instance = new WebAssembly.Instance(compiled.module, { env: { memory } });
  const kernel = instance.exports as unknown as Kernel;

  const tables = new DataView(buffer);
  ROUND_CONSTANTS.forEach((word, i) => {
    tables.setInt32(kernel.ROUND_CONSTANTS.value + i * WORD_BYTES, word, true);
  });
  INITIAL_HASH.forEach((word, i) => {
    tables.setInt32(kernel.INITIAL_HASH.value + i * WORD_BYTES, word);
  });

  return {
    buffers: {
      octets: new Uint8Array(buffer, octetsAt, octetCount),
      starts: new Uint32Array(buffer, startsAt, sliceCount),
      ends: new Uint32Array(buffer, endsAt, sliceCount),
      hashes: new Uint8Array(buffer, hashesAt, sliceCount * FULL_HASH_BYTES),
      prefixes: new Uint32Array(buffer, prefixesAt, sliceCount),
    },
    run: (count) => kernel.run(octetsAt, startsAt, endsAt, hashesAt, prefixesAt, count),
  };
}

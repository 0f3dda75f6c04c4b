// `#kernel` is kernel.generated.ts, unless the program is bundled without WebAssembly. That file is not committed:
// `pnpm install` and `pnpm run kernel` write it from kernel/sha256x4.ts.
import { KERNEL_BASE64 } from "#kernel";
import { INITIAL_HASH, ROUND_CONSTANTS } from "../constants.ts";
import { digestInto, FULL_HASH_BYTES } from "../digest.ts";
import type { HashRoom } from "./hash-engine.ts";

/** The exports of the kernel. The comments in kernel/sha256x4.ts explain the addresses. */
interface Kernel {
  readonly ROUND_CONSTANTS: WebAssembly.Global<"i32">;
  readonly INITIAL_HASH: WebAssembly.Global<"i32">;
  run(
    bytes: number,
    starts: number,
    ends: number,
    hashes: number,
    prefixes: number,
    count: number,
  ): void;
}

const PAGE_BYTES = 2 ** 16;
const MAX_PAGES = 2 ** 16;
/** The kernel keeps its tables in the first page. */
const TABLES_BYTES = PAGE_BYTES;
/** The kernel may read up to this many bytes beyond the end of `bytes`, and ignores them. */
const READ_AHEAD_BYTES = 64;
const WORD_BYTES = 4;

/** The compiled kernel, or the reason why it does not compile. The kernel is compiled on first use. */
let compiled: { readonly module: WebAssembly.Module } | { readonly problem: unknown } | undefined;

function compileKernel(): typeof compiled & {} {
  try {
    // WebAssembly is little-endian, but typed arrays use the machine's byte order.
    if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1) throw new Error("big-endian machine");
    const wasm = Uint8Array.from(atob(KERNEL_BASE64), (character) => character.charCodeAt(0));
    return { module: new WebAssembly.Module(wasm) };
  } catch (problem) {
    // WebAssembly or SIMD may be missing, or a content security policy may lack 'wasm-unsafe-eval'.
    return { problem };
  }
}

/** Hashes four slices at a time. Throws where WebAssembly cannot be used. */
export function makeWebAssemblyRoom(byteCount: number, sliceCount: number): HashRoom {
  compiled ??= compileKernel();
  if ("problem" in compiled) {
    throw new Error("the WebAssembly engine cannot be used here", { cause: compiled.problem });
  }
  const hashesAt = TABLES_BYTES;
  const startsAt = hashesAt + sliceCount * FULL_HASH_BYTES;
  const endsAt = startsAt + sliceCount * WORD_BYTES;
  const prefixesAt = endsAt + sliceCount * WORD_BYTES;
  const bytesAt = prefixesAt + sliceCount * WORD_BYTES;
  const pages = Math.ceil((bytesAt + byteCount + READ_AHEAD_BYTES) / PAGE_BYTES);
  if (pages > MAX_PAGES) {
    throw new RangeError(
      `WebAssembly has no memory for ${byteCount} bytes and ${sliceCount} slices`,
    );
  }
  // The memory is allocated in full at the start and never grows. Growing would detach its buffer. Once any buffer has
  // been detached, V8 checks for detached buffers wherever the program uses a typed array.
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

  const buffers = {
    bytes: new Uint8Array(buffer, bytesAt, byteCount),
    starts: new Uint32Array(buffer, startsAt, sliceCount),
    ends: new Uint32Array(buffer, endsAt, sliceCount),
    hashes: new Uint8Array(buffer, hashesAt, sliceCount * FULL_HASH_BYTES),
    prefixes: new Uint32Array(buffer, prefixesAt, sliceCount),
  };
  const { bytes, starts, ends, prefixes } = buffers;
  const view = new DataView(buffer, bytesAt, byteCount);
  const hashView = new DataView(buffer, hashesAt);
  return {
    buffers,
    memory,
    run(count) {
      // Four lanes take as long for one slice as for four, and longer than JavaScript takes for one.
      if (count === 1) prefixes[0] = digestInto(hashView, 0, bytes, view, starts[0]!, ends[0]!);
      else kernel.run(bytesAt, startsAt, endsAt, hashesAt, prefixesAt, count);
    },
  };
}

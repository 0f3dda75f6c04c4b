import { typeError } from "../type-error.ts";
import {
  type HashBuffers,
  type HashEngine,
  type HashMemory,
  type MakeHashRoom,
  makeJavaScriptRoom,
} from "./hash-engine.ts";
import { makeWebAssemblyRoom } from "./webassembly-engine.ts";

/** The capacity and the engine of a {@link HashBatch}. */
export interface HashBatchOptions {
  /** The number of bytes that the batch holds. Slices are taken from these bytes. */
  readonly bytes: number;
  /** The maximum number of slices in one run. */
  readonly slices: number;
  /**
   * The default, `"auto"`, uses WebAssembly where it has SIMD and is permitted, and JavaScript elsewhere. The
   * other values force one engine.
   */
  readonly engine?: HashEngine | "auto" | undefined;
}

/**
 * Memory for bytes and for the bounds and hashes of slices, with the engine that computes the hashes.
 *
 * The engine works directly in the memory of the five arrays, so no bytes or hashes are copied.
 */
export interface HashBatch extends HashBuffers {
  /** The engine that computes the hashes. */
  readonly engine: HashEngine;
  /**
   * The `WebAssembly.Memory` that the arrays are part of, for code in WebAssembly that fills them, or `null` with the
   * JavaScript engine.
   */
  readonly memory: HashMemory | null;
  /**
   * Hashes the first `count` slices. Slices may overlap and may be empty. Nothing is allocated.
   *
   * @throws {RangeError} when `count` is not a whole number from 0 to the capacity, or a slice does not lie
   * within `bytes`. In that case, nothing is hashed.
   */
  run(count: number): void;
}

const MAX_CAPACITY = 2 ** 31 - 1;

function checkCapacity(name: string, value: number): void {
  if (typeof value !== "number") throw typeError(name, "a number", value);
  if (!Number.isInteger(value) || value < 0 || value > MAX_CAPACITY) {
    throw new RangeError(`${name} must be a whole number from 0 to ${MAX_CAPACITY}, not ${value}`);
  }
}

const MAKE_ROOM: { readonly [engine in HashEngine]: MakeHashRoom } = {
  webassembly: makeWebAssemblyRoom,
  javascript: makeJavaScriptRoom,
};

/**
 * Makes a batch, which hashes many slices of one buffer, with WebAssembly four at a time.
 *
 * Make one batch and use it for many runs: fill `bytes`, `starts` and `ends`, call `run`, read `hashes` and `prefixes`.
 * A batch pays off as soon as a run has a few slices. For a single text, use `fullHash` of `@x/sha256-prefix`.
 *
 * @throws {RangeError} when a capacity is not a whole number from 0 to 2³¹ − 1, or there is not enough memory.
 * @throws {TypeError} when a capacity is not a number, or `engine` is not one of the three names.
 * @throws {Error} when `engine` is `"webassembly"` and WebAssembly cannot be used here. The `cause` says
 * why.
 * @example
 * ```ts
 * import { toHex } from "@x/sha256-prefix";
 * import { createHashBatch } from "@x/sha256-prefix/batch";
 *
 * const batch = createHashBatch({ bytes: 4096, slices: 30 });
 * new TextEncoder().encodeInto("a.b.example/1/", batch.bytes);
 * batch.starts.set([0, 2, 2]);
 * batch.ends.set([14, 14, 12]); // a.b.example/1/, b.example/1/, b.example/
 * batch.run(3);
 * batch.prefixes[2]; // → 0xf8a16db6
 * toHex(batch.hashes.subarray(64, 68)); // → "f8a16db6"
 * ```
 * @see FIPS 180-4 §6.2
 */
export function createHashBatch(options: HashBatchOptions): HashBatch {
  const { bytes, slices, engine = "auto" } = options;
  checkCapacity("bytes", bytes);
  checkCapacity("slices", slices);
  if (engine === "auto") {
    try {
      return batchOf("webassembly", bytes, slices);
    } catch {
      return batchOf("javascript", bytes, slices);
    }
  }
  if (!Object.hasOwn(MAKE_ROOM, engine)) {
    throw typeError("engine", '"auto", "webassembly" or "javascript"', engine);
  }
  return batchOf(engine, bytes, slices);
}

function batchOf(engine: HashEngine, byteCount: number, sliceCount: number): HashBatch {
  const { buffers, memory, run } = MAKE_ROOM[engine](byteCount, sliceCount);
  return {
    engine,
    memory,
    ...buffers,
    run(count) {
      checkSlices(buffers, count);
      run(count);
    },
  };
}

function checkSlices({ bytes, starts, ends }: HashBuffers, count: number): void {
  if (!Number.isInteger(count) || count < 0 || count > starts.length) {
    throw new RangeError(
      `count must be a whole number from 0 to ${starts.length}, the capacity in slices, not ${count}`,
    );
  }
  for (let i = 0; i < count; i++) {
    if (starts[i]! > ends[i]! || ends[i]! > bytes.length) {
      throw new RangeError(
        `slice ${i}, from ${starts[i]} to ${ends[i]}, does not lie within ${bytes.length} bytes`,
      );
    }
  }
}

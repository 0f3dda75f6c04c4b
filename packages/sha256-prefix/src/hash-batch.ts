import type { HashBatchBuffers, HashEngine, MakeHashRoom } from "./hash-engine.ts";
import { makeJavaScriptRoom } from "./javascript-engine.ts";
import { typeError } from "./type-error.ts";
import { makeWebAssemblyRoom } from "./webassembly-engine.ts";

/** How much a {@link HashBatch} has room for. */
export interface HashBatchCapacity {
  /** The octets that all slices are taken from. */
  readonly octets: number;
  /** The slices of one run. */
  readonly slices: number;
}

export interface HashBatchOptions extends HashBatchCapacity {
  /**
   * `"auto"` (when left out) takes WebAssembly where there is WebAssembly with SIMD and it is permitted,
   * and JavaScript elsewhere. The others force one engine.
   */
  readonly engine?: HashEngine | "auto" | undefined;
}

/**
 * Room for octets, slices of them, and the hashes of those, with the engine that computes them.
 *
 * The five views are the engine's own memory, so that nothing is copied; look them up once before a loop,
 * and again after {@link HashBatch.reserve}.
 */
export interface HashBatch extends HashBatchBuffers {
  /** What computes the hashes. */
  readonly engine: HashEngine;
  /**
   * Hashes the first `count` slices; they may overlap and may be empty. Nothing is allocated.
   *
   * @throws {RangeError} when `count` is not a whole number from 0 to the slices there is room for, or a
   * slice does not lie within `octets`. Nothing is hashed then.
   */
  run(count: number): void;
  /**
   * Makes room for at least so much. When that takes new memory, `octets`, `starts` and `ends` are new views
   * with the contents of the old ones; `hashes` and `prefixes` are new too, and the last run's stay in the old.
   *
   * @throws {RangeError} when a number is not a whole one from 0 to 2³¹ − 1, or there is not the memory.
   * @throws {TypeError} when something else than a number is given for one.
   */
  reserve(capacity: Partial<HashBatchCapacity>): void;
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
 * Room and an engine for hashing many slices of one octet buffer: with WebAssembly, four at a time.
 *
 * Made once and used for many runs: fill `octets`, `starts` and `ends`, call `run`, read `hashes` and
 * `prefixes`. It pays from a few slices a run on; for one text there is {@link fullHash}.
 *
 * @throws {RangeError} when a capacity is not a whole number from 0 to 2³¹ − 1, or there is not the memory.
 * @throws {TypeError} when a capacity is not a number, or `engine` none of the three names.
 * @throws {Error} when `engine` is `"webassembly"` and that cannot be used here; its `cause` is why.
 * @example
 * ```ts
 * import { createHashBatch, toHex } from "@x/sha256-prefix";
 *
 * const batch = createHashBatch({ octets: 4096, slices: 30 });
 * new TextEncoder().encodeInto("a.b.example/1/", batch.octets);
 * batch.starts.set([0, 2, 2]);
 * batch.ends.set([14, 14, 12]); // a.b.example/1/, b.example/1/, b.example/
 * batch.run(3);
 * batch.prefixes[2]; // → 0xf8a16db6
 * toHex(batch.hashes.subarray(64, 68)); // → "f8a16db6"
 * ```
 * @see FIPS 180-4 §6.2
 */
export function createHashBatch(options: HashBatchOptions): HashBatch {
  const { octets, slices, engine = "auto" } = options;
  checkCapacity("octets", octets);
  checkCapacity("slices", slices);
  if (engine === "auto") {
    try {
      return batchOf("webassembly", octets, slices);
    } catch {
      return batchOf("javascript", octets, slices);
    }
  }
  if (!Object.hasOwn(MAKE_ROOM, engine)) {
    throw typeError("engine", '"auto", "webassembly" or "javascript"', engine);
  }
  return batchOf(engine, octets, slices);
}

function batchOf(engine: HashEngine, octetCount: number, sliceCount: number): HashBatch {
  const makeRoom = MAKE_ROOM[engine];
  let room = makeRoom(octetCount, sliceCount);
  return {
    engine,
    get octets() {
      return room.buffers.octets;
    },
    get starts() {
      return room.buffers.starts;
    },
    get ends() {
      return room.buffers.ends;
    },
    get hashes() {
      return room.buffers.hashes;
    },
    get prefixes() {
      return room.buffers.prefixes;
    },
    run(count) {
      checkSlices(room.buffers, count);
      room.run(count);
    },
    reserve({ octets = 0, slices = 0 }) {
      checkCapacity("octets", octets);
      checkCapacity("slices", slices);
      const old = room.buffers;
      if (octets <= old.octets.length && slices <= old.starts.length) return;
      room = makeRoom(Math.max(octets, old.octets.length), Math.max(slices, old.starts.length));
      room.buffers.octets.set(old.octets);
      room.buffers.starts.set(old.starts);
      room.buffers.ends.set(old.ends);
    },
  };
}

function checkSlices({ octets, starts, ends }: HashBatchBuffers, count: number): void {
  if (!Number.isInteger(count) || count < 0 || count > starts.length) {
    throw new RangeError(
      `count must be a whole number from 0 to ${starts.length}, the slices there is room for, not ${count}`,
    );
  }
  for (let i = 0; i < count; i++) {
    if (starts[i]! > ends[i]! || ends[i]! > octets.length) {
      throw new RangeError(
        `slice ${i}, from ${starts[i]} to ${ends[i]}, does not lie within ${octets.length} octets`,
      );
    }
  }
}

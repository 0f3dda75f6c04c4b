import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";
import { toHex } from "@x/sha256-prefix";
import { createHashBatch, type HashBatch, type HashEngine } from "@x/sha256-prefix/batch";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type MessageInput, message, readVectors } from "./vectors.ts";

const platform = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Fills an array with varied bytes, the same in every run. */
function fill(bytes: Uint8Array, seed: number): void {
  let state = seed;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[i] = state >>> 24;
  }
}

/** Hashes the first `count` slices, and compares every hash and prefix with the platform's. */
function expectPlatformHashes(batch: HashBatch, count: number): void {
  batch.hashes.fill(0xee);
  batch.run(count);
  for (let i = 0; i < count; i++) {
    const expected = platform(batch.bytes.subarray(batch.starts[i], batch.ends[i]));
    const length = batch.ends[i]! - batch.starts[i]!;
    expect(toHex(batch.hashes.subarray(32 * i, 32 * i + 32)), `slice ${i} of ${length}`).toBe(
      expected,
    );
    expect(batch.prefixes[i]).toBe(Number.parseInt(expected.slice(0, 8), 16));
  }
  // The rest belongs to slices that were not hashed.
  expect(batch.hashes.subarray(32 * count).every((byte) => byte === 0xee)).toBe(true);
}

/** The hashes of all messages, computed in one run of one batch. */
function hashAll(messages: readonly (string | Uint8Array)[], engine: HashEngine): string[] {
  const all = messages.map((message) => Buffer.from(message as string));
  const bytes = Buffer.concat(all);
  const batch = createHashBatch({ bytes: bytes.length, slices: all.length, engine });
  batch.bytes.set(bytes);
  let end = 0;
  all.forEach((message, i) => {
    batch.starts[i] = end;
    end += message.length;
    batch.ends[i] = end;
  });
  batch.run(all.length);
  return all.map((_, i) => toHex(batch.hashes.subarray(32 * i, 32 * i + 32)));
}

describe.each(["webassembly", "javascript"] as const)("%s", (engine) => {
  test("uses the engine that was asked for", () => {
    expect(createHashBatch({ bytes: 0, slices: 0, engine }).engine).toBe(engine);
  });

  describe.each(["nist-short-messages.json", "rfc6234.json"])("%s", (file) => {
    const { cases } = readVectors<MessageInput, string>(file);
    test.each(cases)("$section", ({ input, expected }) => {
      expect(hashAll([message(input)], engine)).toEqual([expected]);
    });

    test("all of them in one run", () => {
      const messages = cases.map(({ input }) => message(input));
      expect(hashAll(messages, engine)).toEqual(cases.map(({ expected }) => expected));
    });
  });

  test.each(readVectors<{ seed: string }, string[]>("rfc6234-monte-carlo.json").cases)(
    "$section",
    ({ input, expected }) => {
      const batch = createHashBatch({ bytes: 96, slices: 1, engine });
      batch.ends[0] = 96;
      let seed: Uint8Array = Uint8Array.from(Buffer.from(input.seed, "hex"));
      for (const checkpoint of expected) {
        for (let at = 0; at < 96; at += 32) batch.bytes.set(seed, at);
        for (let i = 3; i < 1003; i++) {
          batch.run(1);
          batch.bytes.copyWithin(0, 32);
          batch.bytes.set(batch.hashes, 64);
        }
        seed = batch.hashes.slice();
        expect(toHex(seed)).toBe(checkpoint);
      }
    },
  );

  test.each([0, 1, 2, 3])(
    "lengths 0 to 300 in lane %d, beside messages of other lengths",
    (lane) => {
      const batch = createHashBatch({ bytes: 700, slices: 4, engine });
      fill(batch.bytes, lane + 1);
      for (let length = 0; length <= 300; length++) {
        for (let i = 0; i < 4; i++) {
          // The other lanes have messages of the same length, of the complement to 300, or of unrelated lengths.
          const other = [length, 300 - length, (length * 7) % 301, (length * 5 + 56) % 301][i]!;
          batch.starts[i] = (length * 3 + i * 17) % 399;
          batch.ends[i] = batch.starts[i]! + (i === lane ? length : other);
        }
        expectPlatformHashes(batch, 4);
      }
    },
  );

  test("all lengths in one run, whatever the number of slices", () => {
    const batch = createHashBatch({ bytes: 1000, slices: 310, engine });
    fill(batch.bytes, 7);
    for (let i = 0; i < 310; i++) {
      batch.starts[i] = (i * 37) % 690;
      batch.ends[i] = batch.starts[i]! + ((i * 101) % 310);
    }
    for (const count of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 30, 301, 309, 310]) {
      expectPlatformHashes(batch, count);
    }
  });

  test("a slice may cover all bytes, up to the last", () => {
    for (let length = 0; length <= 130; length++) {
      const batch = createHashBatch({ bytes: length, slices: 3, engine });
      fill(batch.bytes, length);
      batch.starts.set([0, length >> 1, length]);
      batch.ends.fill(length);
      expectPlatformHashes(batch, 3);
    }
  });

  test("a short slice may end where the last page of memory does", () => {
    const pageBytes = 65_536;
    for (let bytes = pageBytes - 140; bytes <= pageBytes; bytes++) {
      const batch = createHashBatch({ bytes, slices: 1, engine });
      batch.bytes.fill(0x61, -3);
      batch.starts[0] = bytes - 3;
      batch.ends[0] = bytes;
      expectPlatformHashes(batch, 1);
    }
  });

  test("random slices: overlapping, unaligned, empty, short beside long", () => {
    const reached = { empty: 0, oneBlock: 0, lengthAlone: 0, manyBlocks: 0, oddCount: 0 };
    const batch = createHashBatch({ bytes: 6000, slices: 40, engine });
    const length = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 60 }) },
      { weight: 2, arbitrary: fc.integer({ min: 54, max: 130 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 4000 }) },
    );
    const slice = fc.record({ start: fc.integer({ min: 0, max: 2000 }), length });
    fc.assert(
      fc.property(
        fc.array(slice, { maxLength: 40, size: "max" }),
        fc.integer({ min: 1 }),
        (slices, seed) => {
          fill(batch.bytes, seed);
          slices.forEach(({ start, length }, i) => {
            batch.starts[i] = start;
            batch.ends[i] = start + length;
            if (length === 0) reached.empty++;
            else if (length < 56) reached.oneBlock++;
            else if (length % 64 >= 56) reached.lengthAlone++;
            else if (length > 128) reached.manyBlocks++;
          });
          if (slices.length % 4 !== 0) reached.oddCount++;
          expectPlatformHashes(batch, slices.length);
        },
      ),
      { seed: 1804, numRuns: sampleSize(200) },
    );
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(fewest(20));
  });

  test("one long message among short ones", () => {
    const batch = createHashBatch({ bytes: 1_000_000, slices: 50, engine });
    batch.bytes.fill("a".charCodeAt(0));
    for (let i = 0; i < 50; i++) batch.ends[i] = i === 20 ? 1_000_000 : 26;
    batch.run(50);
    const million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    expect(toHex(batch.hashes.subarray(640, 672))).toBe(million);
    expect(toHex(batch.hashes.subarray(1568))).toBe(platform(batch.bytes.subarray(0, 26)));
  });

  test("two batches do not share memory", () => {
    const one = createHashBatch({ bytes: 3, slices: 1, engine });
    const other = createHashBatch({ bytes: 3, slices: 1, engine });
    one.bytes.set([97, 98, 99]);
    one.ends[0] = 3;
    one.run(1);
    expectPlatformHashes(other, 1);
    expect(one.prefixes[0]).toBe(0xba7816bf);
  });

  test("a capacity beyond the available memory throws a RangeError", () => {
    const most = 2 ** 31 - 1;
    expect(() => createHashBatch({ bytes: 3, slices: most, engine })).toThrow(RangeError);
  });

  test.each([
    ["starts after its end", 5, 4],
    ["ends after the last byte", 0, 11],
    ["lies after the last byte", 11, 11],
    ["has an end that is -1 in 32 bits", 0, 2 ** 32 - 1],
  ])("a slice that %s is a RangeError, and nothing is hashed", (_, start, end) => {
    const batch = createHashBatch({ bytes: 10, slices: 6, engine });
    batch.starts[3] = start;
    batch.ends[3] = end;
    expect(() => batch.run(6)).toThrow(RangeError);
    expect(() => batch.run(6)).toThrow("slice 3");
    expect(batch.hashes.every((byte) => byte === 0)).toBe(true);
    expectPlatformHashes(batch, 3);
  });

  test.each([-1, 7, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "2", undefined])(
    "a count of %s is a RangeError",
    (count) => {
      const batch = createHashBatch({ bytes: 10, slices: 6, engine });
      expect(() => batch.run(count as number)).toThrow(RangeError);
    },
  );
});

test.each([-1, 0.5, Number.NaN, 2 ** 31])("a capacity of %s is a RangeError", (capacity) => {
  expect(() => createHashBatch({ bytes: capacity, slices: 1 })).toThrow(RangeError);
  expect(() => createHashBatch({ bytes: 1, slices: capacity })).toThrow(RangeError);
});

test("wrong options", () => {
  expect(() => createHashBatch({ bytes: "1" as never, slices: 1 })).toThrow(TypeError);
  expect(() => createHashBatch({ bytes: 1 } as never)).toThrow(TypeError);
  for (const [engine, given] of [
    ["fortran", '"fortran"'],
    ["toString", '"toString"'],
    [null, "null"],
    [1, "a number"],
    [Symbol("auto"), "a symbol"],
  ] as [never, string][]) {
    const message = `engine must be "auto", "webassembly" or "javascript", not ${given}`;
    expect(() => createHashBatch({ bytes: 1, slices: 1, engine })).toThrow(new TypeError(message));
  }
});

describe("where WebAssembly", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  /** Imports the package anew, so that it has not tried WebAssembly yet. */
  async function freshPackage(): Promise<typeof import("@x/sha256-prefix/batch")> {
    vi.resetModules();
    return import("@x/sha256-prefix/batch");
  }

  const { CompileError, Instance, Memory, Module } = WebAssembly;
  const withoutSimd = {
    Instance,
    Memory,
    Module: function Module() {
      throw new CompileError("invalid value type");
    },
  };
  const withoutMemory = {
    Instance,
    Module,
    Memory: function Memory() {
      throw new RangeError("could not allocate memory");
    },
  };
  // Under a content security policy without 'wasm-unsafe-eval', WebAssembly exists, but compiles nothing.
  const forbidden = runInNewContext("WebAssembly", {}, { contextCodeGeneration: { wasm: false } });

  test.each([
    ["is missing", undefined, ReferenceError.name],
    ["lacks SIMD", withoutSimd, "CompileError"],
    ["is forbidden", forbidden, "CompileError"],
    ["gets no memory", withoutMemory, "RangeError"],
  ])("%s, JavaScript is used", async (_, substitute, problem) => {
    if (substitute === undefined) {
      const { WebAssembly: original } = globalThis;
      Reflect.deleteProperty(globalThis, "WebAssembly");
      try {
        await expectJavaScript(problem);
      } finally {
        globalThis.WebAssembly = original;
      }
    } else {
      vi.stubGlobal("WebAssembly", substitute);
      await expectJavaScript(problem);
    }
  });

  async function expectJavaScript(problem: string): Promise<void> {
    const fresh = await freshPackage();
    const batch = fresh.createHashBatch({ bytes: 3, slices: 1 });
    expect(batch.engine).toBe("javascript");
    batch.bytes.set([97, 98, 99]);
    batch.ends[0] = 3;
    expectPlatformHashes(batch, 1);

    const forced = () => fresh.createHashBatch({ bytes: 3, slices: 1, engine: "webassembly" });
    expect(forced).toThrow(Error);
    let thrown: unknown;
    try {
      forced();
    } catch (error) {
      thrown = error;
    }
    expect((thrown as Error).cause ?? thrown).toHaveProperty("name", problem);
  }

  test("works, it is used", async () => {
    const { createHashBatch } = await freshPackage();
    expect(createHashBatch({ bytes: 3, slices: 1 }).engine).toBe("webassembly");
    expect(createHashBatch({ bytes: 3, slices: 1, engine: "auto" }).engine).toBe("webassembly");
  });
});

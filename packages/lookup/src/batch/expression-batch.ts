import { byteClasses, type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import { MAX_EXPRESSIONS, sliceExpressions } from "@x/expressions/slices";
import { createHashBatch, type HashBatch, type HashEngine } from "@x/sha256-prefix/batch";
import { type Kernel, type KernelArrays, loadKernel } from "./kernel.ts";
import { dropKnown, KNOWN_BYTES, remember } from "./known-unlisted.ts";

/** With this many expressions, it is time to hash them: enough to keep every lane of the hash engine busy. */
const ENOUGH = 1 << 7;
const SLICES = ENOUGH + MAX_EXPRESSIONS;
const WORD_BYTES = 4;
const SLOTS_BYTES = SLICES * WORD_BYTES;
const SPANS_BYTES = 4 * WORD_BYTES;
const CLASSES_BYTES = 256;
const TABLE_BYTES = SLOTS_BYTES + SPANS_BYTES + CLASSES_BYTES + KNOWN_BYTES;

/**
 * The expressions of canonical URLs that wait to be hashed, as slices of the bytes of a hash batch.
 *
 * Those that are known to be on no list are left out: many URLs have expressions in common, such as `example.com/`.
 */
export interface ExpressionBatch extends HashBatch {
  /** How many expressions wait. */
  count(): number;
  /** Whether it is time to hash them. There may be no room for those of one more URL then. */
  isFull(): boolean;
  /** Adds the expressions of the URL from `start` to `end`, if it is canonical as it stands; else returns `false`. */
  addIfCanonical(start: number, end: number): boolean;
  /** Adds the expressions of the canonical URL at `spans`. */
  add(spans: CanonicalSpans): void;
  /**
   * Removes all expressions and remembers that they are on no list, except those with the first `count` indices in
   * `listed`.
   */
  rememberExcept(listed: Uint32Array, count: number): void;
  /** Forgets the expressions. */
  clear(): void;
}

/**
 * Makes a batch for the expressions of URLs in `byteCount` bytes, a multiple of four. Where the hash engine runs in
 * WebAssembly, URLs that are already canonical are also verified and sliced there.
 */
export function createExpressionBatch(
  byteCount: number,
  options: ExpressionOptions,
  engine: HashEngine | "auto",
): ExpressionBatch {
  const hashing = createHashBatch({ bytes: byteCount + TABLE_BYTES, slices: SLICES, engine });
  const arrays = arraysOf(hashing, byteCount);
  const { bytes, slots } = arrays;
  const { memory } = hashing;
  // A function of the caller cannot run in WebAssembly.
  const { add, remember } =
    memory === null || options.registrableDomain !== undefined
      ? stepsInJavaScript(arrays, options)
      : loadKernel(memory, arrays);
  let count = 0;

  return {
    ...hashing,
    bytes,
    count: () => count,
    isFull: () => count >= ENOUGH,

    addIfCanonical(start, end) {
      const next = add(start, end, count);
      if (next < 0) return false;
      count = next;
      return true;
    },

    add(spans) {
      count = append(arrays, options, spans, count);
    },

    rememberExcept(listed, listedCount) {
      for (let i = 0; i < listedCount; i++) slots[listed[i]!] = 0;
      remember(count);
      count = 0;
    },

    clear() {
      count = 0;
    },
  };
}

/** The arrays that the steps work on: the first `byteCount` bytes of a hash batch, and the tables after them. */
function arraysOf({ bytes, starts, ends }: HashBatch, byteCount: number): KernelArrays {
  const { buffer } = bytes;
  let next = bytes.byteOffset + byteCount;
  const take = (length: number) => {
    next += length;
    return next - length;
  };
  const arrays = {
    bytes: bytes.subarray(0, byteCount),
    starts,
    ends,
    slots: new Uint32Array(buffer, take(SLOTS_BYTES), SLICES),
    spans: new Uint32Array(buffer, take(SPANS_BYTES), SPANS_BYTES / WORD_BYTES),
    classes: new Uint8Array(buffer, take(CLASSES_BYTES), CLASSES_BYTES),
    known: new Uint8Array(buffer, take(KNOWN_BYTES), KNOWN_BYTES),
  };
  arrays.classes.set(byteClasses());
  return arrays;
}

/** Appends the expressions at `spans` to the first `count`, except those known to be on no list. Returns the new count. */
function append(
  { bytes, starts, ends, slots, known }: KernelArrays,
  options: ExpressionOptions,
  spans: CanonicalSpans,
  count: number,
): number {
  const added = sliceExpressions(bytes, spans, options, starts, ends, count);
  return dropKnown(bytes, starts, ends, slots, known, count, count + added);
}

/** What the kernel does, in JavaScript. */
function stepsInJavaScript(arrays: KernelArrays, options: ExpressionOptions): Kernel {
  const { bytes, starts, ends, slots, known } = arrays;
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  return {
    add(start, end, count) {
      return verifyCanonical(bytes, start, end, spans) ? append(arrays, options, spans, count) : -1;
    },
    remember(count) {
      remember(bytes, starts, ends, slots, known, count);
    },
  };
}

import { byteClasses, type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import { keepHost, MAX_EXPRESSIONS, sliceExpressions } from "@x/expressions/slices";
import {
  createHashBatch,
  type HashBatch,
  type HashEngine,
  type HashMemory,
} from "@x/sha256-prefix/batch";
import { type KernelArrays, loadKernel } from "./kernel.ts";
import { dropKnown, KNOWN_BYTES, remember } from "./known-unlisted.ts";

/** Expressions are hashed once this many are waiting, which is enough to keep every lane of the hash engine busy. */
export const ENOUGH_EXPRESSIONS: number = 1 << 7;
const SLICES = ENOUGH_EXPRESSIONS + MAX_EXPRESSIONS;
const WORD_BYTES = 4;
const SLOTS_BYTES = SLICES * WORD_BYTES;
const SPANS_BYTES = 4 * WORD_BYTES;
const CLASSES_BYTES = 256;
const TABLE_BYTES = SLOTS_BYTES + SPANS_BYTES + CLASSES_BYTES + KNOWN_BYTES;

/**
 * The arrays of a batch, and the steps that work on them. `bytes` contains the URLs, and `starts` and `ends` contain
 * the places of their expressions in `bytes`. The caller keeps track of the number of expressions, `count`.
 *
 * Expressions that are known to be on no list are left out, because many URLs share some of them, such as
 * `example.com/`.
 */
export interface Workspace extends HashBatch {
  /**
   * Appends the expressions of the URL from `start` to `end`. Returns the new count, or -1 when the URL is not already
   * canonical.
   */
  readonly addIfCanonical: (start: number, end: number, count: number) => number;
  /** Appends the expressions of the canonical URL at `spans`. Returns the new count. */
  readonly addSpans: (spans: CanonicalSpans, count: number) => number;
  /**
   * Remembers that the first `count` expressions are on no list, except those whose indices are the first `listedCount`
   * numbers in `listed`.
   */
  readonly rememberExcept: (listed: Uint32Array, listedCount: number, count: number) => void;
}

/** The steps that run in WebAssembly or in JavaScript. */
interface Steps {
  readonly add: Workspace["addIfCanonical"];
  readonly remember: (count: number) => void;
}

/** Which expressions a workspace forms. */
export interface WorkspaceOptions extends ExpressionOptions {
  /** Whether to form only the expressions of whole hosts, such as `b.c/`. */
  readonly onlyHosts: boolean;
}

/**
 * Makes a workspace for URLs in `byteCount` bytes, a multiple of four. If the hash engine runs in WebAssembly, URLs are
 * also verified and sliced there, unless there is a `registrableDomain`.
 */
export function createWorkspace(
  byteCount: number,
  options: WorkspaceOptions,
  engine: HashEngine | "auto",
): Workspace {
  const hashing = createHashBatch({ bytes: byteCount + TABLE_BYTES, slices: SLICES, engine });
  const arrays = arraysOf(hashing, byteCount);
  const { bytes, starts, ends, slots, known } = arrays;
  const read: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };

  const { onlyHosts } = options;

  function addSpans(spans: CanonicalSpans, count: number): number {
    if (onlyHosts) keepHost(spans);
    const added = sliceExpressions(bytes, spans, options, starts, ends, count);
    return dropKnown(bytes, starts, ends, slots, known, count, count + added);
  }

  // The function `registrableDomain` cannot run in WebAssembly.
  const kernel: Steps =
    hashing.memory === null || options.registrableDomain !== undefined
      ? {
          add: (start: number, end: number, count: number) =>
            verifyCanonical(bytes, start, end, read) ? addSpans(read, count) : -1,
          remember: (count: number) => remember(bytes, starts, ends, slots, known, count),
        }
      : kernelFor(hashing.memory, arrays, onlyHosts);

  return {
    ...hashing,
    bytes,
    addIfCanonical: kernel.add,
    addSpans,
    rememberExcept(listed, listedCount, count) {
      for (let i = 0; i < listedCount; i++) slots[listed[i]!] = 0;
      kernel.remember(count);
    },
  };
}

function kernelFor(memory: HashMemory, arrays: KernelArrays, onlyHosts: boolean): Steps {
  const { add, remember } = loadKernel(memory, arrays);
  return { add: (start, end, count) => add(start, end, count, onlyHosts), remember };
}

/**
 * The arrays that the steps work on, which are the first `byteCount` bytes of a hash batch and the tables after them.
 */
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

import type { CanonicalUrl } from "@x/canon";
import { fromCodes } from "@x/canon/bytes";
import { byteClasses, type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import { keepHost, MAX_EXPRESSIONS, sliceExpressions } from "@x/expressions/slices";
import {
  createHashBatch,
  type HashBatch,
  type HashEngine,
  type HashMemory,
} from "@x/sha256-prefix/batch";
import { KERNEL_BASE64 } from "#kernel";
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
interface WorkspaceOptions extends ExpressionOptions {
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

const LAST_ASCII = 0x7f;
const SLASH = 0x2f;

/** Writes text that is known to be ASCII, and returns the index after it. */
function writeAscii(text: string, bytes: Uint8Array, start: number): number {
  for (let i = 0; i < text.length; i++) bytes[start + i] = text.charCodeAt(i);
  return start + text.length;
}

/**
 * Writes the host, path and query of a canonical URL and sets `spans` to their indices. Returns `false`, and writes
 * nothing, when they do not fit.
 */
export function writeCanonical(
  { host, hostType, path, query }: CanonicalUrl,
  bytes: Uint8Array,
  start: number,
  spans: CanonicalSpans,
): boolean {
  const end = start + host.length + path.length + (query ? 1 + query.length : 0);
  if (end > bytes.length) return false;
  spans.hostType = hostType;
  spans.host = start;
  spans.path = writeAscii(host, bytes, spans.host);
  spans.query = writeAscii(path, bytes, spans.path);
  spans.end = query ? writeAscii(`?${query}`, bytes, spans.query) : spans.query;
  return true;
}

const encoder = new TextEncoder();

/**
 * Writes bytes, or text that is ASCII, and returns the index after them. Returns -1 when the text is not ASCII or there
 * is no room. Some of the text may then have been written. Bytes of another realm and empty bytes also give -1: parsing
 * then distinguishes them from other values, and from an array whose memory is gone.
 */
export function write(url: string | Uint8Array, bytes: Uint8Array, start: number): number {
  if (typeof url === "string") return writeText(url, bytes, start);
  if (!(url instanceof Uint8Array) || url.length === 0 || url.length > bytes.length - start) {
    return -1;
  }
  bytes.set(url, start);
  return start + url.length;
}

/** Like {@link write}, for text only. */
export function writeText(text: string, bytes: Uint8Array, start: number): number {
  if (start === 0) {
    // `encodeInto` is fastest, but another `start` would need a new view. Only ASCII text has as many bytes in UTF-8 as
    // code units.
    const { read, written } = encoder.encodeInto(text, bytes);
    return read === text.length && written === text.length ? written : -1;
  }
  if (text.length > bytes.length - start) return -1;
  let all = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    bytes[start + i] = code;
    all |= code;
  }
  return all <= LAST_ASCII ? start + text.length : -1;
}

/** Returns bytes as text if they are ASCII, because text has the same readings and is read faster. */
export function textIfAscii(bytes: Uint8Array): string | Uint8Array {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! > LAST_ASCII) return bytes;
  return fromCodes(bytes);
}

const SCHEME = encoder.encode("http://");
const MAX_NAME_LENGTH = 253;
/** For each code unit, the byte in a canonical host; 0 for those that make parsing necessary. */
const IN_HOST = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9.-]/.test(character) ? character.charCodeAt(0) : 0;
});

/**
 * Writes the URL `http://HOST/` at index 0, with the host in lower case and without a dot at its end. Returns the index
 * after it, or -1 if the host has other characters than those of most names.
 */
export function writeHostUrl(host: string, bytes: Uint8Array): number {
  const length = host.endsWith(".") ? host.length - 1 : host.length;
  if (length > MAX_NAME_LENGTH) return -1;
  for (let i = 0; i < SCHEME.length; i++) bytes[i] = SCHEME[i]!;
  for (let i = 0; i < length; i++) {
    const byte = IN_HOST[host.charCodeAt(i)] ?? 0;
    if (byte === 0) return -1;
    bytes[SCHEME.length + i] = byte;
  }
  bytes[SCHEME.length + length] = SLASH;
  return SCHEME.length + length + 1;
}

// `#kernel` is kernel.generated.ts, unless the program is bundled without WebAssembly. That file is not committed:
// `pnpm install` and `pnpm run kernel` generate it from kernel/kernel.ts.

/** The arrays that the kernel works on. The comments in kernel/kernel.ts describe the kernel. */
interface KernelArrays {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly slots: Uint32Array<ArrayBuffer>;
  readonly known: Uint8Array<ArrayBuffer>;
  readonly classes: Uint8Array<ArrayBuffer>;
  readonly spans: Uint32Array<ArrayBuffer>;
}

interface Kernel {
  /**
   * Reads the URL from index `start` to `end` of `bytes`, and writes the places of its expressions into `starts` and
   * `ends`, from index `count` on. Expressions that are known to be on no list are left out. Returns the new count, or
   * -1 when the URL is not already canonical. `onlyHost` leaves out the expressions with a path.
   */
  readonly add: (start: number, end: number, count: number, onlyHost: boolean) => number;
  /** Remembers that the first `count` expressions are on no list, except those whose slot is 0. */
  readonly remember: (count: number) => void;
}

interface Exports extends Kernel {
  /** Takes the addresses of the arrays, in the order of kernel/kernel.ts. */
  readonly place: (...addresses: number[]) => void;
}

let compiled: WebAssembly.Module | undefined;

/** Loads the kernel, for arrays that are part of `memory`. */
function loadKernel(memory: HashMemory, arrays: KernelArrays): Kernel {
  compiled ??= new WebAssembly.Module(
    Uint8Array.from(atob(KERNEL_BASE64), (character) => character.charCodeAt(0)),
  );
  const imports = { env: { memory: memory as WebAssembly.Memory } };
  const { place, add, remember } = new WebAssembly.Instance(compiled, imports)
    .exports as unknown as Exports;
  const { bytes, classes, known, starts, ends, slots, spans } = arrays;
  const placed = [bytes, classes, known, starts, ends, slots, spans];
  place(...placed.map(({ byteOffset }) => byteOffset));
  return { add, remember };
}

import { MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { PrefixListError } from "./error.ts";
import { checkBytes, checkCreated, checkName, hasOwn, isChecksum } from "./limits.ts";
import { invalid, truncated } from "./list-file-format.ts";
import {
  arrayLengths,
  checkLayout,
  misplacedAt,
  type PrefixList,
  type PrefixTable,
  shiftFor,
} from "./prefix-list.ts";
import { concatBytes, type PrefixLength, viewOf, WORD_BYTES } from "./raw-hashes/raw-hashes.ts";

/*
 * A file that contains a list in its in-memory layout, so that lookups can search the bytes of the file. All numbers
 * are unsigned, the least significant byte first, as in the memory of nearly all processors.
 *
 *   MAGIC
 *   the length of the header in bytes, in 4 bytes
 *   the header, in JSON
 *   for each prefix length, the arrays of its table: buckets, halves or words, rests
 *
 * Before each table, zero bytes fill up the last word, so that the arrays can be views of the file.
 */

/**
 * The bytes that every file begins with. A transfer as text would change these bytes, so such a transfer is detected.
 */
const MAGIC = Uint8Array.of(0x89, 0x48, 0x50, 0x54, 0x0d, 0x0a, 0x1a, 0x0a);
const HEADER_AT = MAGIC.length + WORD_BYTES;
const HALF_BYTES = 2;

interface Header {
  readonly layout: string;
  readonly name: string;
  readonly created: number;
  readonly checksum: string;
  readonly lengths: readonly PrefixLength[];
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The next index at which a word of a file may begin. */
function aligned(index: number): number {
  return Math.ceil(index / WORD_BYTES) * WORD_BYTES;
}

function littleEndianBytes(numbers: Uint32Array | Uint16Array): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return isLittleEndian ? bytes : swapped(bytes, numbers.BYTES_PER_ELEMENT);
}

/** A copy of numbers of `width` bytes, with the bytes of each in reverse order. */
function swapped(bytes: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  for (let at = 0; at < copy.length; at += width) copy.subarray(at, at + width).reverse();
  return copy;
}

/**
 * Encodes a list in its in-memory layout, so that `decodeTables` only has to check the order of the prefixes. The
 * result is about one and a half times as long as that of `encodePrefixList`, and takes a fraction of the time.
 *
 * @param room the number of bytes to leave free before the file, for a header of the caller.
 * @throws {PrefixListError} `layout-unsupported` when the list has another layout.
 * @throws {TypeError} when `list` is not a list.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { decodeTables, encodeTables } from "@x/prefix-list/tables";
 *
 * const list = prefixList([Uint8Array.of(0xba, 0x78, 0x16, 0xbf)], { name: "malware", created: 0 });
 * decodeTables(encodeTables(list)); // → list
 * ```
 * @see "Files of tables" in docs/list-file-format.md
 */
export function encodeTables(list: PrefixList, room: number = 0): Uint8Array<ArrayBuffer> {
  checkLayout(list);
  const { layout, name, created, checksum, lengths } = list;
  const header: Header = { layout, name, created, checksum, lengths };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const headerBytes = new Uint8Array(WORD_BYTES);
  viewOf(headerBytes).setUint32(0, text.length, true);
  const pieces: Uint8Array[] = [new Uint8Array(room), MAGIC, headerBytes, text];
  let length = HEADER_AT + text.length;
  for (const { buckets, halves, words, rests } of list.tables) {
    const filling = new Uint8Array(aligned(length) - length);
    const table = [filling, ...[buckets, halves, words].map(littleEndianBytes), rests];
    pieces.push(...table);
    length += table.reduce((sum, piece) => sum + piece.length, 0);
  }
  return concatBytes(pieces);
}

/**
 * Reads a list that {@link encodeTables} wrote, without copying it. The list keeps the bytes, which must not change
 * afterwards.
 *
 * The order of the prefixes is checked, but **they are not compared with the checksum**, because that would take much
 * longer than all other checks. Verify a hash of the bytes first, with the SHA-256 of the platform if possible.
 *
 * @throws {PrefixListError} when the bytes are not a file of tables: `foreign`, `truncated`, `header-invalid` or
 * `body-damaged`; or `layout-unsupported` when a version of this package wrote it that lays out tables differently.
 * @throws {TypeError} when `bytes` is not a `Uint8Array`.
 * @see "Files of tables" in docs/list-file-format.md
 */
export function decodeTables(bytes: Uint8Array): PrefixList {
  checkBytes("bytes", bytes);
  const foreign = MAGIC.findIndex((byte, i) => bytes[i] !== byte);
  if (foreign >= 0 && foreign === bytes.length && foreign > 0) throw truncated(bytes);
  if (foreign >= 0) {
    throw new PrefixListError("foreign", "These bytes are not a file of tables", foreign);
  }
  const { header, end } = readHeader(bytes);
  const { layout, name, created, checksum, lengths } = header;
  const tables: PrefixTable[] = [];
  checkLayout({ layout, tables });
  let offset = end;
  for (const length of lengths) {
    const { table, end: next } = readTable(bytes, aligned(offset), length);
    tables.push(table);
    offset = next;
  }
  if (offset < bytes.length) {
    throw new PrefixListError("body-damaged", "Bytes follow the end of the file", offset);
  }
  const size = lengths.reduce((sum, { count }) => sum + count, 0);
  const list = { layout, name, created, size, checksum, lengths, tables };
  checkLayout(list);
  return list;
}

function readHeader(bytes: Uint8Array): { readonly header: Header; readonly end: number } {
  if (bytes.length < HEADER_AT) throw truncated(bytes);
  const end = HEADER_AT + viewOf(bytes).getUint32(MAGIC.length, true);
  if (bytes.length < end) throw truncated(bytes);
  let header: unknown;
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    // The bytes are copied, because browsers do not decode text in shared memory.
    header = JSON.parse(decoder.decode(new Uint8Array(bytes.subarray(HEADER_AT, end))));
  } catch {
    throw invalid("the text is not JSON", HEADER_AT);
  }
  if (!isHeader(header)) throw invalid("a fact is missing or wrong", HEADER_AT);
  const lengths = header.lengths.map(({ prefixBytes, count }) => ({ prefixBytes, count }));
  return { header: { ...header, lengths }, end };
}

function isHeader(header: unknown): header is Header {
  if (!hasOwn(header, "layout", "name", "created", "checksum", "lengths")) return false;
  const { layout, name, created, checksum, lengths } = header;
  if (typeof layout !== "string" || !isChecksum(checksum) || !Array.isArray(lengths)) return false;
  try {
    checkName(name);
    checkCreated(created);
  } catch {
    return false;
  }
  let previous = MIN_PREFIX_BYTES - 1;
  return lengths.every((length: unknown) => {
    if (!hasOwn(length, "prefixBytes", "count")) return false;
    const { prefixBytes, count } = length as Record<string, number>;
    const isNext = Number.isInteger(prefixBytes) && prefixBytes! > previous;
    previous = prefixBytes!;
    return isNext && prefixBytes! <= MAX_PREFIX_BYTES && Number.isSafeInteger(count) && count! > 0;
  });
}

/** Reads the table that begins at `offset`. */
function readTable(
  bytes: Uint8Array,
  offset: number,
  { prefixBytes, count: size }: PrefixLength,
): { readonly table: PrefixTable; readonly end: number } {
  const shift = shiftFor(size);
  const lengths = arrayLengths({ prefixBytes, size, shift });
  const halvesAt = offset + lengths.buckets * WORD_BYTES;
  const wordsAt = halvesAt + lengths.halves * HALF_BYTES;
  const restsAt = wordsAt + lengths.words * WORD_BYTES;
  const end = restsAt + lengths.rests;
  if (end > bytes.length) throw truncated(bytes);
  const table = {
    prefixBytes,
    size,
    shift,
    buckets: new Uint32Array(...numbersIn(bytes, offset, halvesAt, WORD_BYTES)),
    halves: new Uint16Array(...numbersIn(bytes, halvesAt, wordsAt, HALF_BYTES)),
    words: new Uint32Array(...numbersIn(bytes, wordsAt, restsAt, WORD_BYTES)),
    rests: new Uint8Array(bytes.buffer, bytes.byteOffset + restsAt, lengths.rests),
  };
  const misplaced = misplacedAt(table);
  if (misplaced >= 0) {
    throw new PrefixListError("body-damaged", `The prefix ${misplaced} is out of order`, offset);
  }
  return { table, end };
}

/**
 * The place of the numbers in the bytes from `from` to `to`, in this processor's byte order. The numbers stay in the
 * same memory if possible, and are copied otherwise.
 */
function numbersIn(
  bytes: Uint8Array,
  from: number,
  to: number,
  width: number,
): [buffer: ArrayBufferLike, offset: number, length: number] {
  const length = (to - from) / width;
  const offset = bytes.byteOffset + from;
  if (isLittleEndian && offset % width === 0) return [bytes.buffer, offset, length];
  const some = bytes.subarray(from, to);
  const copy = isLittleEndian ? new Uint8Array(some) : swapped(some, width);
  return [copy.buffer, 0, length];
}

import type { DuckDBDataChunk } from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";

/*
 * Reading the strings one by one through the bindings takes as long as checking them. DuckDB nearly always keeps the
 * strings of a chunk close together, so many of them are read at once.
 */

/**
 * The layout of a string in DuckDB: the length, followed by the string if it is short, or by its beginning and a
 * pointer.
 */
const SLOT_BYTES = 16;
const TEXT_OFFSET = 4;
const POINTER_OFFSET = 8;
const MOST_INLINE_BYTES = 12;

/** The largest number of strings that are decoded at once. If one of them is not ASCII, each is decoded separately. */
const MOST_TOGETHER = 64;
/**
 * If there are fewer bytes than this between two strings, the strings are read together with these bytes. Reading these
 * bytes is safe, because memory is mapped in pages of at least this size.
 */
const PAGE_BYTES = 4096;

/** A byte order mark at the start of a string is kept. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Strings that are close together in memory. */
interface Run {
  /** The rows that contain the strings, the addresses of the strings, and their lengths in bytes. */
  readonly rows: number[];
  readonly addresses: number[];
  readonly lengths: number[];
  /** The address of the first byte and the address after the last byte. */
  start: number;
  end: number;
}

/** Reads the strings in a column of type VARCHAR. */
export function readColumn(chunk: DuckDBDataChunk, column: number): (string | null)[] {
  const count = chunk.rowCount;
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
  const slots = duckdb.vector_get_data(vector, count * SLOT_BYTES);
  const view = new DataView(slots.buffer, slots.byteOffset, slots.byteLength);
  const valid = duckdb.vector_get_validity(vector, Math.ceil(count / 64) * 8);
  const texts = new Array<string | null>(count).fill(null);
  let run: Run | null = null;
  for (let row = 0; row < count; row++) {
    if (valid && (valid[row >> 3]! & (1 << (row & 7))) === 0) continue;
    const slot = row * SLOT_BYTES;
    const length = view.getUint32(slot, true);
    if (length <= MOST_INLINE_BYTES) {
      const start = slot + TEXT_OFFSET;
      texts[row] = decoder.decode(slots.subarray(start, start + length));
      continue;
    }
    const address = addressIn(view, slot + POINTER_OFFSET);
    if (run !== null && isNear(run, address, length)) {
      run.start = Math.min(run.start, address);
      run.end = Math.max(run.end, address + length);
    } else {
      if (run !== null) readRun(run, texts);
      run = { rows: [], addresses: [], lengths: [], start: address, end: address + length };
    }
    run.rows.push(row);
    run.addresses.push(address);
    run.lengths.push(length);
  }
  if (run !== null) readRun(run, texts);
  return texts;
}

/** Reads an address. Numbers are exact up to 53 bits, and the addresses of a process normally have at most 48 bits. */
function addressIn(view: DataView, offset: number): number {
  return view.getUint32(offset + 4, true) * 2 ** 32 + view.getUint32(offset, true);
}

function isNear({ rows, start, end }: Run, address: number, length: number): boolean {
  return (
    rows.length < MOST_TOGETHER &&
    address < end + PAGE_BYTES &&
    address + length > start - PAGE_BYTES
  );
}

function readRun({ rows, addresses, lengths, start, end }: Run, texts: (string | null)[]): void {
  const bytes = bytesAt(start, end - start);
  const all = decoder.decode(bytes);
  // The numbers of characters and bytes are equal only if each byte is a character.
  const isAligned = all.length === bytes.length;
  for (let i = 0; i < rows.length; i++) {
    const from = addresses[i]! - start;
    const to = from + lengths[i]!;
    texts[rows[i]!] = isAligned ? all.slice(from, to) : decoder.decode(bytes.subarray(from, to));
  }
}

const pointer = new DataView(new ArrayBuffer(8));

/** Returns the bytes at an address, which are valid only until the SQL function returns. */
function bytesAt(address: number, length: number): Uint8Array {
  pointer.setUint32(0, address % 2 ** 32, true);
  pointer.setUint32(4, Math.floor(address / 2 ** 32), true);
  return duckdb.get_data_from_pointer(pointer.buffer, 0, length);
}

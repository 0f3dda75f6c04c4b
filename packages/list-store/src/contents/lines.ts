import { decodeText, encodeText } from "../bytes.ts";
import { getObject } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";

/*
 * Distinct lines of text in ascending order, split into objects. The order is that of JavaScript strings.
 *
 * A change is also a sequence of lines. A line of a change is removed if it existed before, and added otherwise. So
 * joining two changes works in the same way as applying one.
 */

export interface StoredLines {
  /** The number of lines. */
  readonly lines: number;
  /** The hashes of the objects with the lines. */
  readonly parts: readonly string[];
}

/** The approximate number of characters in an object. Readers decode an object as a whole. */
const PART_LENGTH = 2 ** 19;
/** The maximum length of an object of lines in bytes, far above the length of any valid object. */
const MAX_PART_BYTES = 2 ** 25;

export function encodeLines(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return encodeText(lines.map((line) => `${line}\n`).join(""));
}

/** Splits lines into objects, and yields the bytes of each. */
export function* partsOf(lines: readonly string[]): Generator<Uint8Array> {
  for (let start = 0, end = 0; start < lines.length; start = end) {
    for (let length = 0; end < lines.length && length < PART_LENGTH; end++) {
      length += lines[end]!.length + 1;
    }
    yield encodeLines(lines.slice(start, end));
  }
}

async function readPart(storage: Storage, part: string): Promise<string> {
  return decodeText(await getObject(storage, part, MAX_PART_BYTES));
}

/** Reads the lines, one object after another. */
export async function* readParts(
  storage: Storage,
  { parts }: StoredLines,
): AsyncGenerator<readonly string[]> {
  for (const part of parts) yield (await readPart(storage, part)).split("\n").slice(0, -1);
}

/** Reads ascending lines from the current position up to `last`, or up to the end if `last` is `null`. */
type LineReader = (last: string | null) => Promise<readonly string[]>;

/** Makes a reader that has the text of only one object in memory, because many readers may be open for a long time. */
function lineReader(storage: Storage, { parts }: StoredLines): LineReader {
  let [text, at, next] = ["", 0, 0];
  return async (last) => {
    const found: string[] = [];
    for (;;) {
      for (let end = text.indexOf("\n", at); end !== -1; end = text.indexOf("\n", at)) {
        const line = text.slice(at, end);
        if (last !== null && line > last) return found;
        found.push(line);
        at = end + 1;
      }
      if (next === parts.length) return found;
      [text, at] = [await readPart(storage, parts[next++]!), 0];
    }
  };
}

/** The lines that are in only one of two ascending sequences. */
function inOneOf(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.length === 0) return a;
  const found: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i]! < b[j]!) found.push(a[i++]!);
    else if (a[i]! > b[j]!) found.push(b[j++]!);
    else [i, j] = [i + 1, j + 1];
  }
  for (; i < a.length; i++) found.push(a[i]!);
  for (; j < b.length; j++) found.push(b[j]!);
  return found;
}

/** The lines that are in only one of two ascending sequences. The first sequence and the result come in chunks. */
export async function* inOnlyOne(
  pieces: AsyncIterable<readonly string[]>,
  lines: readonly string[],
): AsyncGenerator<readonly string[]> {
  let start = 0;
  for await (const piece of pieces) {
    const last = piece.at(-1) ?? "";
    let end = start;
    while (end < lines.length && lines[end]! <= last) end++;
    yield inOneOf(piece, lines.slice(start, end));
    start = end;
  }
  yield lines.slice(start);
}

/** Collects the lines of all chunks in one array. */
export async function joinedLines(pieces: AsyncIterable<readonly string[]>): Promise<string[]> {
  const lines: string[] = [];
  // `push(...piece)` could fail, because a chunk may have more lines than a call may have arguments.
  for await (const piece of pieces) for (const line of piece) lines.push(line);
  return lines;
}

/** Joins consecutive stored changes with one that is in memory. */
export async function joinLines(
  storage: Storage,
  changes: readonly StoredLines[],
  lines: readonly string[],
): Promise<readonly string[]> {
  let joined = lines;
  for (const change of changes) {
    joined = await joinedLines(inOnlyOne(readParts(storage, change), joined));
  }
  return joined;
}

/**
 * The lines after consecutive changes, in ascending order. There is one chunk for each object of the original lines,
 * and one for the rest. Only one object of each change is in memory at a time.
 */
export async function* changedLines(
  storage: Storage,
  lines: StoredLines,
  changes: readonly StoredLines[],
): AsyncGenerator<readonly string[]> {
  const readers = changes.map((change) => lineReader(storage, change));
  async function changed(piece: readonly string[], last: string | null) {
    let result = piece;
    for (const read of readers) result = inOneOf(result, await read(last));
    return result;
  }
  for await (const piece of readParts(storage, lines)) {
    if (piece.length > 0) yield await changed(piece, piece.at(-1)!);
  }
  yield await changed([], null);
}

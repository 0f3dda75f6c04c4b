import type { Refusal } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import { endOfPlainUrls, foreignSource, foreignLine as recognizeForeignLine } from "@x/list-source";
import type { Line } from "@x/lookup/lines";
import { Failure } from "../failure.ts";
import type { Noun } from "../output/results.ts";

/**
 * @param start the beginning of an input, as it arrived.
 * @throws {Failure} when it holds no inputs, one per line.
 */
export function refuseForeignInput(
  start: Uint8Array,
  name: string,
  noun: Noun | "hashed URI",
): void {
  // A URL may hold any bytes, a hashed URI may not.
  const found = foreignSource(start, { allowBinary: noun !== "hashed URI" });
  if (found === null) return;
  throw new Failure(`${name} looks like ${found}: expected one ${noun} per line`);
}

/** A URI without an authority, such as a URN. */
const OPAQUE_URI = /^(?!h..p:)[a-z][a-z0-9+.-]*:(?!\/\/)\S*$/i;
const LONGEST_LOOK = 1024;

/**
 * Why a line is not taken for a URL or URI: it has the shape of a table's row, of a rule, or of something else that
 * people mix up with one. `null` when it has not.
 */
export function foreignLine(line: Uint8Array, noun: Noun): Refusal | null {
  const recognized = recognizeForeignLine(line);
  if (recognized === null) return null;
  if (noun === "URI") {
    const bytes = line.subarray(0, LONGEST_LOOK);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
    if (OPAQUE_URI.test(text)) return null;
  }
  const { code, found } = recognized;
  const expected = `one ${noun} per line`;
  const message = `"${printableInShort(line)}" looks like ${found}: expected ${expected}`;
  return { error: { code, message, expected, index: null, section: null } };
}

/** Why {@link foreignLine} refuses some of the lines, by the index of the line. */
export function foreignLines(
  bytes: Uint8Array,
  lines: Iterable<Pick<Line, "line" | "start" | "end">>,
): ReadonlyMap<number, Refusal> {
  const refusals = new Map<number, Refusal>();
  let plainEnd = endOfPlainUrls(bytes);
  if (plainEnd === bytes.length) return refusals;
  for (const { line, start, end } of lines) {
    if (start < plainEnd) continue;
    const refusal = foreignLine(bytes.subarray(start, end), "URL");
    if (refusal !== null) refusals.set(line, refusal);
    plainEnd = endOfPlainUrls(bytes, end);
  }
  return refusals;
}

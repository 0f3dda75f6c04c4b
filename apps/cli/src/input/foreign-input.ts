import type { Refusal } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import {
  ListSourceError,
  type ListSourceErrorCode,
  RECOGNITION_BYTES,
  recognizeLine,
  recognizeSource,
} from "@x/list-source";
import { Failure } from "../failure.ts";
import type { Noun } from "../output/results.ts";

/*
 * A hosts file, JSON or a picture that is read line by line as URLs would be "not listed" from its first line to
 * its last.
 */

/** Problems that other lines of the input do not have. */
const OF_SINGLE_LINES: ReadonlySet<ListSourceErrorCode> = new Set([
  "format-unknown",
  "column-missing",
  "binary",
]);

/** What the beginning of an input is that is not one input per line; `null` when nothing speaks against that. */
function foreignFormat(start: Uint8Array, mayHoldAnyBytes: boolean): string | null {
  try {
    const { format, found, evidence } = recognizeSource(start.subarray(0, RECOGNITION_BYTES));
    if (format === "urls" || format === "domains") return null;
    return format === "prefix-list" ? found : `${found} (${evidence})`;
  } catch (error) {
    if (!(error instanceof ListSourceError)) throw error;
    const isOfSingleLine = OF_SINGLE_LINES.has(error.code);
    return isOfSingleLine && (mayHoldAnyBytes || error.code !== "binary") ? null : error.found;
  }
}

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
  const found = foreignFormat(start, noun !== "hashed URI");
  if (found === null) return;
  throw new Failure(`${name} looks like ${found}: expected one ${noun} per line`);
}

const [TAB, SPACE, QUOTE, LESS, GREATER] = [0x09, 0x20, 0x22, 0x3c, 0x3e];
const [OPEN, CLOSE] = ["([{", ")]}"].map((text) => [...text].map((c) => c.charCodeAt(0)));
const SUSPICIOUS = new Uint8Array(256);
for (const code of [TAB!, SPACE!, QUOTE!, LESS!, GREATER!, ...OPEN!, ...CLOSE!]) {
  SUSPICIOUS[code] = 1;
}
const HTTP = [..."http"].map((c) => c.charCodeAt(0));

/** Whether a line starts with "http" and holds nothing that separates fields or encloses text. */
function isPlain(line: Uint8Array): boolean {
  for (let i = 0; i < HTTP.length; i++) if (line[i] !== HTTP[i]) return false;
  for (let i = 0; i < line.length; i++) if (SUSPICIOUS[line[i]!] === 1) return false;
  return true;
}

/** A URL by its scheme, with a host that is not defanged and without blanks. */
const URL_SHAPE = /^(?:https?|ftp|wss?):\/\/[^\s/?#\\(){}]*(?:[/?#]\S*)?$/i;
const DEFANGED_HOST = /^[^/]*\/\/[^/?#]*\[(?:\.|dot|:)\]/i;
const LINE_FEED = 0x0a;

/** Whether all lines are plain, as nearly always: then none needs to be looked at by itself. */
export function arePlain(lines: Uint8Array): boolean {
  for (let i = 0, start = 0; i < lines.length; i++) {
    const byte = lines[i]!;
    if (SUSPICIOUS[byte] === 1) return false;
    if (i - start < HTTP.length && byte !== HTTP[i - start]) return false;
    if (byte === LINE_FEED) start = i + 1;
  }
  return true;
}

/** A URI without an authority, such as a URN. */
const OPAQUE_URI = /^(?!h..p:)[a-z][a-z0-9+.-]*:(?!\/\/)\S*$/i;
const LONGEST_LOOK = 1024;

/**
 * Why a line is not taken for a URL or URI: it has the shape of a table's row, of a rule, or of something else that
 * people mix up with one. `null` when it has not.
 */
export function foreignLine(line: Uint8Array, noun: Noun): Refusal | null {
  if (isPlain(line)) return null;
  const bytes = line.subarray(0, LONGEST_LOOK);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  if (noun === "URI" && OPAQUE_URI.test(text)) return null;
  if (URL_SHAPE.test(text) && !DEFANGED_HOST.test(text)) return null;
  const recognized = recognizeLine(text);
  if (recognized === null) return null;
  const { code, found } = recognized;
  const expected = `one ${noun} per line`;
  const message = `"${printableInShort(line)}" looks like ${found}: expected ${expected}`;
  return { error: { code, message, expected, index: null, section: null } };
}

import { foreignRefusal } from "@x/explain";
import type { LineBlock } from "@x/lookup/lines";
import type { RowBlock } from "../output/results.ts";
import { allLines, byteString, rowCollector } from "./row-block.ts";

/*
 * Reads rows of one field in the format of ClickHouse's TabSeparated and PostgreSQL's COPY: each line is a row, a
 * backslash starts an escape, and \N is NULL.
 */

const BACKSLASH = 0x5c;
const TAB = 0x09;
const BYTE_ORDER_MARK = "\xef\xbb\xbf";
const NULL = "\\N";
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|([\s\S]))/g;
const ESCAPED: Readonly<Record<string, string>> = {
  0: "\0",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Matches the tabs and line ends that URL parsers remove, but not those before another URL, which separate URLs. */
const REMOVED = /[\t\r\n]+(?![a-z][a-z0-9+.-]*:\/\/)/gi;

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, hex: string | undefined, character: string) =>
    hex === undefined
      ? (ESCAPED[character] ?? character)
      : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Decodes the escapes in each line of a block. */
export function unescapeLines(block: LineBlock): RowBlock {
  const { bytes, firstLine } = block;
  if (firstLine > 0 && !bytes.includes(BACKSLASH) && !bytes.includes(TAB)) return block;
  const rows = rowCollector(firstLine, false);
  const isMarked = firstLine === 0 && byteString(bytes.subarray(0, 3)) === BYTE_ORDER_MARK;
  let mark = isMarked ? BYTE_ORDER_MARK : "";
  for (const { bytes: line, isTooLong } of allLines(block)) {
    const text = mark + byteString(line);
    mark = "";
    // Only the beginning of the line was kept. This beginning stays escaped, because it might not be too long once
    // unescaped.
    if (isTooLong) rows.add(text);
    else if (text === NULL) rows.addNull();
    else if (line.includes(TAB)) rows.refuse(text, severalFields(line));
    else rows.add(unescaped(text).replace(REMOVED, ""));
  }
  const taken = rows.take();
  // In a field, U+FEFF is not a byte order mark. The blank, which URL parsers remove, keeps U+FEFF in place.
  return isMarked ? { ...taken, bytes: Buffer.concat([Buffer.from(" "), taken.bytes]) } : taken;
}

function severalFields(line: Uint8Array) {
  const looksLike = { code: "column-count", found: "several fields" };
  return foreignRefusal(line, looksLike, "one field, in which a tab is escaped");
}

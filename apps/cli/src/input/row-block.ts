import type { Refusal } from "@x/explain";
import { type LineBlock, linesIn } from "@x/lookup/lines";
import type { RowBlock } from "../output/results.ts";

/** Collects rows as lines. Each UTF-16 code unit of a text stands for a byte, and its higher bits are ignored. */
export interface RowCollector {
  readonly add: (text: string) => void;
  readonly refuse: (text: string, refusal: Refusal) => void;
  readonly addNull: () => void;
  /** Returns the rows that were added since the last call. */
  readonly take: () => RowBlock;
}

/** @param firstRow the index of the first row. */
export function rowCollector(firstRow: number, isTable: boolean): RowCollector {
  let first = firstRow;
  let lines: string[] = [];
  let refused = new Map<number, Refusal>();
  let nulls = new Set<number>();
  /** Adds a row. Line feeds would end the line, so they become tabs; URL parsers remove both. */
  const add = (text: string): void => {
    lines.push(text.includes("\n") ? text.replaceAll("\n", "\t") : text);
  };
  return {
    add,
    refuse(text, refusal) {
      refused.set(first + lines.length, refusal);
      add(text.trim() === "" ? "?" : text);
    },
    addNull() {
      nulls.add(first + lines.length);
      add("");
    },
    take() {
      lines.push("");
      const bytes = Buffer.from(lines.join("\n"), "latin1");
      const block = { bytes, firstLine: first, lines: lines.length - 1, isTable, refused, nulls };
      first += block.lines;
      lines = [];
      refused = new Map();
      nulls = new Set();
      return block;
    },
  };
}

/** The lines of a block, including blank lines, which are returned without bytes. */
export function* allLines(block: LineBlock): Generator<{ bytes: Uint8Array; isTooLong: boolean }> {
  const none = { bytes: new Uint8Array(0), isTooLong: false };
  let next = block.firstLine;
  for (const { line, start, end, isTooLong } of linesIn(block)) {
    for (; next < line; next++) yield none;
    yield { bytes: block.bytes.subarray(start, end), isTooLong };
    next++;
  }
  for (; next < block.firstLine + block.lines; next++) yield none;
}

/** Converts bytes to a string with one code unit for each byte. */
export function byteString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

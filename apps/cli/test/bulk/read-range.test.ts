import { closeSync, openSync } from "node:fs";
import { type LineBlock, lineReader, linesIn } from "@x/lookup/lines";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type RangeStart, readRange } from "../../src/bulk/read-range.ts";
import { temporaryFolder } from "../folder.ts";

const folder = temporaryFolder();

function show(block: LineBlock): string[] {
  return [...linesIn(block)].map(({ line, start, end }) => {
    const text = Buffer.from(block.bytes.subarray(start, end)).toString("latin1");
    return `${line + 1} ${text}`;
  });
}

/** The lines of a file, read range by range; and how many ranges there were. */
function readInRanges(
  fd: number,
  size: number,
  rangeBytes: number,
): { lines: string[]; ranges: number } {
  const lines: string[] = [];
  let ranges = 0;
  let from: RangeStart = { start: 0, linesBefore: 0 };
  while (from.start < size) {
    const range = readRange(fd, size, from, new Uint8Array(rangeBytes));
    lines.push(...range.blocks.flatMap(show));
    from = range.next;
    ranges++;
  }
  return { lines, ranges };
}

function withFile<T>(content: Uint8Array, body: (fd: number) => T): T {
  const fd = openSync(folder.write("file", content), "r");
  try {
    return body(fd);
  } finally {
    closeSync(fd);
  }
}

test("ranges of any length give the lines of the whole file, with their numbers", () => {
  let [several, extended] = [0, 0];
  const line = fc.oneof(
    fc.constantFrom("", "\r", "\xef\xbb\xbfa"),
    fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
  );
  const text = fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("", "\n"));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), ([given, end], rangeBytes) => {
      const content = Buffer.from(given.join("\n") + end, "latin1");
      const reader = lineReader();
      const expected = [...show(reader.push(content)), ...show(reader.end())];
      const { lines, ranges } = withFile(content, (fd) =>
        readInRanges(fd, content.length, rangeBytes),
      );
      expect(lines).toEqual(expected);
      if (ranges > 1) several++;
      if (ranges < content.length / rangeBytes) extended++;
    }),
    { seed: 8, numRuns: 500 },
  );
  expect(Math.min(several, extended)).toBeGreaterThan(50);
});

test("a line that is longer than a range and what is read beyond it is one line", () => {
  const content = Buffer.from(`a\n${"x".repeat(200_000)}\nb\n`);
  const { lines } = withFile(content, (fd) => readInRanges(fd, content.length, 10));
  expect(lines).toEqual(["1 a", `2 ${"x".repeat(200_000)}`, "3 b"]);
});

test("a file that became shorter is an error", () => {
  withFile(Buffer.from("abc\n"), (fd) => {
    const from = { start: 0, linesBefore: 0 };
    expect(() => readRange(fd, 100, from, new Uint8Array(50))).toThrow("became shorter");
  });
});

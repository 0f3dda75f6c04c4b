import { closeSync, openSync } from "node:fs";
import { linesIn, MAX_LINE_BYTES } from "@x/lookup/lines";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type RangeStart, readRange } from "../../src/bulk/read-range.ts";

const folder = temporaryFolder();
/** The lines of a file or a block, each with its index. */
function linesOf(lines: Parameters<typeof linesIn>[0]): string[] {
  const bytes = lines instanceof Uint8Array ? lines : lines.bytes;
  return Array.from(linesIn(lines), ({ line, start, end }) => {
    return `${line} ${Buffer.from(bytes.subarray(start, end)).toString("latin1")}`;
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
    const range = readRange(fd, size, from, Buffer.allocUnsafeSlow(rangeBytes));
    lines.push(...linesOf(range.block));
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
      const expected = linesOf(content);
      const { lines, ranges } = withFile(content, (fd) =>
        readInRanges(fd, content.length, rangeBytes),
      );
      expect(lines).toEqual(expected);
      if (ranges > 1) several++;
      if (ranges < content.length / rangeBytes) extended++;
    }),
    { seed: 8, numRuns: sampleSize(500) },
  );
  expect(Math.min(several, extended)).toBeGreaterThan(fewest(50));
});

test("a line that is longer than a range and what is read beyond it is one line", () => {
  const content = Buffer.from(`a\n${"x".repeat(200_000)}\nb\n`);
  const { lines } = withFile(content, (fd) => readInRanges(fd, content.length, 10));
  expect(lines).toEqual(["0 a", `1 ${"x".repeat(200_000)}`, "2 b"]);
});

test("a file that became shorter is an error", () => {
  withFile(Buffer.from("abc\n"), (fd) => {
    const from = { start: 0, linesBefore: 0 };
    expect(() => readRange(fd, 100, from, new Uint8Array(50))).toThrow("became shorter");
  });
});

test("of a line that is too long only a beginning is kept", () => {
  const content = Buffer.from(`a\n${"x".repeat(8_000_000)}\nb\n`);
  withFile(content, (fd) => {
    const { block, next } = readRange(
      fd,
      content.length,
      { start: 2, linesBefore: 1 },
      new Uint8Array(10),
    );
    expect(block.bytes.length).toBeLessThan(MAX_LINE_BYTES + 100_000);
    expect(Array.from(linesIn(block), (line) => line.isTooLong)).toEqual([true]);
    expect(next).toEqual({ start: content.length - 2, linesBefore: 2 });
  });
});

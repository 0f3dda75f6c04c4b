import { lineReader } from "@x/lookup/lines";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readJsonRow, readRows, readTextRow } from "../../src/serve/lookup/lookup-stream.ts";

/** Splits a text into lines plainly. The text after the last line feed is a line unless it is empty. */
function plainLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => line.replace(/\r$/, ""));
}

const line = fc.string({ unit: fc.constantFrom("a", " ", "\t", "\r") });
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));

test("there is one row for each line, in order, wherever the pieces of a body end", () => {
  const reached = { blankAtEnd: 0, blankBefore: 0, blankOnly: 0 };
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 6 }), (text, cuts) => {
      const bytes = Buffer.from(text);
      const reader = lineReader();
      const ends = [
        ...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b),
        bytes.length,
      ];
      const blocks = ends.map((end, i) => reader.push(bytes.subarray(ends[i - 1] ?? 0, end)));
      const rows = [...blocks, reader.end()].flatMap((block) => readRows(block, readTextRow));
      const found = rows.map((row) => ("line" in row ? Buffer.from(row.line).toString() : row));
      const lines = plainLines(text);
      const isBlank = (line: string) => line.trim() === "";
      // Blank lines have rows, too.
      const blank = { error: "line-blank" };
      expect(found).toEqual(lines.map((line) => (isBlank(line) ? blank : line)));
      if (lines.length > 1 && lines.every(isBlank)) reached.blankOnly++;
      else if (isBlank(lines.at(-1) ?? "a")) reached.blankAtEnd++;
      else if (isBlank(lines[0] ?? "a")) reached.blankBefore++;
    }),
    { seed: 16, numRuns: sampleSize(5000) },
  );
  for (const count of Object.values(reached)) expect(count).toBeGreaterThan(fewest(50));
});

test("no bytes make a row of NDJSON anything but a URL or an error", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((json) => Buffer.from(json)),
        fc
          .record({ url: fc.oneof(fc.string(), fc.jsonValue()) })
          .map((row) => Buffer.from(JSON.stringify(row))),
      ),
      (bytes) => {
        const row = readJsonRow(bytes);
        expect("url" in row ? typeof row.url : row.error).toMatch(/^(?:string|row-malformed)$/);
      },
    ),
    { seed: 16, numRuns: sampleSize(3000) },
  );
});

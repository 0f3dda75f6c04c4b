import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_LINE_BYTES as COMMAND_LINE_MAX, lineSplitter } from "../../../src/cli/lines.ts";
import { linesOf, MAX_LINE_BYTES } from "../../../src/web/model/lines.ts";

const SEED = 20_260_103;

test("lines are those of the command line, byte for byte", () => {
  let blank = 0;
  const octet = fc.constantFrom(0x0a, 0x0a, 0x0d, 0x20, 0x09, 0x61, 0xef, 0xbb, 0xbf, 0xff, 0x00);
  const files = fc.tuple(fc.boolean(), fc.array(octet, { maxLength: 40 }));
  fc.assert(
    fc.property(files, ([hasMark, rest]) => {
      const octets = Uint8Array.from([...(hasMark ? [0xef, 0xbb, 0xbf] : []), ...rest]);
      const splitter = lineSplitter();
      const expected = [...splitter.push(octets), ...splitter.end()];
      const lines = [...linesOf(octets)];
      expect(lines.map(({ number, octets: line }) => [number, [...line]])).toEqual(
        expected.map(({ number, octets: line }) => [number, [...line]]),
      );
      blank += splitter.count() - expected.length;
    }),
    { seed: SEED, numRuns: 3000 },
  );
  expect(blank).toBeGreaterThan(1000);
  expect(MAX_LINE_BYTES).toBe(COMMAND_LINE_MAX);
});

test("each line knows where the next one starts", () => {
  const octets = new TextEncoder().encode("a\r\n\nbc\nd");
  expect([...linesOf(octets)].map(({ number, next }) => [number, next])).toEqual([
    [1, 3],
    [3, 7],
    [4, 8],
  ]);
});

import { expectLinearGrowth } from "@x/test-support/linear-time";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import { findUrns } from "@x/urn";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type FoundInBytes,
  MAX_RUN_BYTES,
  urnFinderInBytes,
} from "../../src/commands/urn/find-in-bytes.ts";

/** The results for a text in pieces. */
function findInPieces(pieces: readonly Uint8Array[], trim = false): FoundInBytes[] {
  const finder = urnFinderInBytes({ trimPunctuation: trim });
  return [...pieces.flatMap((piece) => finder.push(piece)), ...finder.end()];
}

function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (const length of lengths) {
    pieces.push(bytes.subarray(start, start + length));
    start += length;
  }
  return [...pieces, bytes.subarray(start)];
}

test("pieces make no difference: the same as in the whole text", () => {
  let found = 0;
  const words = fc.constantFrom(
    "urn:a:b",
    "urn:",
    "URN:isbn:",
    "x",
    " ",
    "\n",
    "é",
    "日",
    "-",
    "\u00ad",
    "\u2011",
    "\u{1f600}",
    "%",
    '"',
  );
  const text = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(""));
  const lengths = fc.array(fc.nat(9), { maxLength: 30 });
  fc.assert(
    fc.property(text, lengths, fc.boolean(), (whole, sizes, trim) => {
      const bytes = Buffer.from(whole);
      const expected = findUrns(whole, { trimPunctuation: trim }).map(
        ({ urn, start, end, isCut }) => {
          const before = whole.slice(0, start);
          const lineStart = before.lastIndexOf("\n") + 1;
          return {
            line: before.split("\n").length,
            column: [...before.slice(lineStart)].length + 1,
            start: Buffer.byteLength(before),
            end: Buffer.byteLength(whole.slice(0, end)),
            text: whole.slice(start, end),
            urn,
            isCut,
          };
        },
      );
      found += expected.length;
      // Reports of what is not found, such as "x-urn:a:b", have no URN.
      const urns = findInPieces(cut(bytes, sizes), trim).filter(({ urn }) => urn !== null);
      expect(urns).toEqual(expected);
    }),
    { seed: 11, numRuns: sampleSize(1500) },
  );
  expect(found).toBeGreaterThan(fewest(500));
});

test("punctuation at the end of a piece is what follows a URN, not the next piece", () => {
  const [found] = findInPieces([Buffer.from("urn:a:b:"), Buffer.from("\u00ad")], true);
  expect(found).toMatchObject({ text: "urn:a:b", isCut: false });
});

test.each([[[]], [[1]], [[MAX_RUN_BYTES]], [[70_000, 70_000, MAX_RUN_BYTES]]])(
  "the longest run is the same in pieces of %j",
  { tags: "deep" },
  (lengths) => {
    const text = (length: number): Buffer =>
      Buffer.from(`é urn:a:${"x".repeat(length - 6)}\nurn:c:d`);
    const longest = findInPieces(cut(text(MAX_RUN_BYTES), lengths));
    expect(longest.map(({ start, end }) => end - start)).toEqual([MAX_RUN_BYTES, 7]);
    const tooLong = findInPieces(cut(text(MAX_RUN_BYTES + 1), lengths));
    const end = 3 + MAX_RUN_BYTES + 1;
    expect(tooLong).toEqual([
      { line: 1, column: 3, start: 3, end, urn: null, why: "run-too-long" },
      expect.objectContaining({ line: 2, column: 1, start: end + 1, text: "urn:c:d" }),
    ]);
  },
);

test("the token is seen where pieces cut it", { tags: "deep" }, () => {
  const filler = "x".repeat(MAX_RUN_BYTES - 1);
  for (const length of [1, 2, 3, 4]) {
    const bytes = Buffer.from(`${filler}-urn:a:b`);
    expect(findInPieces(cut(bytes, [MAX_RUN_BYTES + length]))).toHaveLength(1);
  }
});

test("UTF-16 is found wherever it is cut, in the order of the file", () => {
  const wide = Buffer.from("urn:a:b\n", "utf16le");
  const bytes = Buffer.concat([Buffer.from("é urn:c:d "), wide, Buffer.from("urn:e:f é"), wide]);
  for (let at = 0; at <= bytes.length; at++) {
    const found = findInPieces([bytes.subarray(0, at), bytes.subarray(at)]);
    expect(found.map(({ start, urn }) => [start, urn?.nss])).toEqual([
      [3, "d"],
      [11, undefined],
      [27, "f"],
      [37, undefined],
    ]);
  }
});

test("a URN with an escaped colon is found wherever it is cut", () => {
  const bytes = Buffer.from("urn:a:b\n%3Curn%253Aa%253Ab é urn:c:d ");
  for (let at = 0; at <= bytes.length; at++) {
    const found = findInPieces([bytes.subarray(0, at), bytes.subarray(at)]);
    expect(found.map(({ line, column, urn }) => [line, column, urn?.nss])).toEqual([
      [1, 1, "b"],
      [2, 4, undefined],
      [2, 22, "d"],
    ]);
  }
});

test.each(["urn%25", "urn%3a", "'urn:ab:c',", "urn:ab:c%", "urn:ab:c\u2011"])(
  "many URNs in one run that is cut into pieces take linear time: %j",
  { tags: "deep" },
  (unit) => {
    expectLinearGrowth(
      (bytes: Buffer) => {
        const finder = urnFinderInBytes({ trimDelimiters: true });
        for (let i = 0; i < bytes.length; i += 1024) finder.push(bytes.subarray(i, i + 1024));
        return finder.end();
      },
      (length) => Buffer.from(unit.repeat(length / unit.length)),
    );
  },
);

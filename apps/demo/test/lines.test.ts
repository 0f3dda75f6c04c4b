import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Line, lineSplitter, MAX_LINE_BYTES } from "../src/lines.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));

function split(pieces: readonly Uint8Array[]): { lines: [number, string][]; count: number } {
  const splitter = lineSplitter();
  const show = ({ number, octets }: Line): [number, string] => [
    number,
    Buffer.from(octets).toString("latin1"),
  ];
  const lines = pieces.flatMap((piece) => splitter.push(piece).map(show));
  lines.push(...splitter.end().map(show));
  return { lines, count: splitter.count() };
}

/** The same, written plainly, on the whole text. */
function splitPlainly(text: string): [number, string][] {
  return text
    .replace(/^\xef\xbb\xbf/, "")
    .split("\n")
    .map((line, i): [number, string] => [i + 1, line.replace(/\r$/, "")])
    .filter(([, line]) => !/^[ \t\r]*$/.test(line));
}

test("lines do not depend on the pieces in which they arrive", () => {
  const seen = { blank: 0, acrossPieces: 0, mark: 0 };
  const part = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom("\n", "\r\n", "\r", " \t", "\xef\xbb\xbf", "\xff") },
    fc.string({ maxLength: 5 }),
  );
  const text = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(""));
  const cuts = fc.array(fc.nat(60), { maxLength: 8 });
  fc.assert(
    fc.property(text, cuts, (whole, places) => {
      const latin1 = whole.replace(/[^\0-\xff]/g, "?");
      const edges = [0, ...places.sort((a, b) => a - b), latin1.length];
      const pieces = edges.slice(1).map((end, i) => bytes(latin1.slice(edges[i]!, end)));
      const expected = splitPlainly(latin1);
      const { lines } = split(pieces);
      expect(lines).toEqual(expected);
      if (latin1.startsWith("\xef\xbb\xbf")) seen.mark++;
      if (expected.length < latin1.split("\n").length) seen.blank++;
      if (pieces.filter((piece) => piece.length > 0 && !piece.includes(10)).length > 1)
        seen.acrossPieces++;
    }),
    { seed: 5, numRuns: 3000 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(50);
});

test("the last line needs no line break, and is counted once", () => {
  expect(split([bytes("a\nb")]).count).toBe(2);
  expect(split([bytes("a\nb\n")]).count).toBe(2);
  expect(split([]).count).toBe(0);
});

describe.each([
  [MAX_LINE_BYTES, false],
  [MAX_LINE_BYTES + 1, true],
  [3 * MAX_LINE_BYTES, true],
])("a line of %i octets: too long %s", (length, isTooLong) => {
  const pieceSize = 100_000;
  test.each([
    ["LF", "x", "\n", length + 3],
    ["LF, in pieces", "x", "\n", pieceSize],
    ["CRLF", "x", "\r\n", length + 3],
    ["CRLF, in pieces", "x", "\r\n", pieceSize],
    ["CRLF, between CR and LF", "x", "\r\n", length + 1],
    ["blanks before a URL", " ", "x\n", pieceSize],
  ])("%s", (_, filling, end, size) => {
    const whole = Buffer.from(`${filling.repeat(length - end.trimEnd().length)}${end}y\n`);
    const splitter = lineSplitter();
    const lines: Line[] = [];
    for (let at = 0; at < whole.length; at += size) {
      lines.push(...splitter.push(whole.subarray(at, at + size)));
    }
    expect(lines.map((line) => [line.number, line.isTooLong])).toEqual([
      [1, isTooLong],
      [2, false],
    ]);
    expect(lines[0]!.octets.length).toBe(isTooLong ? 256 : length);
  });
});

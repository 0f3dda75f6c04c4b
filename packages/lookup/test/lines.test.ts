import { type LineBlock, lineReader, linesIn, MAX_LINE_BYTES } from "@x/lookup/lines";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const encode = (text: string) => new TextEncoder().encode(text);

function textsOf(block: LineBlock): [line: number, text: string, isTooLong: boolean][] {
  return [...linesIn(block)].map(({ line, start, end, isTooLong }) => [
    line,
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(block.bytes.subarray(start, end)),
    isTooLong,
  ]);
}

/** The lines of a file that is read in pieces. */
function readAll(pieces: readonly Uint8Array[], firstLine?: number): ReturnType<typeof textsOf> {
  const reader = lineReader(firstLine);
  return [...pieces.flatMap((piece) => textsOf(reader.push(piece))), ...textsOf(reader.end())];
}

/** A second implementation of the rules for lines, written plainly. */
function oracle(text: string): [line: number, text: string, isTooLong: boolean][] {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.flatMap((line, i) => {
    const bare = i < lines.length && line.endsWith("\r") ? line.slice(0, -1) : line;
    return /^[ \t\r]*$/.test(bare) ? [] : [[i, bare, false]];
  });
}

test("pieces of any size give the lines that the rules give", () => {
  const part = fc.constantFrom(
    "a",
    "b.example",
    "\u00e9",
    "\ufeff",
    "\r",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\v",
  );
  fc.assert(
    fc.property(fc.array(part), fc.integer({ min: 1, max: 5 }), (parts, size) => {
      const text = parts.join("");
      const bytes = encode(text);
      const pieces = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      expect(readAll(pieces)).toEqual(oracle(text));
      expect(readAll([bytes])).toEqual(oracle(text));
    }),
    { seed: 20261122, numRuns: sampleSize(1000) },
  );
});

test("a block counts its lines, and its indices go on from the block before", () => {
  const reader = lineReader();
  const first = reader.push(encode("a\n\nb\nc"));
  expect([first.firstLine, first.lines]).toEqual([0, 3]);
  const second = reader.push(encode("d"));
  expect([second.firstLine, second.lines]).toEqual([3, 0]);
  const last = reader.end();
  expect([last.firstLine, last.lines]).toEqual([3, 1]);
  expect(textsOf(last)).toEqual([[3, "cd", false]]);
});

test("only the start of a file has a byte order mark", () => {
  expect(readAll([encode("\ufeffa\n\ufeffb\n")])).toEqual([
    [0, "a", false],
    [1, "\ufeffb", false],
  ]);
  expect(lineReader().push(encode("\ufeff\n")).lines).toBe(1);
  expect(readAll([encode("\ufeff")])).toEqual([]);
  expect(readAll([encode("\ufeffa\n")], 7)).toEqual([[7, "\ufeffa", false]]);
});

test("the piece may be overwritten once its block was used", () => {
  const piece = encode("a.example\nb.");
  const reader = lineReader();
  reader.push(piece);
  piece.fill(0x21);
  expect(textsOf(reader.push(encode("example\n")))).toEqual([[1, "b.example", false]]);
});

test.each([
  ["", MAX_LINE_BYTES, "\n", false],
  ["\ufeff", MAX_LINE_BYTES, "\r\n", false],
  ["", MAX_LINE_BYTES + 1, "\n", true],
  ["", MAX_LINE_BYTES + 1, "", true],
  ["\ufeff", MAX_LINE_BYTES + 1, "\r\n", true],
  ["", 40 * MAX_LINE_BYTES, "\r\n", true],
])(
  "after %j, a line of %d bytes that ends in %j is too long: %s",
  (before, length, ending, isTooLong) => {
    const reader = lineReader();
    const seen: [number, number, boolean][] = [];
    let held = 0;
    const take = (block: LineBlock) => {
      held = Math.max(held, block.bytes.length);
      for (const { line, start, end, isTooLong } of linesIn(block)) {
        seen.push([line, end - start, isTooLong]);
      }
    };
    take(reader.push(encode(`x\n`)));
    const fresh = before === "" ? reader : lineReader();
    const piece = new Uint8Array(2 ** 16).fill(0x61);
    take(fresh.push(encode(before)));
    for (let left = length; left > 0; left -= piece.length) {
      take(fresh.push(piece.subarray(0, Math.min(left, piece.length))));
    }
    take(fresh.push(encode(`${ending}${ending && "y"}`)));
    take(fresh.end());
    const index = before === "" ? 1 : 0;
    const [, long, next] = seen;
    expect(long?.[0]).toBe(index);
    expect(long?.[2]).toBe(isTooLong);
    if (!isTooLong) expect(long?.[1]).toBe(length);
    expect(next).toEqual(ending === "" ? undefined : [index + 1, 1, false]);
    // The memory that is held for a line does not grow with the line.
    expect(held).toBeLessThan(MAX_LINE_BYTES + 2 ** 17);
  },
);

test("wrong arguments", () => {
  expect(() => lineReader().push("a\n" as never)).toThrow(TypeError);
  expect(() => lineReader("0" as never)).toThrow(TypeError);
  for (const firstLine of [-1, 0.5, Number.NaN]) {
    expect(() => lineReader(firstLine)).toThrow(RangeError);
  }
  expect(() => [...linesIn("a\n" as never)]).toThrow(TypeError);
});

import { expect, test } from "vitest";
import { markWritten, sharedCursor, takeRange } from "../../src/bulk/shared-cursor.ts";

const SIZE = 10;
/** Ranges of four bytes and one line. */
const read = ({ start, linesBefore }: { start: number; linesBefore: number }) => ({
  block: { bytes: new Uint8Array(0), firstLine: linesBefore, lines: 1 },
  next: { start: start + 4, linesBefore: linesBefore + 1 },
});

test("ranges are taken one after the other, to the end of the file", () => {
  const cursor = sharedCursor();
  const taken = Array.from({ length: 5 }, () => takeRange(cursor, SIZE, 10, read));
  expect(
    taken.map((range) => range && [range.number, range.start, range.next.linesBefore]),
  ).toEqual([[0, 0, 1], [1, 4, 2], [2, 8, 3], null, null]);
});

test("as many may be taken as are written, and some more", () => {
  const cursor = sharedCursor();
  const numbers = [0, 1, 2].map(() => {
    const range = takeRange(cursor, SIZE, 1, read);
    markWritten(cursor);
    return range?.number;
  });
  expect(numbers).toEqual([0, 1, 2]);
});

test("a range that cannot be read keeps nobody else waiting", () => {
  const cursor = sharedCursor();
  const fail = () => {
    throw new Error("no");
  };
  expect(() => takeRange(cursor, SIZE, 10, fail)).toThrow("no");
  expect(takeRange(cursor, SIZE, 10, read)?.start).toBe(0);
});

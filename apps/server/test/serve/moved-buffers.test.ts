import { expect, test } from "vitest";
import { buffersIn, isWholeBuffer } from "../../src/serve/worker-thread/jobs.ts";

test("buffers are found in messages, and each is moved once", () => {
  const words = new Uint32Array(4);
  const bytes = new Uint8Array(words.buffer);
  const other = new Uint8Array(100);
  const value = {
    id: 1,
    value: { name: "mw-4b", codes: [{ words, bytes }, { other }], none: null },
  };
  expect(buffersIn(value)).toEqual([words.buffer, other.buffer]);
});

test("shared memory, parts of buffers and empty ones stay where they are", () => {
  const views = [
    new Uint8Array(new SharedArrayBuffer(8)),
    new Uint8Array(8).subarray(1),
    new Uint8Array(8).subarray(0, 7),
    new Uint8Array(0),
  ];
  expect(views.map(isWholeBuffer)).toEqual([false, false, false, false]);
  expect(buffersIn({ views, numbers: [1, 2] })).toEqual([]);
});

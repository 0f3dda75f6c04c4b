import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { prefixList, sharePrefixList } from "@x/prefix-list";
import { longestMatch } from "@x/prefix-list/search";
import { expect, test } from "vitest";
import { plainOf, unhex } from "./oracle.ts";

const list = prefixList(["00000001", "ba7816bf", "ba7816bf8f"].map(unhex), {
  name: "n",
  created: 1,
});

test("a shared list equals the given list, which does not change", () => {
  const shared = sharePrefixList(list);
  expect(shared).toEqual(list);
  expect(plainOf(shared)).toEqual(plainOf(list));
  expect(longestMatch(shared, unhex("ba7816bf8f"))).toBe(5);
  const buffers = shared.tables.flatMap(({ buckets, halves, words, rests }) =>
    [buckets, halves, words, rests].map(({ buffer }) => buffer),
  );
  expect(buffers.every((buffer) => buffer instanceof SharedArrayBuffer)).toBe(true);
  expect(list.tables.some(({ words }) => words.buffer instanceof SharedArrayBuffer)).toBe(false);
});

test("a list that is not shared is sent as a copy", () => {
  expect(structuredClone(list)).toEqual(list);
});

test("a thread gets the same memory, not a copy", async () => {
  const shared = sharePrefixList(list);
  // The thread writes to the list, which no thread should do, to show that the memory is the same.
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads");
     parentPort.once("message", ({ size, tables }) => { tables[0].words[0] = 7; parentPort.postMessage(size); });`,
    { eval: true },
  );
  worker.postMessage(shared);
  const [size] = await once(worker, "message");
  await worker.terminate();
  expect(size).toBe(3);
  expect(plainOf(shared)).toEqual(["00000007", "ba7816bf", "ba7816bf8f"]);
  expect(plainOf(list)).toEqual(["00000001", "ba7816bf", "ba7816bf8f"]);
});

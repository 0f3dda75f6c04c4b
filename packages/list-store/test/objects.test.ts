import { randomFillSync } from "node:crypto";
import { memoryStorage } from "@x/list-store";
import { expect, test } from "vitest";
import { getObject, hashOf, objectKey } from "../src/storage.ts";
import { putObject } from "./support/publishing.ts";

const storage = memoryStorage();
const LONG = randomFillSync(new Uint8Array(2 ** 24));

test("other work has its turn while a long object is hashed", async () => {
  const hash = await putObject(storage, LONG);
  let turns = 0;
  let timer = setImmediate(function count() {
    turns++;
    timer = setImmediate(count);
  });
  // The storage answers in the same turn of the event loop, so only hashing can take more turns. The hashing thread may
  // finish before the next turn begins, if this thread has to wait for a processor.
  for (let tries = 0; tries < 20 && turns === 0; tries++) {
    expect(Buffer.compare(await getObject(storage, hash), LONG)).toBe(0);
  }
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(0);
});

test.each([100, 2 ** 16, 2 ** 16 + 1, 2 ** 20])(
  "a damaged object of %i bytes is refused",
  async (length) => {
    const bytes = LONG.slice(0, length);
    const hash = await putObject(storage, bytes);
    expect(hash).toBe(await hashOf(bytes));
    expect(Buffer.compare(await getObject(storage, hash), bytes)).toBe(0);
    bytes[length - 1]! ^= 1;
    await storage.put(objectKey(hash), bytes);
    await expect(getObject(storage, hash)).rejects.toMatchObject({ code: "damaged" });
  },
);

test("an object that is longer than it can be is not read", async () => {
  const hash = await putObject(storage, LONG.subarray(0, 1000));
  expect((await getObject(storage, hash, 1000)).length).toBe(1000);
  await expect(getObject(storage, hash, 999)).rejects.toMatchObject({
    code: "damaged",
    message: expect.stringContaining("far too long"),
  });
});

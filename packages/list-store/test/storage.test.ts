import { memoryStorage, type Storage } from "@x/list-store";
import { STORAGE_CASES } from "@x/test-support/storage-cases";
import { describe, expect, test } from "vitest";
import { markPublisher, removeMark } from "../src/marks.ts";

describe("memory storage", () => {
  test.each(STORAGE_CASES)("$name", ({ run }) => run(() => memoryStorage()));
});

test("a storage that keeps what exists is accepted", async () => {
  const storage = memoryStorage();
  await removeMark(storage, (await markPublisher(storage)).name);
  expect(await storage.list("tmp/")).toEqual([]);
});

test("a storage that replaces keys is refused", async () => {
  const storage = memoryStorage();
  const careless: Storage = {
    ...storage,
    async create(key, value) {
      await storage.put(key, value);
      return true;
    },
  };
  await expect(markPublisher(careless)).rejects.toMatchObject({ code: "not-create-only" });
});

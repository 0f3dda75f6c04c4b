import { memoryStorage, type Storage } from "@x/list-store";
import { expect, test } from "vitest";
import { markPublisher, removeMark } from "../src/publishing/publisher-mark.ts";
import { testStorage } from "./support/storage-conformance.ts";

testStorage("memory storage", () => memoryStorage());

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

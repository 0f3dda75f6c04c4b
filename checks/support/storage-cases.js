import assert from "node:assert/strict";

/*
 * Test cases for every storage of a store. Each case gets a function that makes an empty storage. The cases do not
 * depend on vitest, because the tests with real servers run them, too.
 */

const bytes = (text) => new TextEncoder().encode(text);
const text = (found) => (found === null ? null : new TextDecoder().decode(found));
const namesIn = async (storage, folder) => (await storage.list(folder)).map(({ name }) => name);

const BAD_KEYS = ["", "/", "a/", "/a", "a//b", "../a", "a/../b", "a/.", "A", "a b", "a\\b", "a\0"];
const BAD_FOLDERS = ["a", "/", "../", "a/../"];

/** More keys than S3 lists in one answer. */
const MANY = 1100;
const AT_ONCE = 32;

/**
 * Cases for storages that can only be read. Each case fills `written` first; then `open` returns the storage that reads
 * it.
 */
export const READING_CASES = [
  {
    name: "gives back what was written, and nothing else",
    async run(written, open) {
      const all = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7 + (i >> 8)) & 255);
      await written.create("a/b/c", bytes("one"));
      await written.create("a/all", all);
      await written.create("a/empty", bytes(""));
      const storage = await open();
      assert.equal(text(await storage.get("a/b/c")), "one");
      assert.deepEqual(new Uint8Array(await storage.get("a/all")), all);
      assert.equal((await storage.get("a/empty")).length, 0);
      assert.equal(await storage.get("a/b/missing"), null);
      assert.equal(await storage.get("a/b/c/below-a-file"), null);
      assert.equal(await storage.get("nothing/at/all"), null);
    },
  },
  {
    name: "reads no more than it is allowed to",
    async run(written, open) {
      await written.create("a/key", bytes("three"));
      const storage = await open();
      assert.equal(text(await storage.get("a/key", 5)), "three");
      await assert.rejects(storage.get("a/key", 4), { name: "StoreError", code: "damaged" });
    },
  },
  {
    name: "gives bytes that the caller may change",
    async run(written, open) {
      await written.create("key", bytes("one"));
      const storage = await open();
      (await storage.get("key")).fill(0);
      assert.equal(text(await storage.get("key")), "one");
    },
  },
  {
    name: "refuses what is not a key",
    async run(_, open) {
      const storage = await open();
      for (const key of BAD_KEYS) {
        await assert.rejects(storage.get(key), RangeError, JSON.stringify(key));
        await assert.rejects(storage.create(key, bytes("")), RangeError, JSON.stringify(key));
        await assert.rejects(storage.put(key, bytes("")), RangeError, JSON.stringify(key));
        await assert.rejects(storage.delete(key), RangeError, JSON.stringify(key));
      }
      for (const folder of BAD_FOLDERS) {
        await assert.rejects(storage.list(folder), RangeError, JSON.stringify(folder));
      }
    },
  },
];

const WRITING_CASES = [
  {
    name: "never creates a key twice",
    async run(newStorage) {
      const storage = await newStorage();
      assert.equal(await storage.create("key", bytes("one")), true);
      assert.equal(await storage.create("key", bytes("two")), false);
      assert.equal(text(await storage.get("key")), "one");
    },
  },
  {
    name: "lets exactly one of many writers create a key",
    async run(newStorage) {
      const storage = await newStorage();
      for (let round = 0; round < 4; round++) {
        const writers = Array.from({ length: 16 }, (_, i) => `writer ${i}`);
        const won = await Promise.all(
          writers.map((each) => storage.create(`v/${round}`, bytes(each))),
        );
        assert.equal(won.filter(Boolean).length, 1);
        assert.equal(text(await storage.get(`v/${round}`)), writers[won.indexOf(true)]);
      }
    },
  },
  {
    name: "replaces what exists, and updates its time",
    async run(newStorage) {
      const storage = await newStorage();
      await storage.create("head", bytes("1"));
      const age = async () => (await storage.list(""))[0].modified;
      const before = await age();
      // Some storages keep times only in whole seconds.
      for (let i = 0; i < 500 && (await age()) <= before; i++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        await storage.put("head", bytes("2"));
      }
      assert.equal(text(await storage.get("head")), "2");
      assert.ok((await age()) > before);
      await storage.put("other", bytes("3"));
      assert.equal(text(await storage.get("other")), "3");
    },
  },
  {
    name: "lists what is directly in a folder",
    async run(newStorage) {
      const storage = await newStorage();
      for (const key of ["lists/b/head", "lists/a/v/2", "lists/a/v/1", "lists/x", "lists-2/y"]) {
        await storage.create(key, bytes(key));
      }
      // A storage in a directory also has a folder of unfinished files.
      const roots = (await namesIn(storage, "")).filter((name) => name !== "tmp/");
      assert.deepEqual(roots, ["lists-2/", "lists/"]);
      assert.deepEqual(await namesIn(storage, "lists/"), ["a/", "b/", "x"]);
      assert.deepEqual(await namesIn(storage, "lists/a/v/"), ["1", "2"]);
      assert.deepEqual(await namesIn(storage, "nothing/"), []);
      const [folder, , key] = await storage.list("lists/");
      assert.equal(folder.modified, null);
      assert.ok(Math.abs(key.modified - Date.now()) < 60_000);
    },
  },
  {
    name: "lists a folder with many files",
    async run(newStorage) {
      const storage = await newStorage();
      const names = Array.from({ length: MANY }, (_, i) => String(i).padStart(6, "0"));
      for (let start = 0; start < MANY; start += AT_ONCE) {
        const some = names.slice(start, start + AT_ONCE);
        await Promise.all(some.map((name) => storage.create(`many/${name}`, bytes(""))));
      }
      await storage.create("many/below/file", bytes(""));
      assert.deepEqual(await namesIn(storage, "many/"), [...names, "below/"]);
    },
  },
  {
    name: "deletes, even what is not there",
    async run(newStorage) {
      const storage = await newStorage();
      await storage.create("a/b", bytes("one"));
      await storage.delete("a/b");
      await storage.delete("a/b");
      assert.equal(await storage.get("a/b"), null);
      assert.deepEqual(await namesIn(storage, "a/"), []);
      assert.equal(await storage.create("a/b", bytes("two")), true);
    },
  },
  {
    name: "does not share its bytes with the caller",
    async run(newStorage) {
      const storage = await newStorage();
      const mine = bytes("one");
      await storage.create("key", mine);
      mine.fill(0);
      assert.equal(text(await storage.get("key")), "one");
    },
  },
];

/** Cases for storages that can be written. */
export const STORAGE_CASES = [
  ...READING_CASES.map(({ name, run }) => ({
    name,
    async run(newStorage) {
      const storage = await newStorage();
      await run(storage, async () => storage);
    },
  })),
  ...WRITING_CASES,
];

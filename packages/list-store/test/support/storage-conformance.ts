import type { Storage } from "@x/list-store";
import { describe, expect, test } from "vitest";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (found: Uint8Array | null) => found && new TextDecoder().decode(found);

/** Tests that every storage must pass; `newStorage` makes an empty one. */
export function testStorage(name: string, newStorage: () => Storage | Promise<Storage>): void {
  describe(name, () => {
    test("gives back what was created", async () => {
      const storage = await newStorage();
      expect(await storage.get("a/b/c")).toBeNull();
      expect(await storage.create("a/b/c", bytes("one"))).toBe(true);
      expect(text(await storage.get("a/b/c"))).toBe("one");
      expect(await storage.get("a/b")).toBeNull();
      expect(await storage.get("a/b/c/d")).toBeNull();
    });

    test("never creates a key twice", async () => {
      const storage = await newStorage();
      expect(await storage.create("key", bytes("one"))).toBe(true);
      expect(await storage.create("key", bytes("two"))).toBe(false);
      expect(text(await storage.get("key"))).toBe("one");
    });

    test("lets exactly one of many writers create a key", async () => {
      const storage = await newStorage();
      const writers = Array.from({ length: 16 }, (_, i) => `writer ${i}`);
      const won = await Promise.all(writers.map((each) => storage.create("v/1", bytes(each))));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(text(await storage.get("v/1"))).toBe(writers[won.indexOf(true)]);
    });

    test("puts over what exists, and makes it younger", async () => {
      const storage = await newStorage();
      await storage.create("head", bytes("1"));
      const [before] = await storage.list("");
      await new Promise((resolve) => setTimeout(resolve, 20));
      await storage.put("head", bytes("2"));
      const after = (await storage.list("")).find(({ name }) => name === "head");
      expect(text(await storage.get("head"))).toBe("2");
      expect(after!.modified!).toBeGreaterThan(before!.modified!);
    });

    test("lists what is directly in a folder", async () => {
      const storage = await newStorage();
      for (const key of ["lists/b/head", "lists/a/v/2", "lists/a/v/1", "lists/x"]) {
        await storage.create(key, bytes(key));
      }
      const names = async (folder: string) => (await storage.list(folder)).map(({ name }) => name);
      expect(await names("lists/")).toEqual(["a/", "b/", "x"]);
      expect(await names("lists/a/v/")).toEqual(["1", "2"]);
      expect(await names("nothing/")).toEqual([]);
      const [folder, , key] = await storage.list("lists/");
      expect(folder!.modified).toBeNull();
      expect(Math.abs(key!.modified! - Date.now())).toBeLessThan(60_000);
    });

    test("deletes, also what is not there", async () => {
      const storage = await newStorage();
      await storage.create("a/b", bytes("one"));
      await storage.delete("a/b");
      await storage.delete("a/b");
      expect(await storage.get("a/b")).toBeNull();
      expect(await storage.create("a/b", bytes("two"))).toBe(true);
    });

    test("keeps its bytes apart from the caller's", async () => {
      const storage = await newStorage();
      const mine = bytes("one");
      await storage.create("key", mine);
      mine.fill(0);
      (await storage.get("key"))!.fill(0);
      expect(text(await storage.get("key"))).toBe("one");
    });

    test("holds empty values", async () => {
      const storage = await newStorage();
      await storage.create("key", bytes(""));
      expect(await storage.get("key")).toHaveLength(0);
    });

    test.each(["", "/", "a/", "/a", "a//b", "../a", "a/../b", "a/.", "A", "a b", "a\\b", "a\0"])(
      "refuses the key %j",
      async (key) => {
        const storage = await newStorage();
        await expect(storage.get(key)).rejects.toThrow(RangeError);
        await expect(storage.create(key, bytes(""))).rejects.toThrow(RangeError);
        await expect(storage.put(key, bytes(""))).rejects.toThrow(RangeError);
        await expect(storage.delete(key)).rejects.toThrow(RangeError);
      },
    );

    test.each(["a", "/", "../", "a/../"])("refuses the folder %j", async (folder) => {
      await expect((await newStorage()).list(folder)).rejects.toThrow(RangeError);
    });

    test("does not read a value that is longer than the caller accepts", async () => {
      const storage = await newStorage();
      await storage.create("key", bytes("four"));
      expect(await storage.get("key", 4)).toHaveLength(4);
      await expect(storage.get("key", 3)).rejects.toMatchObject({
        code: "damaged",
        message: expect.stringContaining("far too long"),
      });
    });
  });
}

import { randomBytes } from "node:crypto";
import {
  findFullHashes,
  type LoadedList,
  loadList,
  memoryStorage,
  parseEntry,
  publish,
  type Storage,
} from "@x/list-store";
import { decodePrefixList, encodePrefixList } from "@x/prefix-list";
import { describe, expect, test } from "vitest";
import { objectKey } from "../src/storage.ts";
import { expectNumbers } from "./support/hash-sets.ts";
import { baseOf, DAY, newSigner } from "./support/publishing.ts";

const LIST = "malware";
const ENTRIES = 20_000;
/** Every third version is a new base, and so is the last one. */
const VERSIONS = 31;
const signer = await newSigner();
const publicKeys = [signer.publicKey];

/** Counts the bytes that a reader downloads, and the objects. */
function counted(storage: Storage) {
  const read = { bytes: 0, objects: [] as string[] };
  const counting: Storage = {
    ...storage,
    async get(key, most) {
      const bytes = await storage.get(key, most);
      if (key.startsWith("objects/")) read.objects.push(key.slice(-64));
      read.bytes += bytes?.length ?? 0;
      return bytes;
    },
  };
  return { read, counting };
}

/** Each version replaces a tenth of the entries, and has a reader that was loaded when it was the newest. */
const storage = memoryStorage();
const hashes = new Uint8Array(randomBytes(32 * ENTRIES));
const readers: LoadedList[] = [];
for (let version = 1; version <= VERSIONS; version++) {
  const start = ((version * ENTRIES) / 10) % ENTRIES;
  hashes.set(randomBytes((32 * ENTRIES) / 10), 32 * start);
  await publish({
    ...{ storage, list: LIST, fullHashes: [hashes], signer, publicKeys, lifetime: DAY },
  });
  readers.push((await loadList({ storage, list: LIST, publicKeys }))!);
}
const newest = readers.at(-1)!;

const base = await baseOf(storage, newest.entry.manifest);

/** Whether a reader has the same list as one that started at the newest version. */
function isNewest({ words, prefixes }: LoadedList): boolean {
  const file = (list: typeof prefixes) => encodePrefixList({ ...list, created: 0 });
  const isSame = Buffer.compare(file(prefixes), file(newest.prefixes)) === 0;
  return isSame && words.join() === newest.words.join();
}

/** The list of a reader after an update and the objects that the reader downloaded. */
async function updated(before: LoadedList | Pick<LoadedList, "entry" | "prefixes"> | null) {
  const { read, counting } = counted(storage);
  const loaded = (await loadList({ storage: counting, list: LIST, publicKeys }, before))!;
  return { loaded, objects: read.objects, bytes: read.bytes };
}

describe("a reader", () => {
  test.each([1, 2, 5, 10, 20, 25, 26, 27, 28, 29])(
    "at version %i gets the same list as one that starts now",
    async (version) => {
      const { loaded, bytes } = await updated(readers[version - 1]!);
      expectNumbers(loaded.words, newest.words);
      expect({ ...loaded.prefixes, created: 0 }).toEqual({ ...newest.prefixes, created: 0 });
      expect(loaded.entry).toEqual(newest.entry);
      // A reader never downloads much more than the whole list. It also counts the overhead of requests.
      expect(bytes).toBeLessThan(1.3 * (await updated(null)).bytes);
    },
  );

  test("that is close takes differences, and one that is far behind takes the whole list", async () => {
    expect((await updated(readers[VERSIONS - 2]!)).objects).not.toContain(base.prefixes);
    expect((await updated(readers[0]!)).objects).toContain(base.prefixes);
    expect((await updated(null)).objects).toContain(base.prefixes);
  });

  test("that is at the newest version downloads no objects, and keeps its list", async () => {
    const { loaded, objects } = await updated(newest);
    expect(loaded).toBe(newest);
    expect(objects).toEqual([]);
  });

  test("that kept a list and its manifest in files goes on from there", async () => {
    const { entry, prefixes } = readers[VERSIONS - 3]!;
    const [note, file] = [entry.note.slice(), encodePrefixList(prefixes)];
    const kept = {
      entry: await parseEntry(note, LIST, VERSIONS - 2),
      prefixes: decodePrefixList(file),
    };
    const { loaded, objects } = await updated(kept);
    expectNumbers(loaded.words, newest.words);
    expect(objects).not.toContain(base.prefixes);
    const same = await updated({ entry: newest.entry, prefixes: newest.prefixes });
    expect(isNewest(same.loaded)).toBe(true);
    expect(same.objects).toEqual([]);
  });

  test.each(["missing", "damaged"])("takes the whole list when a difference is %s", async (how) => {
    const { object } = newest.entry.manifest.blocks[0]!;
    const broken: Storage = {
      ...storage,
      async get(key, most) {
        const bytes = await storage.get(key, most);
        if (!key.endsWith(object!)) return bytes;
        return how === "missing" ? null : bytes!.fill(0, 100, 200);
      },
    };
    const before = readers[VERSIONS - 2]!;
    const loaded = await loadList({ storage: broken, list: LIST, publicKeys }, before);
    expect(isNewest(loaded!)).toBe(true);
  });

  test("does not hide that the storage fails", async () => {
    const { object } = newest.entry.manifest.blocks[0]!;
    const failing: Storage = {
      ...storage,
      async get(key, most) {
        if (key.endsWith(object!)) throw new Error("connection reset");
        return storage.get(key, most);
      },
    };
    const before = readers[VERSIONS - 2]!;
    await expect(loadList({ storage: failing, list: LIST, publicKeys }, before)).rejects.toThrow(
      "connection reset",
    );
  });

  test("verifies with the function that it is given", async () => {
    const asked: string[] = [];
    const verify = (publicKey: Uint8Array) => {
      asked.push(Buffer.from(publicKey).toString("base64"));
      return false;
    };
    await expect(loadList({ storage, list: LIST, publicKeys, verify })).rejects.toMatchObject({
      code: "wrongly-signed",
    });
    const before = readers[0]!;
    await expect(
      loadList({ storage, list: LIST, publicKeys, verify }, before),
    ).rejects.toMatchObject({ code: "wrongly-signed" });
    // A reader that cannot skip ahead tries the versions one by one.
    expect(asked).toHaveLength(3);
  });
});

describe("a longer block", () => {
  /** Publishes eight versions. Each replaces some of 4000 entries. */
  async function eightVersions(replaced: number) {
    const storage = memoryStorage();
    const stored = { storage, list: LIST, publicKeys };
    const fullHashes = new Uint8Array(randomBytes(32 * 4000));
    const loads: LoadedList[] = [];
    for (let version = 1; version <= 8; version++) {
      fullHashes.set(randomBytes(32 * replaced), 0);
      await publish({ ...stored, fullHashes: [fullHashes], signer, lifetime: DAY });
      loads.push((await loadList(stored))!);
    }
    return { storage, stored, loads, fullHashes };
  }

  test.each(["missing", "damaged"])("that is %s is replaced by shorter ones", async (how) => {
    const { storage, stored, loads, fullHashes } = await eightVersions(10);
    const { base, blocks } = loads.at(-1)!.entry.manifest;
    const [, longer] = blocks;
    expect([base.version, longer!.after]).toEqual([1, 4]);
    const key = objectKey(longer!.object!);
    if (how === "missing") await storage.delete(key);
    else await storage.put(key, Buffer.from("damaged"));
    for (const before of [null, loads[0]!, loads[3]!]) {
      const loaded = (await loadList(stored, before))!;
      expectNumbers(loaded.words, loads.at(-1)!.words);
      const hash = fullHashes.slice(0, 32);
      expect(await findFullHashes(storage, loaded, hash)).toEqual([hash]);
    }
  });

  test("that is left out still proves the way to the newest version", async () => {
    const { storage, stored, loads } = await eightVersions(4000);
    const before = loads[3]!;
    expect(loads.at(-1)!.entry.manifest.blocks).toMatchObject([
      { after: 7 },
      { after: 4, manifest: before.entry.hash, object: null },
    ]);
    const read: string[] = [];
    const counting: Storage = {
      ...storage,
      async get(key, most) {
        if (key.includes("/v/")) read.push(key);
        return storage.get(key, most);
      },
    };
    const loaded = (await loadList({ ...stored, storage: counting }, before))!;
    expectNumbers(loaded.words, loads.at(-1)!.words);
    // No version in between is read.
    expect(read.filter((key) => /[567]$/.test(key))).toEqual([]);
  });
});

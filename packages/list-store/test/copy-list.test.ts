import {
  collectGarbage,
  copyList,
  loadList,
  memoryStorage,
  publish,
  readEntry,
  readNewest,
  type Signer,
  type Storage,
  StoreError,
} from "@x/list-store";
import { firstOf, IS_DEEP } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import { addContents } from "../src/contents.ts";
import { getObject, objectKey } from "../src/storage.ts";
import { Killed, killedAt } from "./support/failing-storage.ts";
import {
  DAY,
  hashesOf,
  newSigner,
  publisher,
  randomNumbers,
  signAgain,
} from "./support/publishing.ts";

const LIST = "malware";
const signer = await newSigner();
const publicKeys = [signer.publicKey];

const hosts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `h${from + i}.example/`);

/** Publishes one more version. */
function extend(storage: Storage, version: number) {
  const entries = hosts(version, version + 3 + (version % 4));
  return publisher(storage, signer)(LIST, entries);
}

const collect = (storage: Storage) =>
  collectGarbage({ storage, publicKeys, keep: 2, keepChanges: 4, grace: -DAY });

/** For each version of one log, a storage with all objects. */
const history: Storage[] = [memoryStorage()];

async function completeStore(version: number): Promise<Storage> {
  while (history.length <= version) {
    const next = await cloneOf(history.at(-1)!);
    await extend(next, history.length);
    history.push(next);
  }
  return cloneOf(history[version]!);
}

/** A store at a version, after garbage collection that keeps two versions. */
async function storeAt(version: number): Promise<Storage> {
  const storage = await completeStore(version);
  await collect(storage);
  return storage;
}

/** The keys of a storage and their bytes, in hex. */
async function filesOf(storage: Storage, folder = ""): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { name, modified } of await storage.list(folder)) {
    if (modified === null) {
      for (const file of await filesOf(storage, folder + name)) files.set(...file);
    } else
      files.set(folder + name, Buffer.from((await storage.get(folder + name))!).toString("hex"));
  }
  return files;
}

async function cloneOf(storage: Storage, now?: () => number): Promise<Storage> {
  const clone = memoryStorage(now);
  for (const [key, hex] of await filesOf(storage)) await clone.put(key, Buffer.from(hex, "hex"));
  return clone;
}

/** A storage that records which objects are read and created. */
function recorded(storage: Storage) {
  const [read, created]: [string[], string[]] = [[], []];
  const note = (keys: string[], key: string) => {
    if (key.startsWith("objects/")) keys.push(key);
  };
  const recording: Storage = {
    ...storage,
    get(key, most) {
      note(read, key);
      return storage.get(key, most);
    },
    create(key, bytes) {
      note(created, key);
      return storage.create(key, bytes);
    },
  };
  return { storage: recording, read, created };
}

const objectsIn = async (storage: Storage) =>
  [...(await filesOf(storage)).keys()].filter((key) => key.startsWith("objects/"));

const withoutListings = (storage: Storage): Storage => ({
  ...storage,
  list: async () => {
    throw new StoreError("unsupported", "There are no listings");
  },
});

const copy = (from: Storage, to: Storage, options: Partial<Parameters<typeof copyList>[0]> = {}) =>
  copyList({ from, to, list: LIST, publicKeys, ...options });

const versionKey = (version: number) => `lists/${LIST}/v/${String(version).padStart(12, "0")}`;
const headKey = `lists/${LIST}/head`;

/** The error of a promise; `null` when there is none. */
const problemOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

/** The newest version of a store, which must be complete; 0 when there is none. */
async function wholeVersion(storage: Storage): Promise<number> {
  const list = await loadList({ storage, list: LIST, publicKeys });
  if (list === null) return 0;
  const objects = new Set<string>();
  await addContents(objects, storage, list.entry.manifest);
  for (const hash of objects) await getObject(storage, hash);
  return list.entry.manifest.version;
}

describe("copyList", () => {
  test("copies the whole log, and every object that is still there", async () => {
    const [from, to] = [await storeAt(12), memoryStorage()];
    const copied = await copy(from, to);
    expect(copied.manifest.version).toBe(12);
    expect(copied.versions).toBe(12);
    expect(await filesOf(to)).toEqual(await filesOf(from));
    const files = await filesOf(to);
    const lengths = (await objectsIn(to)).map((key) => files.get(key)!.length / 2);
    expect(copied.objects).toBe(lengths.length);
    expect(copied.bytes).toBe(lengths.reduce((sum, length) => sum + length, 0));
  });

  test("copies only what is new", async () => {
    const [from, to] = [await storeAt(5), memoryStorage()];
    await copy(from, to);
    const none = recorded(from);
    expect(await copy(none.storage, to)).toMatchObject({ versions: 0, objects: 0, bytes: 0 });
    expect(none.read).toEqual([]);
    await extend(from, 6);
    const there = await objectsIn(to);
    const some = recorded(to);
    expect(await copy(from, some.storage)).toMatchObject({ versions: 1, manifest: { version: 6 } });
    expect(some.created.length).toBeGreaterThan(0);
    expect(some.created.filter((key) => there.includes(key))).toEqual([]);
    expect(await wholeVersion(to)).toBe(6);
  });

  test("copies older versions without objects when they are behind the window", async () => {
    const from = await completeStore(6);
    const [all, two] = [memoryStorage(), memoryStorage()];
    await copy(from, all);
    await copy(from, two, { window: 2 });
    expect(await filesOf(all)).toEqual(await filesOf(from));
    expect((await filesOf(two)).size).toBeLessThan((await filesOf(all)).size);
    expect((await filesOf(two)).has(versionKey(1))).toBe(true);
    expect(await wholeVersion(two)).toBe(6);
  });

  test("fills a gap in the log of a copy, and never lowers the hint", async () => {
    const [from, to] = [await completeStore(4), memoryStorage()];
    await copy(from, to);
    await to.delete(versionKey(2));
    expect(await copy(from, to)).toMatchObject({ versions: 1, objects: 0 });
    expect(await filesOf(to)).toEqual(await filesOf(from));
  });

  test("says how far it is", async () => {
    const [from, to] = [await storeAt(3), memoryStorage()];
    const said: string[] = [];
    const { objects, bytes } = await copy(from, to, {
      onProgress: (each) => void said.push(`${each.list} ${each.version}/${each.newest}`),
    });
    expect(new Set(said)).toEqual(new Set(["malware 1/3", "malware 2/3", "malware 3/3"]));
    expect(said.length).toBe(3 + objects);
    expect(bytes).toBeGreaterThan(objects);
  });

  test("reads a store without listings", async () => {
    const [from, to] = [await storeAt(4), memoryStorage()];
    await copy(withoutListings(from), to);
    expect(await filesOf(to)).toEqual(await filesOf(from));
  });

  test("finds the newest version behind an old hint", async () => {
    const [from, to] = [await storeAt(4), memoryStorage()];
    await from.put(headKey, Buffer.from("1\n"));
    expect((await copy(from, to)).manifest.version).toBe(4);
    expect(Buffer.from((await to.get(headKey))!).toString()).toBe("4\n");
  });
});

/** Throws unless a copy has the whole log of a store and everything that the newest version needs. */
async function checkCopy(to: Storage, from: Storage, version: number): Promise<void> {
  expect(await wholeVersion(to)).toBe(version);
  const files = await filesOf(to);
  for (const [key, hex] of await filesOf(from)) {
    if (key.startsWith("lists/")) expect([key, files.get(key)]).toEqual([key, hex]);
  }
}

/** The numbers of versions in the copy, before copying, and in the store. */
const GROWTHS = [
  { had: 0, has: 9 },
  { had: 3, has: 10 },
  { had: 6, has: 7 },
  { had: 1, has: 3 },
  { had: 0, has: 1 },
  { had: 4, has: 12 },
];

describe.each(["before", "after"] as const)("killed %s an operation", (when) => {
  test.each(firstOf(2, GROWTHS))(
    "a copy of $had versions gets $has",
    { tags: "deep" },
    async ({ had, has }) => {
      const old = memoryStorage();
      if (had > 0) await copy(await storeAt(had), old);
      const from = await storeAt(has);
      const reader = had === 0 ? null : await loadList({ storage: old, list: LIST, publicKeys });
      let kills = 0;
      for (let operation = 0; ; operation += IS_DEEP ? 1 : 3) {
        const to = await cloneOf(old);
        const problem = await problemOf(copy(from, killedAt(to, operation, when)));
        if (problem === null) break;
        expect(problem).toBeInstanceOf(Killed);
        kills++;
        // Readers find a version that the store has kept, or the one that they could read before.
        for (const storage of [to, withoutListings(to)]) {
          expect([had, has - 1, has]).toContain(await wholeVersion(storage));
          if (reader === null) continue;
          try {
            const next = await loadList({ storage, list: LIST, publicKeys }, reader);
            expect([had, has - 1, has]).toContain(next!.entry.manifest.version);
          } catch (error) {
            // The newest version exists already, but some versions before it do not.
            expect(error).toMatchObject({
              code: "missing",
              message: expect.stringMatching(
                /^Version \d+ of malware is missing, but version \d+ is/,
              ),
            });
          }
        }
        const there = await objectsIn(to);
        const again = recorded(to);
        await copy(from, again.storage);
        expect(again.created.filter((key) => there.includes(key))).toEqual([]);
        await checkCopy(to, from, has);
      }
      expect(kills).toBeGreaterThan(10);
    },
  );

  test.each(
    firstOf(
      5,
      Array.from({ length: 30 }, (_, i) => i),
    ),
  )("again and again, a copy becomes complete (seed %i)", async (seed) => {
    const random = randomNumbers(seed);
    const [from, to] = [await storeAt(12), memoryStorage()];
    for (;;) {
      const dying = killedAt(to, Math.floor(random() * 120), when);
      const problem = await problemOf(copy(from, dying));
      expect([0, 11, 12]).toContain(await wholeVersion(to));
      if (problem === null) break;
    }
    await checkCopy(to, from, 12);
  });
});

describe("an interrupted copy", () => {
  const isVersion = (key: string) => key.startsWith("lists/") && key.includes("/v/");

  /** A copy with all objects of the store but no version, interrupted three days ago according to its clock. */
  async function interrupted(from: Storage) {
    let clock = Date.now();
    const to = memoryStorage(() => clock++);
    const killed: Storage = {
      ...to,
      async create(key, bytes) {
        if (isVersion(key)) throw new Killed();
        return to.create(key, bytes);
      },
    };
    expect(await problemOf(copy(from, killed))).toBeInstanceOf(Killed);
    clock += 3 * DAY;
    return { to, now: () => clock };
  }

  test("loses no object when garbage is collected before it has gone on", async () => {
    const from = await storeAt(3);
    const { to, now } = await interrupted(from);
    const left = await objectsIn(to);
    let collections = 0;
    const collected: Storage = {
      ...to,
      async create(key, bytes) {
        if (isVersion(key)) {
          const options = { storage: to, publicKeys, keep: 1, keepChanges: 1, grace: DAY, now };
          await collectGarbage({ ...options, patience: 0 });
          collections++;
        }
        return to.create(key, bytes);
      },
    };
    const { objects } = await copy(from, collected);
    await checkCopy(to, from, 3);
    expect(left.length).toBeGreaterThan(3);
    expect(collections).toBe(3);
    // Objects that the copy already had were not read from the store again.
    expect(objects).toBe((await objectsIn(from)).length - left.length);
  });

  test("gets the objects again that were damaged or deleted in the meantime", async () => {
    const from = await storeAt(3);
    const { to } = await interrupted(from);
    for (const key of await objectsIn(to)) await to.put(key, Buffer.from("damaged"));
    await copy(from, to);
    await checkCopy(to, from, 3);
    const files = await filesOf(from);
    for (const [key, hex] of await filesOf(to)) expect([key, hex]).toEqual([key, files.get(key)]);
  });
});

describe("a copy that has lost objects", () => {
  /** A copy and the keys of all objects of its newest version. */
  async function copied(version: number) {
    let clock = Date.now();
    const [from, to] = [await storeAt(version), memoryStorage(() => clock++)];
    const { manifest } = await copy(from, to);
    const hashes = new Set<string>();
    await addContents(hashes, to, manifest);
    return { from, to, keys: [...hashes].map(objectKey) };
  }

  test("gets each of them again, although it is up to date", async () => {
    const { from, to, keys } = await copied(4);
    const complete = await filesOf(to);
    for (const key of keys) {
      await to.delete(key);
      const done = await copy(withoutListings(from), to);
      expect(done).toMatchObject({ versions: 0, objects: 1, repaired: 1 });
      expect(await filesOf(to)).toEqual(complete);
    }
    expect(await copy(from, to)).toMatchObject({ versions: 0, objects: 0, repaired: 0 });
  });

  test("gets them with the next version, and that version is complete", async () => {
    const { from, to, keys } = await copied(4);
    await extend(from, 5);
    const next = new Set<string>();
    await addContents(next, from, (await readEntry(from, LIST, 5))!.manifest);
    for (const key of keys) {
      const damaged = await cloneOf(to);
      await damaged.delete(key);
      const { versions, repaired } = await copy(from, damaged);
      expect([versions, repaired]).toEqual([1, next.has(key.split("/").at(-1)!) ? 1 : 0]);
      expect(await wholeVersion(damaged)).toBe(5);
    }
  });

  test("stays as it is while the store does not have them either", async () => {
    const { from, to, keys } = await copied(4);
    for (const key of keys) {
      const [empty, less] = [await cloneOf(from), await cloneOf(to)];
      await empty.delete(key);
      await less.delete(key);
      const before = await filesOf(less);
      expect(await problemOf(copy(empty, less))).toMatchObject({ code: "missing" });
      expect(await filesOf(less)).toEqual(before);
    }
  });

  test("gets damaged ones again if they are looked for, or an index is damaged", async () => {
    const { from, to, keys } = await copied(4);
    const complete = await filesOf(to);
    const { hashes } = (await readEntry(to, LIST, 4))!.manifest.base;
    for (const key of keys) {
      await to.put(key, Buffer.from("damaged"));
      expect(await copy(from, to, { checksCopy: true })).toMatchObject({ objects: 1, repaired: 1 });
      expect(await filesOf(to)).toEqual(complete);
      await to.put(key, Buffer.from("damaged"));
      await to.put(objectKey(hashes!), Buffer.from("damaged"));
      const count = key === objectKey(hashes!) ? 1 : 2;
      expect(await copy(from, to)).toMatchObject({ objects: count, repaired: count });
      expect(await filesOf(to)).toEqual(complete);
    }
    const { storage, created } = recorded(to);
    const put = () => expect.unreachable();
    const unchanged = { ...storage, put };
    expect(await copy(from, unchanged, { checksCopy: true })).toMatchObject({ objects: 0 });
    expect(created).toEqual([]);
  });

  test("gets one again that was damaged in the moment when copying begins", async () => {
    const { from, to, keys } = await copied(4);
    const [key] = keys as [string];
    const sameTime = await cloneOf(to, () => 0);
    await sameTime.put(key, Buffer.from("damaged"));
    expect(await copy(from, sameTime, { checksCopy: true })).toMatchObject({ repaired: 1 });
    expect(await filesOf(sameTime)).toEqual(await filesOf(to));
  });
});

describe("what is refused", () => {
  /** Expects that copying fails and changes no file of the copy. Returns the error. */
  async function refused(from: Storage, to: Storage, options: Parameters<typeof copy>[2] = {}) {
    const before = await filesOf(to);
    const problem = await problemOf(copy(from, to, options));
    expect(await filesOf(to)).toEqual(before);
    return problem;
  }

  async function copyOf(version: number): Promise<Storage> {
    const to = memoryStorage();
    await copy(await storeAt(version), to);
    return to;
  }

  test("a rollback", async () => {
    expect(await refused(await storeAt(2), await copyOf(3))).toMatchObject({
      code: "rolled-back",
      message:
        "The list malware was rolled back: it is at version 2, but version 3 was seen before",
    });
    expect(await refused(memoryStorage(), await copyOf(3))).toMatchObject({ code: "rolled-back" });
  });

  test("a replay of an old store, even to a new copy that has seen newer versions", async () => {
    const hash = (await readNewest({ storage: await storeAt(3), list: LIST, publicKeys }))!.hash;
    const seen = { version: 3, hash };
    const problem = { code: "rolled-back", message: /is at version 2, but version 3 was seen/ };
    expect(await refused(await storeAt(2), memoryStorage(), { seen })).toMatchObject({
      ...problem,
      message: expect.stringMatching(problem.message),
    });
    expect((await copy(await storeAt(4), memoryStorage(), { seen })).manifest.version).toBe(4);
    const other = { version: 3, hash: "0".repeat(64) };
    expect(await refused(await storeAt(4), memoryStorage(), { seen: other })).toMatchObject({
      code: "forked",
    });
  });

  test("a fork", async () => {
    const from = await completeStore(2);
    for (const version of [7, 8, 9]) await extend(from, version);
    expect(await refused(from, await copyOf(4))).toMatchObject({
      code: "forked",
      message: "Version 4 of malware is not the one that was seen before",
    });
    const broken = await storeAt(4);
    await broken.put(versionKey(3), (await from.get(versionKey(3)))!);
    expect(await refused(broken, memoryStorage())).toMatchObject({
      code: "forked",
      message: "Version 4 of malware does not follow version 3",
    });
    expect(await refused(broken, await copyOf(2))).toMatchObject({
      code: "forked",
      message: "Version 3 of malware is not the one that version 4 follows",
    });
  });

  test("a copy of another log, although the store has the version that was seen", async () => {
    const other = await completeStore(1);
    await extend(other, 9);
    const [from, to] = [await storeAt(4), memoryStorage()];
    await copy(other, to);
    const { hash } = (await readNewest({ storage: from, list: LIST, publicKeys }))!;
    expect(await refused(from, to, { seen: { version: 4, hash } })).toMatchObject({
      code: "forked",
      message: "Version 2 of malware in the copy is not the one to be copied",
    });
  });

  test("a fork of a version that was seen, although the copy has it, too", async () => {
    const fork = await completeStore(3);
    await extend(fork, 9);
    const hash = (await readNewest({ storage: await storeAt(4), list: LIST, publicKeys }))!.hash;
    const seen = { version: 4, hash };
    for (const version of [10, 11]) {
      const to = memoryStorage();
      await copy(fork, to);
      expect(await refused(fork, to, { seen })).toMatchObject({
        code: "forked",
        message: "Version 4 of malware is not the one that was seen before",
      });
      await extend(fork, version);
      expect(await refused(fork, to, { seen })).toMatchObject({ code: "forked" });
    }
  });

  test("a stolen old key", async () => {
    const next = await newSigner("next");
    const both = [signer.publicKey, next.publicKey];
    const from = memoryStorage();
    const publishAs = (by: Signer, keys: readonly string[], hash: string) =>
      publish({
        ...{ storage: from, list: LIST, signer: by, publicKeys: keys, lifetime: DAY },
        fullHashes: [hashesOf([hash])],
      });
    await publishAs(signer, publicKeys, "one.example/");
    await publishAs(signer, both, "two.example/");
    await publishAs(next, both, "three.example/");
    const to = memoryStorage();
    await copy(from, to, { publicKeys: both });
    await publishAs(next, [next.publicKey], "four.example/");
    const good = await cloneOf(from);
    // The reader also trusts the old key, so the store seems to be in order.
    await publishAs(next, [next.publicKey], "stolen.example/");
    await signAgain(from, LIST, 5, signer);
    expect(
      (await readNewest({ storage: from, list: LIST, publicKeys: both }))!.manifest.version,
    ).toBe(5);
    for (const copied of [to, memoryStorage()]) {
      expect(await refused(from, copied, { publicKeys: both })).toMatchObject({
        code: "wrongly-signed",
        message: "Version 5 of malware is not signed by a key that version 4 names",
      });
      expect(await refused(from, copied, { publicKeys: [next.publicKey] })).toMatchObject({
        code: "wrongly-signed",
        message: expect.stringMatching(/^Version 5 of malware is not signed by a trusted key/),
      });
      expect((await copy(good, copied, { publicKeys: both })).manifest.version).toBe(4);
    }
  });

  test.each([1, 2, 3])("a log without version %i", async (version) => {
    const from = await storeAt(4);
    await from.delete(versionKey(version));
    expect(await refused(from, memoryStorage())).toMatchObject({
      code: "missing",
      message: `Version ${version} of malware is missing`,
    });
  });

  test("an expired version, and one of the future", async () => {
    const from = await storeAt(2);
    const later = { now: () => Date.now() + 31 * DAY };
    expect(await refused(from, memoryStorage(), later)).toMatchObject({ code: "expired" });
    const earlier = { now: () => Date.now() - 2 * DAY };
    expect(await refused(from, memoryStorage(), earlier)).toMatchObject({
      code: "signed-in-future",
    });
  });

  test("a list that the store does not have, and names that are none", async () => {
    expect(await refused(memoryStorage(), memoryStorage())).toMatchObject({
      code: "missing",
      message: "The store has no list malware",
    });
    expect(await refused(memoryStorage(), memoryStorage(), { list: "../x" })).toMatchObject({
      code: "invalid",
    });
  });

  test("a storage that replaces files that exist", async () => {
    const memory = memoryStorage();
    const replacing = {
      ...memory,
      create: (key: string, bytes: Uint8Array) => memory.put(key, bytes).then(() => true),
    };
    expect(await refused(await storeAt(2), replacing)).toMatchObject({ code: "not-create-only" });
  });

  test("each object with wrong bytes, and each that is missing", async () => {
    const from = await storeAt(4);
    const needed = new Set<string>();
    const newest = await readNewest({ storage: from, list: LIST, publicKeys });
    await addContents(needed, from, newest!.manifest);
    expect(needed.size).toBeGreaterThan(4);
    for (const hash of needed) {
      const key = objectKey(hash);
      const [wrong, gone, to] = [await cloneOf(from), await cloneOf(from), await copyOf(2)];
      await wrong.put(key, Buffer.concat([(await from.get(key))!, Buffer.from(" ")]));
      expect(await problemOf(copy(wrong, to))).toMatchObject({
        code: "damaged",
        message: `The object ${hash} is damaged: its bytes have another hash`,
      });
      await gone.delete(key);
      expect(await problemOf(copy(gone, to))).toMatchObject({
        code: "missing",
        message: `The object ${hash} is missing`,
      });
      expect([2, 3]).toContain(await wholeVersion(to));
      await copy(from, to);
      await checkCopy(to, from, 4);
    }
  });
});

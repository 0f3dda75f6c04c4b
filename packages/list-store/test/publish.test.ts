import {
  collectGarbage,
  loadList,
  memoryStorage,
  type Publication,
  publish,
  readEntry,
  readNewest,
  renew,
  rollBack,
  type Storage,
  withdraw,
} from "@x/list-store";
import { openList } from "@x/list-store/serving";
import { describe, expect, test } from "vitest";
import { signNote } from "../src/signed-note.ts";
import { plainChecksum, plainList } from "./support/plain-list.ts";
import { baseOf, DAY, hashesOf, newSigner, publisher, signAgain } from "./support/publishing.ts";

const signer = await newSigner();
const KEYS = [signer.publicKey];

const readOne = async (storage: Storage, version: number) =>
  (await readEntry(storage, "malware", version))!.manifest;

describe("publish", () => {
  test("makes version 1 of a list", async () => {
    const storage = memoryStorage();
    const { outcome, manifest } = await publisher(storage, signer)("malware", ["b/", "a/", "b/"]);
    expect(outcome).toBe("changed");
    expect(manifest).toMatchObject({
      list: "malware",
      version: 1,
      previous: null,
      withdrawn: false,
    });
    expect(manifest.contents).toMatchObject({
      since: 1,
      prefixes: 2,
      fullHashes: 2,
      checksum: plainChecksum(plainList(hashesOf(["a/", "b/"]))),
    });
    expect(manifest.change).toMatchObject({ addedEntries: 2, removedEntries: 0 });
    expect((await readNewest({ storage, list: "malware", publicKeys: KEYS }))!.manifest).toEqual(
      manifest,
    );
  });

  test("makes no version when nothing changed", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["a/", "b/"]);
    expect((await publish("malware", ["b/", "a/"])).outcome).toBe("unchanged");
    expect(await readEntry(storage, "malware", 2)).toBeNull();
  });

  test("says how far it is", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    const said: string[] = [];
    const onProgress: Publication["onProgress"] = ({ list, step, objects }) =>
      void said.push(`${list} ${step} ${objects}`);
    await publish("malware", ["a/", "b/"], { onProgress });
    const folders = await storage.list("objects/sha256/");
    const objects = await Promise.all(
      folders.map(({ name }) => storage.list(`objects/sha256/${name}`)),
    );
    expect(said).toEqual([
      "malware sorting 0",
      "malware comparing 0",
      ...objects.flat().map((_, i) => `malware writing ${i + 1}`),
    ]);
    said.length = 0;
    await publish("malware", ["a/", "b/"], { onProgress });
    expect(said).toEqual(["malware sorting 0"]);
  });

  test("counts what came and went", async () => {
    const publish = publisher(memoryStorage(), signer);
    await publish("malware", ["a/", "b/", "c/"]);
    const { manifest } = await publish("malware", ["c/", "d/"]);
    expect(manifest.change).toMatchObject({ addedEntries: 1, removedEntries: 2 });
  });

  test("chains the versions of each list by themselves", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    const first = await publish("malware", ["a/"]);
    await publish("other", ["x/"]);
    const second = await publish("malware", ["b/"]);
    expect(second.manifest).toMatchObject({ version: 2, previous: first.hash });
    expect(await readEntry(storage, "other", 2)).toBeNull();
  });

  test("publishes an empty list, and withdraws one", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["a/"]);
    const empty = await publish("malware", []);
    expect(empty.manifest.contents).toMatchObject({ prefixes: 0, checksum: plainChecksum([]) });
    const withdrawn = await publish("malware", [], { withdrawn: true });
    expect(withdrawn).toMatchObject({
      outcome: "changed",
      manifest: { version: 3, withdrawn: true },
    });
    expect(withdrawn.manifest.contents.since).toBe(2);
    expect((await publish("malware", [], { withdrawn: true })).outcome).toBe("unchanged");
  });

  test("signs again before a version expires, and clients see nothing of it", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    const { manifest: first } = await publish("malware", ["a/"], { now: () => 0 });
    const early = { now: () => 10 * DAY, renewWithin: 5 * DAY };
    expect((await publish("malware", ["a/"], early)).outcome).toBe("unchanged");
    const late = await publish("malware", ["a/"], { now: () => 26 * DAY, renewWithin: 5 * DAY });
    expect(late).toMatchObject({ outcome: "renewed", manifest: { version: 2, expires: 56 * DAY } });
    expect(late.manifest.contents).toEqual(first.contents);
    expect(late.manifest.change).toBeNull();
  });

  test("writes nothing in a dry run", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    const { outcome, manifest } = await publish("malware", ["a/"], { dryRun: true });
    expect({ outcome, prefixes: manifest.contents.prefixes }).toEqual({
      outcome: "changed",
      prefixes: 1,
    });
    expect(await storage.list("")).toEqual([]);
  });

  test.each(["", "Malware", "a/b", "../a", "-a", "a".repeat(64)])(
    "refuses the list name %j",
    async (name) => {
      await expect(publisher(memoryStorage(), signer)(name, ["a/"])).rejects.toMatchObject({
        code: "invalid",
      });
    },
  );

  test("takes a create that seemed to fail for a success when its bytes are there", async () => {
    const storage = memoryStorage();
    const cut: Storage = {
      ...storage,
      async create(key, bytes) {
        const result = await storage.create(key, bytes);
        if (key.includes("/v/")) throw new Error("connection reset");
        return result;
      },
    };
    expect((await publisher(cut, signer)("malware", ["a/"])).manifest.version).toBe(1);
    expect(await readEntry(storage, "malware", 2)).toBeNull();
  });

  test("says so when a create fails and its bytes are not there", async () => {
    const storage = memoryStorage();
    const broken: Storage = {
      ...storage,
      async create(key, bytes) {
        if (key.includes("/v/")) throw new Error("disk full");
        return storage.create(key, bytes);
      },
    };
    await expect(publisher(broken, signer)("malware", ["a/"])).rejects.toThrow("disk full");
  });

  test("publishes on top of a version that another publisher made meanwhile", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["a/"]);
    let isFirst = true;
    const raced: Storage = {
      ...storage,
      async create(key, bytes) {
        if (key.includes("/v/") && isFirst) {
          isFirst = false;
          await publish("malware", ["a/", "theirs/"]);
        }
        return storage.create(key, bytes);
      },
    };
    const ours = await publisher(raced, signer)("malware", ["a/", "ours/"]);
    expect(ours.manifest.version).toBe(3);
    expect(ours.manifest.change).toMatchObject({ addedEntries: 1, removedEntries: 1 });
  });
});

describe("a store that is wrong", () => {
  async function publishedTwice() {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    const first = await publish("malware", ["a/", "b/"]);
    const second = await publish("malware", ["b/", "c/"]);
    return { storage, first, second };
  }
  const load = (
    storage: Storage,
    seen: { version: number; hash: string } | null = null,
    now = Date.now(),
  ) => loadList({ storage, list: "malware", publicKeys: KEYS, seen, now: () => now });
  const loadAll = async (storage: Storage) =>
    openList(storage, (await load(storage))!, { window: 0 });

  test("is readable when nothing is wrong", async () => {
    const { storage, second } = await publishedTwice();
    expect((await load(storage, { version: 2, hash: second.hash }))!.prefixes.size).toBe(2);
  });

  test.each(["prefixes", "index"] as const)("damaged: changed %s", async (which) => {
    const { storage, second } = await publishedTwice();
    const hash = (await baseOf(storage, second.manifest))[which];
    const key = `objects/sha256/${hash.slice(0, 2)}/${hash}`;
    const bytes = (await storage.get(key))!;
    bytes[bytes.length >> 1]! ^= 1;
    await storage.put(key, bytes);
    await expect(loadAll(storage)).rejects.toMatchObject({ code: "damaged" });
    await storage.delete(key);
    await expect(loadAll(storage)).rejects.toMatchObject({ code: "missing" });
  });

  test.each(["", "not a note\n", "urlhash-manifest/3\n{}\n\n— a b\n"])(
    "damaged: a manifest that reads %j",
    async (text) => {
      const { storage } = await publishedTwice();
      await storage.put("lists/malware/v/000000000002", Buffer.from(text));
      await expect(load(storage)).rejects.toMatchObject({ code: "damaged" });
    },
  );

  test("newer-format: a manifest of a newer version of this package", async () => {
    const { storage } = await publishedTwice();
    const note = await signNote("urlhash-manifest/4\n{}\n", await newSigner());
    await storage.put("lists/malware/v/000000000002", note);
    await expect(load(storage)).rejects.toMatchObject({ code: "newer-format" });
  });

  test("damaged: the manifest of another list or version", async () => {
    const { storage } = await publishedTwice();
    const one = (await storage.get("lists/malware/v/000000000001"))!;
    await storage.put("lists/malware/v/000000000002", one);
    await storage.put("lists/other/v/000000000001", one);
    await expect(load(storage)).rejects.toMatchObject({ code: "damaged" });
    await expect(loadList({ storage, list: "other", publicKeys: KEYS })).rejects.toMatchObject({
      code: "misplaced",
      list: "malware",
    });
  });

  test("wrongly signed: with another key", async () => {
    const storage = memoryStorage();
    await publisher(storage, await newSigner())("malware", ["a/"]);
    await expect(load(storage)).rejects.toMatchObject({ code: "wrongly-signed" });
  });

  test("wrongly signed: with a changed text", async () => {
    const { storage } = await publishedTwice();
    const key = "lists/malware/v/000000000002";
    const note = Buffer.from((await storage.get(key))!).toString();
    await storage.put(key, Buffer.from(note.replace('"withdrawn":false', '"withdrawn":true')));
    await expect(load(storage)).rejects.toMatchObject({ code: "wrongly-signed" });
  });

  test("rolled back: older than what was seen, also by a reader that runs", async () => {
    const { storage, second } = await publishedTwice();
    const loaded = await load(storage);
    await storage.delete("lists/malware/v/000000000002");
    const seen = { version: 2, hash: second.hash };
    await expect(load(storage, seen)).rejects.toMatchObject({ code: "rolled-back" });
    await expect(
      loadList({ storage, list: "malware", publicKeys: KEYS }, loaded!),
    ).rejects.toMatchObject({ code: "rolled-back" });
    await storage.put("lists/malware/head", Buffer.from("1\n"));
    await expect(load(storage, seen)).rejects.toMatchObject({ code: "rolled-back" });
  });

  test("forked: another version 2 than the one seen, and what follows it", async () => {
    const { storage, second } = await publishedTwice();
    const loaded = await load(storage);
    await storage.delete("lists/malware/v/000000000002");
    const publish = publisher(storage, signer);
    await publish("malware", ["z/"]);
    const seen = { version: 2, hash: second.hash };
    await expect(load(storage, seen)).rejects.toMatchObject({ code: "forked" });
    await expect(
      loadList({ storage, list: "malware", publicKeys: KEYS }, loaded!),
    ).rejects.toMatchObject({ code: "forked" });
    await publish("malware", ["y/"]);
    await expect(load(storage, seen)).rejects.toMatchObject({ code: "forked" });
  });

  test("expired", async () => {
    const { storage } = await publishedTwice();
    await expect(load(storage, null, Date.now() + 31 * DAY)).rejects.toMatchObject({
      code: "expired",
    });
  });

  test("a wrong hint misleads nobody", async () => {
    const { storage } = await publishedTwice();
    for (const hint of ["1\n", "0\n", "7\n", "x", "", "2"]) {
      await storage.put("lists/malware/head", Buffer.from(hint));
      expect((await load(storage))!.entry.manifest.version).toBe(2);
    }
    await storage.delete("lists/malware/head");
    expect((await load(storage))!.entry.manifest.version).toBe(2);
  });
});

test("the next version may be signed with any key that this one names", async () => {
  const storage = memoryStorage();
  const next = await newSigner("next");
  const both = [signer.publicKey, next.publicKey];
  await publisher(storage, signer)("malware", ["a/"]);
  const loaded = await loadList({ storage, list: "malware", publicKeys: KEYS });
  await publisher(storage, signer)("malware", ["b/"], { publicKeys: both });
  await publisher(storage, next)("malware", ["c/"], { publicKeys: both });
  const following = await loadList({ storage, list: "malware", publicKeys: KEYS }, loaded!);
  expect(following!.entry.manifest.version).toBe(3);
  await publisher(storage, next)("malware", ["d/"], { publicKeys: both });
  await signAgain(storage, "malware", 4, await newSigner("third"));
  await expect(
    loadList({ storage, list: "malware", publicKeys: KEYS }, following),
  ).rejects.toMatchObject({ code: "wrongly-signed" });
});

describe("nothing is signed that readers would refuse:", () => {
  test("by a key that the newest version does not name", async () => {
    const storage = memoryStorage();
    const next = await newSigner("next");
    await publisher(storage, signer)("malware", ["a/"]);
    const stored = { storage, list: "malware", signer: next, lifetime: DAY, renewWithin: 60 * DAY };
    const renewal = { ...stored, publicKeys: [signer.publicKey, next.publicKey] };
    const publication = { ...renewal, fullHashes: [hashesOf(["b/"])] };
    for (const signs of [
      () => publish(publication),
      () => publish({ ...publication, dryRun: true }),
      () => renew(renewal),
      () => withdraw(renewal),
      () => rollBack({ ...renewal, version: 1 }),
    ]) {
      await expect(signs()).rejects.toMatchObject({
        code: "wrongly-signed",
        message: expect.stringMatching(/^Version 1 of malware does not name this signing key/),
      });
    }
    expect(await readEntry(storage, "malware", 2)).toBeNull();
  });

  test("with a signature that is wrong", async () => {
    const storage = memoryStorage();
    const wrong = { ...signer, sign: async () => new Uint8Array(64) };
    const refused = { code: "wrongly-signed" };
    await expect(publisher(storage, wrong)("malware", ["a/"])).rejects.toMatchObject(refused);
    await publisher(storage, signer)("malware", ["a/"]);
    await expect(publisher(storage, wrong)("malware", ["b/"])).rejects.toMatchObject(refused);
    expect(await readEntry(storage, "malware", 2)).toBeNull();
  });

  test("by a key that is not one of the public keys", async () => {
    const storage = memoryStorage();
    for (const publicKeys of [[], [(await newSigner("other")).publicKey]]) {
      const signs = publisher(storage, signer)("malware", ["a/"], { publicKeys });
      await expect(signs).rejects.toMatchObject({
        code: "invalid",
        message: "The signing key does not belong to one of the public keys",
      });
    }
    expect(await storage.list("")).toEqual([]);
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("for %d ms", async (lifetime) => {
    const storage = memoryStorage();
    await expect(publisher(storage, signer)("malware", ["a/"], { lifetime })).rejects.toThrow(
      RangeError,
    );
    expect(await storage.list("")).toEqual([]);
  });
});

test("a version that can be neither created nor read is an error", async () => {
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["a/"]);
  const before = await storage.list("objects/sha256/");
  const stuck: Storage = {
    ...storage,
    create: async (key, bytes) =>
      key === "lists/malware/v/000000000002" ? false : storage.create(key, bytes),
  };
  await expect(publisher(stuck, signer)("malware", ["b/"])).rejects.toMatchObject({
    code: "damaged",
    message:
      "Version 2 of malware can be neither created nor read: look at lists/malware/v/000000000002 in the store",
  });
  expect(await storage.list("objects/sha256/")).toEqual(before);
});

describe("garbage collection", () => {
  const objects = async (storage: Storage) => {
    const names: string[] = [];
    for (const { name } of await storage.list("objects/sha256/")) {
      for (const entry of await storage.list(`objects/sha256/${name}`)) names.push(entry.name);
    }
    return names;
  };
  const collect = (storage: Storage, options = {}) =>
    collectGarbage({ storage, publicKeys: KEYS, keep: 1, keepChanges: 2, grace: 0, ...options });

  test("keeps manifests, the newest contents and recent changes", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    for (let i = 0; i < 5; i++) await publish("malware", [`a${i}/`, "b/"]);
    const oldest = await baseOf(storage, await readOne(storage, 1));
    await collect(storage);
    const left = await objects(storage);
    const newest = await readOne(storage, 5);
    const { prefixes, index, shards } = await baseOf(storage, newest);
    for (const hash of [prefixes, index, ...shards]) expect(left).toContain(hash);
    for (let version = 2; version <= 5; version++) {
      const { blocks } = await readOne(storage, version);
      expect(left).toContain(blocks[0]!.object);
    }
    for (const hash of Object.values(oldest).flat()) expect(left).not.toContain(hash);
    expect((await storage.list("lists/malware/v/")).map(({ name }) => Number(name))).toEqual([
      1, 2, 3, 4, 5,
    ]);
    expect((await publish("malware", ["a0/", "b/"])).manifest.version).toBe(6);
  });

  test("keeps what is young, and deletes nothing in a dry run", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    for (let i = 0; i < 5; i++) await publish("malware", [`a${i}/`]);
    await storage.create("tmp/left-behind", Buffer.from("half"));
    expect((await collect(storage, { grace: DAY })).deleted).toEqual([]);
    const planned = await collect(storage, { dryRun: true });
    expect(planned.deleted).toContain("tmp/left-behind");
    expect(await storage.get("tmp/left-behind")).not.toBeNull();
    expect((await collect(storage)).deleted).toEqual(planned.deleted);
    expect(await storage.get("tmp/left-behind")).toBeNull();
  });

  test("asks a slow storage for several files at a time", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    for (let i = 0; i < 20; i++) await publish("malware", [`a${i}/`]);
    for (let i = 0; i < 20; i++) {
      await storage.create(`objects/sha256/ab/ab${i}`, new Uint8Array(0));
    }
    const running = { get: 0, delete: 0 };
    const most = { get: 0, delete: 0 };
    async function slowly<Result>(name: "get" | "delete", run: () => Promise<Result>) {
      most[name] = Math.max(most[name], ++running[name]);
      await new Promise((resolve) => setImmediate(resolve));
      running[name]--;
      return run();
    }
    const slow: Storage = {
      ...storage,
      get: (key, most) => slowly("get", () => storage.get(key, most)),
      delete: (key) => slowly("delete", () => storage.delete(key)),
    };
    const planned = await collect(storage, { keepChanges: 20, dryRun: true });
    expect(await collect(slow, { keepChanges: 20 })).toEqual(planned);
    expect(most).toEqual({ get: 8, delete: 8 });
  });

  test("makes room on a full disk", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    for (let i = 0; i < 5; i++) await publish("malware", [`a${i}/`]);
    const fails = async () => {
      throw new Error("ENOSPC");
    };
    const planned = await collect(storage, { dryRun: true });
    expect(await collect({ ...storage, create: fails, put: fails })).toEqual(planned);
    expect(await objects(storage)).toHaveLength(planned.kept);
  });

  test("an object that is needed again becomes young again", async () => {
    let time = 0;
    const storage = memoryStorage(() => time);
    const publish = publisher(storage, signer);
    const now = () => time;
    for (const entry of ["a/", "b/", "c/", "d/"]) await publish("malware", [entry], { now });
    time = 10 * DAY;
    const { manifest } = await publish("malware", ["a/"], { now });
    await storage.delete("lists/malware/v/000000000005");
    await collect(storage, { grace: DAY, now: () => time });
    for (const hash of Object.values(await baseOf(storage, manifest)).flat()) {
      expect(await objects(storage)).toContain(hash);
    }
  });

  describe("with an old object that a publisher is about to need again", () => {
    const soon = () => new Promise((resolve) => setTimeout(resolve, 200));
    function promised() {
      let resolve = () => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      return { promise, resolve };
    }

    /**
     * A storage with three versions of one entry each. The shard of the oldest version, which is in `folder`, is
     * garbage.
     */
    async function oldStorage() {
      const clock = { time: 0 };
      const now = () => clock.time;
      const storage = memoryStorage(now);
      const publish = publisher(storage, signer);
      for (const entry of ["a/", "b/", "c/"]) await publish("malware", [entry], { now });
      clock.time = 10 * DAY;
      const [shard] = (await baseOf(storage, await readOne(storage, 1))).shards;
      const folder = `objects/sha256/${shard!.slice(0, 2)}/`;
      return { storage, now, folder, key: folder + shard! };
    }

    test.each([1, 2])(
      "waits for a publisher that begins when the folder has been read %i times",
      async (times) => {
        const { storage, now, folder, key } = await oldStorage();
        let published: Promise<unknown> = Promise.resolve();
        let lists = 0;
        const watched: Storage = {
          ...storage,
          async list(asked) {
            const entries = await storage.list(asked);
            if (asked === folder && ++lists === times) {
              published = publisher(storage, signer)("malware", ["a/"], { now });
              await Promise.race([published, soon()]);
            }
            return entries;
          },
        };
        await collect(watched, { grace: DAY, now });
        await published;
        expect(await storage.get(key)).not.toBeNull();
      },
    );

    test("waits for a publisher that began before", async () => {
      const { storage, now, folder, key } = await oldStorage();
      const { promise: listed, resolve: setListed } = promised();
      const { promise: renewed, resolve: setRenewed } = promised();
      const watched: Storage = {
        ...storage,
        async list(asked) {
          const entries = await storage.list(asked);
          if (asked !== folder) return entries;
          setListed();
          await renewed;
          return entries;
        },
      };
      let collected: Promise<unknown> = Promise.resolve();
      const slow: Storage = {
        ...storage,
        async put(asked, bytes) {
          if (asked !== key) return storage.put(asked, bytes);
          collected = collect(watched, { grace: DAY, now });
          await Promise.race([listed, soon()]);
          await storage.put(asked, bytes);
          setRenewed();
        },
      };
      await publisher(slow, signer)("malware", ["a/"], { now });
      await collected;
      expect(await storage.get(key)).not.toBeNull();
    });
  });
});

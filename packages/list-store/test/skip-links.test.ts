import {
  copyList,
  type LoadedList,
  loadList,
  memoryStorage,
  parseEntry,
  readEntry,
  readNewest,
  renew,
  type Storage,
} from "@x/list-store";
import { expect, test } from "vitest";
import { versionKey } from "../src/keys.ts";
import { formatManifest, type Manifest } from "../src/manifest.ts";
import { signNote } from "../src/signed-note.ts";
import { expectNumbers } from "./support/hash-sets.ts";
import { DAY, newSigner, publisher } from "./support/publishing.ts";

const LIST = "malware";
const VERSIONS = 200;
const signer = await newSigner();
const publicKeys = [signer.publicKey];
const hosts = (count: number) => Array.from({ length: count }, (_, i) => `${i}.example/`);

/** Counts the manifests that are read. */
function counted(storage: Storage) {
  const read = { manifests: 0 };
  const counting: Storage = {
    ...storage,
    get(key, most) {
      if (key.includes("/v/")) read.manifests++;
      return storage.get(key, most);
    },
  };
  return { read, counting };
}

const storage = memoryStorage();
const publish = publisher(storage, signer);
const stored = { storage, list: LIST, publicKeys };
const readers: LoadedList[] = [];
for (let version = 1; version <= VERSIONS; version++) {
  await publish(LIST, hosts(600 + version));
  readers.push((await loadList(stored, readers.at(-1)))!);
}
const newest = readers.at(-1)!;
const entryOf = async (version: number) => (await readEntry(storage, LIST, version))!;

/** The storage with a changed manifest of one version, signed with the right key. */
async function withVersion(version: number, change: Partial<Manifest>): Promise<Storage> {
  const { manifest } = await entryOf(version);
  const note = await signNote(formatManifest({ ...manifest, ...change }), signer);
  const key = versionKey(LIST, version);
  return { ...storage, get: async (each, most) => (each === key ? note : storage.get(each, most)) };
}

/** The storage without steps, as after garbage collection, so that readers skip ahead in the manifests. */
function withoutSteps(storage: Storage): Storage {
  return {
    ...storage,
    async get(key, most) {
      const bytes = await storage.get(key, most);
      const isStep = key.startsWith("objects/") && bytes !== null && isText(bytes, "step");
      return isStep ? null : bytes;
    },
  };
}

const isText = (bytes: Uint8Array, text: string) =>
  Buffer.from(bytes.subarray(0, text.length)).toString("latin1") === text;

test("each has the hashes of the last multiples of 4, 16 and 64 before the previous one", async () => {
  for (const [version, links] of [
    [1, []],
    [5, []],
    [6, [4]],
    [66, [64]],
    [200, [192, 196]],
    [197, [192]],
  ] as const) {
    const { earlier = {} } = (await entryOf(version)).manifest;
    expect(Object.keys(earlier).map(Number)).toEqual(links);
    for (const link of links) expect(earlier[link]).toBe((await entryOf(link)).hash);
  }
});

test("a reader of every version gets to the newest one, and reads few manifests", {
  tags: "deep",
}, async () => {
  for (const reader of readers) {
    for (const store of [storage, withoutSteps(storage)]) {
      const { read, counting } = counted(store);
      const loaded = (await loadList({ ...stored, storage: counting }, reader))!;
      expect(loaded.entry.hash).toBe(newest.entry.hash);
      expectNumbers(loaded.words, newest.words);
      expect(read.manifests).toBeLessThan(30);
    }
  }
});

test("a reader checks in few steps that the log has a version that was seen", async () => {
  for (const version of [1, 2, 63, 64, 65, 150]) {
    const { read, counting } = counted(storage);
    const { hash } = await entryOf(version);
    await readNewest({ ...stored, storage: counting, seen: { version, hash } });
    // Finding the newest version takes up to 24 reads.
    expect(read.manifests).toBeLessThan(40);
    const seen = { version, hash: "0".repeat(64) };
    await expect(readNewest({ ...stored, seen })).rejects.toMatchObject({ code: "forked" });
  }
});

test("a log that skips to another history is a fork", async () => {
  // From version 64, a reader skips to 128.
  const other = await withVersion(128, { earlier: { 64: "0".repeat(64), 112: "0".repeat(64) } });
  const loading = loadList({ ...stored, storage: withoutSteps(other) }, readers[64 - 1]!);
  await expect(loading).rejects.toMatchObject({ code: "forked" });
});

test("a version that is skipped to must have the version after it as a follower", async () => {
  const { earlier } = (await entryOf(128)).manifest;
  const other = await withVersion(128, { earlier, withdrawn: true });
  const loading = loadList({ ...stored, storage: withoutSteps(other) }, readers[64 - 1]!);
  await expect(loading).rejects.toMatchObject({ code: "forked" });
});

test("a hint above the newest version, or below the reader's, does no harm", {
  tags: "deep",
}, async () => {
  for (const hint of ["1\n", "100\n", "1000\n", "x", null]) {
    const head = hint === null ? null : Buffer.from(hint);
    const hinting: Storage = {
      ...storage,
      get: async (key, most) => (key.endsWith("/head") ? head : storage.get(key, most)),
    };
    for (const version of [1, 64, 150, 200]) {
      const loaded = await loadList({ ...stored, storage: hinting }, readers[version - 1]!);
      expect(loaded!.entry.hash).toBe(newest.entry.hash);
    }
  }
});

test("a reader follows keys that were changed in versions that it would skip", {
  tags: "deep",
}, async () => {
  const rotating = memoryStorage();
  const other = await newSigner("other");
  const keys = { storage: rotating, list: LIST, lifetime: 30 * DAY, renewWithin: 60 * DAY };
  await publisher(rotating, signer)(LIST, hosts(600));
  for (let version = 2; version <= 16; version++) {
    await renew({ ...keys, signer, publicKeys });
  }
  const before = await loadList({ ...stored, storage: rotating });
  await renew({ ...keys, signer, publicKeys: [signer.publicKey, other.publicKey] });
  await renew({ ...keys, signer: other, publicKeys: [signer.publicKey, other.publicKey] });
  for (let version = 19; version <= 70; version++) {
    await renew({ ...keys, signer: other, publicKeys: [other.publicKey] });
  }
  const loaded = await loadList({ ...stored, storage: rotating }, before);
  expect(loaded!.entry.manifest.version).toBe(70);
});

test("a log that was begun without such hashes is followed, and gets them", {
  tags: "deep",
}, async () => {
  const old = memoryStorage();
  const publishOld = publisher(old, signer);
  let first: LoadedList | null = null;
  for (let version = 1; version <= 20; version++) {
    await publishOld(LIST, hosts(600 + version));
    const key = versionKey(LIST, version);
    const { manifest } = await parseEntry((await old.get(key))!, LIST, version);
    const { earlier: _, ...rest } = manifest;
    await old.put(key, await signNote(formatManifest(rest), signer));
    first ??= await loadList({ ...stored, storage: old });
  }
  for (let version = 21; version <= 40; version++) await publishOld(LIST, hosts(600 + version));
  const loaded = await loadList({ ...stored, storage: old }, first);
  expect(loaded!.entry.manifest.version).toBe(40);
  expect(loaded!.words).toEqual((await loadList({ ...stored, storage: old }))!.words);
  expect(Object.keys(loaded!.entry.manifest.earlier!)).toEqual(["32", "36"]);
});

test("hashes of earlier versions that are no such hashes are damage", async () => {
  for (const earlier of [null, [], { 199: "0".repeat(64) }, { 0: "0".repeat(64) }, { 4: "x" }]) {
    const other = await withVersion(200, { earlier: earlier as never });
    const damaged = readNewest({ ...stored, storage: other });
    if (Array.isArray(earlier)) await expect(damaged).resolves.not.toBeNull();
    else await expect(damaged).rejects.toMatchObject({ code: "damaged" });
  }
});

test("a copy refuses a log whose hashes of earlier versions are others", {
  tags: "deep",
}, async () => {
  const other = await withVersion(200, { earlier: { 192: "0".repeat(64) } });
  const copy = copyList({ from: other, to: memoryStorage(), list: LIST, publicKeys });
  await expect(copy).rejects.toMatchObject({ code: "forked" });
});

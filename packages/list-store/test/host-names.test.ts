import {
  collectGarbage,
  copyList,
  type Manifest,
  memoryStorage,
  publish,
  readContents,
  removedHosts,
  rollBack,
  type Storage,
  withdraw,
} from "@x/list-store";
import {
  type HostNames,
  type HostNamesIndex,
  hostsOf,
  readHostNamesIndex,
} from "@x/list-store/host-names";
import { IS_DEEP } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import { encodeHostNamesIndex, objectsOfNames } from "../src/contents/host-names.ts";
import { formatManifest } from "../src/log/manifest.ts";
import { signNote } from "../src/log/signed-note.ts";
import { putObject } from "../src/objects.ts";
import { namesOf } from "./support/names-of.ts";
import { DAY, hashesOf, newSigner, publisher, randomNumbers } from "./support/publishing.ts";

const LIST = "malware";
const signer = await newSigner();
const publicKeys = [signer.publicKey];
const options = { list: LIST, signer, publicKeys, lifetime: 30 * DAY };

const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${from + i}.example/`);
const hostsOfEntries = (list: Iterable<string>) =>
  Array.from(list, (entry) => entry.slice(0, -1)).sort();

async function publishNamed(storage: Storage, list: Iterable<string>, given = namesOf(list)) {
  const { manifest } = await publisher(storage, signer)(LIST, list, { names: () => given });
  return manifest;
}

const indexIn = (storage: Storage, { contents }: Manifest) =>
  readHostNamesIndex(storage, contents.names!);

async function allOf<Item>(pieces: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const piece of pieces) all.push(...piece);
  return all;
}

async function hostsIn(storage: Storage, manifest: Manifest): Promise<string[]> {
  const hosts = await allOf(hostsOf(storage, await indexIn(storage, manifest)));
  return hosts.map(({ host }) => host);
}

const keyOf = (hash: string) => `objects/sha256/${hash.slice(0, 2)}/${hash}`;

/** Signs the newest version again with another index of names. */
async function withIndex(
  storage: Storage,
  manifest: Manifest,
  index: Uint8Array,
): Promise<Manifest> {
  const names = await putObject(storage, index);
  const changed = { ...manifest, contents: { ...manifest.contents, names } };
  const key = `lists/${LIST}/v/${String(manifest.version).padStart(12, "0")}`;
  await storage.put(key, await signNote(formatManifest(changed), signer));
  return changed;
}

describe.each(IS_DEEP ? [1, 2, 3, 4] : [1])("versions with names, seed %i", async (seed) => {
  const random = randomNumbers(seed);
  const [storage, copied] = [memoryStorage(), memoryStorage()];
  const manifests: Manifest[] = [];
  const lists: string[][] = [];
  const indexes: HostNamesIndex[] = [];
  let next = 1500;
  let list = new Set(entries(0, next));
  const drop = (share: number) => {
    list = new Set([...list].filter(() => random() >= share));
  };
  for (let version = 1; version <= (IS_DEEP ? 200 : 90); version++) {
    const changes = version % 40 === 0 ? 900 : Math.floor(random() * 12);
    drop(changes / list.size);
    list = new Set([...list, ...entries(next, next + Math.floor(random() * 2 * changes))]);
    next += 2 * changes;
    // Some hosts that were removed are added again.
    if (random() < 0.3) list.add(`${Math.floor(random() * 20)}.example/`);
    const manifest = await publishNamed(storage, list);
    if (manifest.version === lists.length) continue;
    manifests.push(manifest);
    lists.push(hostsOfEntries(list));
    indexes.push(await indexIn(storage, manifest));
    if (version % 5 === 0) await copyList({ from: storage, to: copied, list: LIST, publicKeys });
  }

  test("have their names, here and in a copy", async () => {
    await copyList({ from: storage, to: copied, list: LIST, publicKeys });
    for (const [i, manifest] of manifests.entries()) {
      for (const each of [storage, copied]) {
        expect((await hostsIn(each, manifest)).join()).toBe(lists[i]!.join());
      }
      const { below, alone } = indexes[i]!;
      const bytes = lists[i]!.join("").length;
      expect({ below, alone }).toEqual({
        below: { hosts: lists[i]!.length, bytes },
        alone: { hosts: 0, bytes: 0 },
      });
    }
  });

  test("are in layers, which are merged and become new bases", () => {
    const levels = indexes.flatMap(({ layers }) => layers.map(({ level }) => level));
    expect(Math.max(...levels)).toBeGreaterThan(0);
    const bases = new Set(indexes.map(({ base }) => base.parts.join()));
    expect(bases.size).toBeGreaterThan(1);
    // A list that has become short is stored completely more often.
    expect(bases.size).toBeLessThan(lists.length / 2);
    expect(Math.max(...indexes.map(({ layers }) => layers.length))).toBeLessThan(22);
  });

  test("can be collected, and rolled back to", async () => {
    const keep = 4;
    await collectGarbage({ storage, publicKeys, keep, keepChanges: keep, grace: 0 });
    const kept = new Set(indexes.slice(-keep).flatMap(objectsOfNames));
    const gone = new Set(indexes.slice(0, -keep).flatMap(objectsOfNames));
    for (const hash of gone) {
      expect((await storage.get(keyOf(hash))) !== null).toBe(kept.has(hash));
    }
    for (const [i, manifest] of [...manifests.entries()].slice(-keep)) {
      expect((await hostsIn(storage, manifest)).join()).toBe(lists[i]!.join());
    }
    const last = manifests.length;
    await withdraw({ ...options, storage });
    const { manifest } = await rollBack({ ...options, storage, version: last - 2 });
    expect((await hostsIn(storage, manifest)).join()).toBe(lists[last - 3]!.join());
  });
});

test("a version costs little more than the names that changed", async () => {
  const storage = memoryStorage();
  const hostOf = (number: number) => `${"x".repeat(90)}${number}.example/`;
  const list = Array.from({ length: 1200 }, (_, i) => hostOf(i));
  const known = new Set<string>();
  let written = 0;
  async function publishCounted(): Promise<void> {
    const manifest = await publishNamed(storage, list);
    const { names } = manifest.contents;
    for (const hash of [names!, ...objectsOfNames(await indexIn(storage, manifest))]) {
      if (!known.has(hash)) written += (await storage.get(keyOf(hash)))!.length;
      known.add(hash);
    }
  }
  await publishCounted();
  written = 0;
  const VERSIONS = 64;
  for (let version = 0; version < VERSIONS; version++) {
    for (let i = 0; i < 3; i++) list[version * 7 + i] = hostOf(10_000 + version * 7 + i);
    await publishCounted();
  }
  const changed = VERSIONS * 6 * hostOf(5000).length;
  expect((written - VERSIONS * 3000) / changed).toBeLessThan(4);
});

test("the same names in another order, or some of them twice, change nothing", async () => {
  const storage = memoryStorage();
  const list = entries(0, 100);
  await publishNamed(storage, list);
  const { hosts, ...about } = namesOf(list);
  const names = { ...about, hosts: [...hosts.toReversed(), ...hosts.slice(7)] };
  expect((await publishNamed(storage, list, names)).version).toBe(1);
});

test("what is known besides names makes a version of its own, and no new objects of names", async () => {
  const storage = memoryStorage();
  const list = entries(0, 600);
  const names = namesOf(list);
  const before = await indexIn(storage, await publishNamed(storage, list, names));
  const others: HostNames[] = [
    { ...names, isPublic: true },
    { ...names, publicSuffixes: 1 },
    { ...names, unnamed: { ...names.unnamed, paths: 2 } },
  ];
  for (const [i, other] of others.entries()) {
    const manifest = await publishNamed(storage, list, other);
    expect(manifest.version).toBe(2 + i);
    const { hosts: _, ...about } = other;
    expect(await indexIn(storage, manifest)).toEqual({ ...before, ...about });
  }
});

test("a list without any name has an index without objects", async () => {
  const storage = memoryStorage();
  const manifest = await publishNamed(storage, ["a.example/path"], namesOf([]));
  expect(await indexIn(storage, manifest)).toMatchObject({ base: { lines: 0, parts: [] } });
  expect(await hostsIn(storage, manifest)).toEqual([]);
});

test("many names are cut into objects of half a megabyte, which are read one after the other", async () => {
  const storage = memoryStorage();
  const long = (text: string) => `${"x".repeat(200)}${text}.example/`;
  let list = Array.from({ length: 12_000 }, (_, i) => long(`${i}`));
  const first = await publishNamed(storage, list);
  expect((await indexIn(storage, first)).base.parts).toHaveLength(5);
  // `a.example` comes before all other hosts, and `z.example` after them.
  const more = Array.from({ length: 2500 }, (_, i) => long(`${i * 4}y`));
  list = [...list.slice(2500), ...more, "a.example/", "z.example/"];
  const second = await publishNamed(storage, list);
  expect(await hostsIn(storage, second)).toEqual(hostsOfEntries(list));
  list = list.slice(1);
  const third = await publishNamed(storage, list);
  const index = await indexIn(storage, third);
  expect(index).toMatchObject({ base: { lines: 12_000 }, layers: [{ lines: 5002 }, { lines: 1 }] });
  expect(index.layers[0]!.parts).toHaveLength(3);
  expect(await hostsIn(storage, third)).toEqual(hostsOfEntries(list));

  let read = 0;
  const counting: Storage = {
    ...storage,
    get(key, most) {
      read++;
      return storage.get(key, most);
    },
  };
  await hostsOf(counting, index).next();
  // One object of the base and one of each layer are read.
  expect(read).toBe(3);
});

test.each(["", ".evil.example", "evil.example\nbad.example", "\n"])(
  "%j is no host, and is not published",
  async (host) => {
    const storage = memoryStorage();
    for (const isBelow of [true, false]) {
      const published = publishNamed(storage, [], { ...namesOf([]), hosts: [{ host, isBelow }] });
      await expect(published).rejects.toMatchObject({ code: "invalid" });
    }
    expect(await storage.list("objects/sha256/")).toEqual([]);
  },
);

test("a name that is removed is found in layers, too", async () => {
  const storage = memoryStorage();
  await publishNamed(storage, entries(0, 1000));
  await publishNamed(storage, entries(0, 1001));
  let removed: string[] = [];
  await publish({
    ...{ ...options, storage, fullHashes: [hashesOf(entries(2, 1000))] },
    async checkChange(change) {
      removed = await removedHosts(storage, change, 10);
    },
  });
  expect(removed).toEqual(["0.example", "1.example", "1000.example"]);
});

test.each<[string, (index: HostNamesIndex) => unknown]>([
  ["counts too few hosts", ({ below }) => ({ below: { ...below, hosts: below.hosts - 1 } })],
  ["counts too many bytes", ({ below }) => ({ below: { ...below, bytes: below.bytes + 1 } })],
  ["counts them as others", ({ below, alone }) => ({ below: alone, alone: below })],
  ["lacks a layer", () => ({ layers: [] })],
  ["lacks the base", () => ({ base: { lines: 0, parts: [] } })],
])("an index that %s is not taken for the names", async (_, change) => {
  const storage = memoryStorage();
  await publishNamed(storage, entries(0, 1000));
  const manifest = await publishNamed(storage, entries(1, 1003));
  const index = await indexIn(storage, manifest);
  const wrong = encodeHostNamesIndex(Object.assign({ ...index }, change(index)));
  const changed = await withIndex(storage, manifest, wrong);
  await expect(hostsIn(storage, changed)).rejects.toMatchObject({ code: "damaged" });
  await expect(readContents(storage, changed)).rejects.toMatchObject({ code: "damaged" });
  // The next version has the right names.
  const next = await publishNamed(storage, entries(2, 1003));
  expect(await hostsIn(storage, next)).toEqual(hostsOfEntries(entries(2, 1003)));
});

test.each([
  "{}",
  "[]",
  "null",
  '{"shards":["x"]}',
  '{"shards":[],"below":{"hosts":-1,"bytes":0}}',
  "\xff",
])("an index that reads %j is damaged", async (text) => {
  const storage = memoryStorage();
  const hash = await putObject(storage, Buffer.from(text, "latin1"));
  await expect(readHostNamesIndex(storage, hash)).rejects.toMatchObject({ code: "damaged" });
});

test.each<(index: HostNamesIndex) => object>([
  () => ({ whole: "x" }),
  () => ({ whole: undefined }),
  ({ base }) => ({ base: { ...base, lines: -1 } }),
  ({ base }) => ({ base: { ...base, parts: ["../../head"] } }),
  ({ base }) => ({ base: { lines: base.lines } }),
  () => ({ layers: [{}] }),
  () => ({ layers: [{ level: 0.5, lines: 0, parts: [] }] }),
  () => ({ layers: null }),
  () => ({ isPublic: 1 }),
])("an index with a wrong field is damaged, %#", async (change) => {
  const storage = memoryStorage();
  const index = await indexIn(storage, await publishNamed(storage, ["a.example/"]));
  const wrong = encodeHostNamesIndex(Object.assign({ ...index }, change(index)));
  const hash = await putObject(storage, wrong);
  await expect(readHostNamesIndex(storage, hash)).rejects.toMatchObject({ code: "damaged" });
});

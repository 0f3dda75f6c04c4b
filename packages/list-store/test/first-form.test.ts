import {
  collectGarbage,
  findFullHashes,
  loadList,
  memoryStorage,
  readContents,
  rollBack,
  type Storage,
} from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { expect, test } from "vitest";
import { readLayers } from "../src/contents/layers.ts";
import { formatManifest, type Manifest } from "../src/log/manifest.ts";
import { signNote } from "../src/log/signed-note.ts";
import { baseOf, DAY, hashesOf, newSigner, publisher } from "./support/publishing.ts";

/* Stores whose manifests have the form urlhash-manifest/1: each version names its prefixes and shards itself. */

const LIST = "malware";
const signer = await newSigner();
const publicKeys = [signer.publicKey];
const stored = (storage: Storage) => ({ storage, list: LIST, publicKeys });
const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${from + i}.example/`);

/** A store of one version, as the first publishers wrote it. */
async function firstStore(): Promise<Storage> {
  const storage = memoryStorage();
  const { manifest } = await publisher(storage, signer)(LIST, entries(0, 1000));
  const { prefixes: snapshot, index: shards, layers } = await baseOf(storage, manifest);
  const { since, prefixes, fullHashes, checksum } = manifest.contents;
  const contents = { since, prefixes, fullHashes, checksum, snapshot, shards };
  const text = formatManifest({ ...manifest, contents } satisfies Manifest);
  const first = text.replace("urlhash-manifest/2", "urlhash-manifest/1");
  await storage.put(`lists/${LIST}/v/000000000001`, await signNote(first, signer));
  await storage.delete(`objects/sha256/${layers.slice(0, 2)}/${layers}`);
  return storage;
}

const isListed = async (storage: Storage, entry: string) => {
  const list = (await loadList(stored(storage)))!;
  return (await findFullHashes(storage, list, fullHash(entry).subarray(0, 4))).length > 0;
};

test("they are read, and searched", async () => {
  const storage = await firstStore();
  expect((await loadList(stored(storage)))!.prefixes.size).toBe(1000);
  expect(await isListed(storage, "7.example/")).toBe(true);
  expect(await isListed(storage, "2000.example/")).toBe(false);
});

test("publishing the same entries changes nothing", async () => {
  const storage = await firstStore();
  const { outcome } = await publisher(storage, signer)(LIST, entries(0, 1000));
  expect(outcome).toBe("unchanged");
});

test("later versions are layers on top of them, and readers follow", async () => {
  const storage = await firstStore();
  const before = await loadList(stored(storage));
  const { manifest } = await publisher(storage, signer)(LIST, entries(5, 1010));
  expect(manifest.change).toMatchObject({ addedEntries: 10, removedEntries: 5 });
  const after = (await loadList(stored(storage), before))!;
  const { base, layers } = await readLayers(storage, manifest);
  expect(base.version).toBe(1);
  expect(layers).toHaveLength(1);
  expect(after.words).toEqual((await loadList(stored(storage)))!.words);
  for (const [entry, isThere] of [
    ["0.example/", false],
    ["7.example/", true],
    ["1009.example/", true],
  ] as const) {
    expect(await isListed(storage, entry)).toBe(isThere);
  }
});

test("they can be rolled back to, and are kept by garbage collection", async () => {
  const storage = await firstStore();
  await publisher(storage, signer)(LIST, entries(0, 10));
  const options = { keep: 2, keepChanges: 2, grace: 0 };
  await collectGarbage({ storage, publicKeys, ...options });
  const { manifest } = await rollBack({ ...stored(storage), signer, lifetime: DAY, version: 1 });
  const { fullHashes } = await readContents(storage, manifest);
  const sorted = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex").match(/.{64}/g)!.sort();
  expect(sorted(Buffer.concat(fullHashes))).toEqual(sorted(hashesOf(entries(0, 1000))));
});

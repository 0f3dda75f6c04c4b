import {
  copyList,
  loadList,
  memoryStorage,
  publish,
  readNewest,
  renew,
  retire,
  rollBack,
  type Storage,
  withdraw,
} from "@x/list-store";
import { expect, test } from "vitest";
import { formatManifest } from "../src/manifest.ts";
import { signNote } from "../src/signed-note.ts";
import { versionKey } from "../src/storage.ts";
import { DAY, hashesOf, newSigner } from "./support/publishing.ts";

const LIST = "malware";
const signer = await newSigner();
const publicKeys = [signer.publicKey];
const stored = (storage: Storage) => ({ storage, list: LIST, publicKeys });
const renewal = (storage: Storage) => ({ ...stored(storage), signer, lifetime: DAY });
const fullHashes = [hashesOf(["a.example/", "b.example/"])];
const YEARS = 365 * 50 * DAY;
const inFiftyYears = () => Date.now() + YEARS;

async function storeWithList(): Promise<Storage> {
  const storage = memoryStorage();
  await publish({ ...renewal(storage), fullHashes });
  return storage;
}

async function retiredStore(): Promise<Storage> {
  const storage = await storeWithList();
  await retire(renewal(storage));
  return storage;
}

/** Adds a version that a publisher without the rules would sign. */
async function addVersion(storage: Storage, changes: object, by = signer): Promise<void> {
  const { manifest, hash } = (await readNewest(stored(storage)))!;
  const version = manifest.version + 1;
  const block = { after: manifest.version, manifest: hash, object: "0".repeat(64) };
  const blocks = [{ ...block, bytes: 0, hashes: null }];
  const next = { ...manifest, version, previous: hash, blocks, ...changes };
  await storage.put(versionKey(LIST, version), await signNote(formatManifest(next), by));
}

test("readers of a retired list have an empty one that never expires", async () => {
  const storage = await storeWithList();
  const before = (await loadList(stored(storage)))!;
  const { outcome, manifest } = await retire(renewal(storage));
  expect(outcome).toBe("changed");
  expect(manifest).toMatchObject({ version: 2, withdrawn: true, retired: true });
  const now = inFiftyYears;
  for (const known of [null, before]) {
    const loaded = (await loadList({ ...stored(storage), now }, known))!;
    expect(loaded.entry.manifest).toEqual(manifest);
    expect(loaded.prefixes.size).toBe(0);
  }
});

test("a list is retired once", async () => {
  const storage = await retiredStore();
  expect(await retire(renewal(storage))).toMatchObject({ outcome: "unchanged" });
  const none = { ...renewal(storage), list: "other" };
  await expect(retire(none)).rejects.toMatchObject({ code: "missing" });
});

test("nothing can be published after a retirement, but other keys can sign it", async () => {
  const storage = await retiredStore();
  const refused = { code: "retired" };
  for (const respectsHold of [false, true]) {
    const again = publish({ ...renewal(storage), fullHashes, respectsHold });
    await expect(again).rejects.toMatchObject(refused);
  }
  await expect(withdraw(renewal(storage))).rejects.toMatchObject(refused);
  await expect(rollBack({ ...renewal(storage), version: 1 })).rejects.toMatchObject(refused);
  const always = { renewWithin: Number.POSITIVE_INFINITY };
  const next = await newSigner();
  const both = [...publicKeys, next.publicKey];
  await renew({ ...renewal(storage), ...always, publicKeys: both });
  const switched = { ...renewal(storage), signer: next, publicKeys: both };
  const { manifest } = await renew({ ...switched, ...always });
  expect(manifest).toMatchObject({ version: 4, retired: true });
  expect(await renew(switched)).toMatchObject({ outcome: "unchanged" });
  const loaded = await loadList({
    ...stored(storage),
    publicKeys: [next.publicKey],
    now: inFiftyYears,
  });
  expect(loaded!.prefixes.size).toBe(0);
});

test("a reader that has seen the retirement needs no files, and reads no later version", async () => {
  const storage = await retiredStore();
  const { entry, prefixes } = (await loadList(stored(storage)))!;
  await addVersion(storage, { retired: undefined, withdrawn: false });
  for (const files of [storage, memoryStorage(), await storeWithList()]) {
    const loaded = await loadList({ ...stored(files), now: inFiftyYears }, { entry, prefixes });
    expect(loaded).toMatchObject({ entry, prefixes: { size: 0 } });
  }
});

test("a version that revives a retired list is refused", async () => {
  for (const isSkipped of [false, true]) {
    const storage = await storeWithList();
    const before = (await loadList(stored(storage)))!;
    await retire(renewal(storage));
    const retired = (await loadList(stored(storage)))!;
    await addVersion(storage, { retired: undefined, withdrawn: false });
    if (isSkipped) await storage.delete(`lists/${LIST}/head`);
    const read = loadList(stored(storage), before);
    await expect(read).rejects.toMatchObject({ code: "retired" });
    expect(retired.entry.manifest.version).toBe(2);
  }
});

test("only the list's own key can retire it, and an older log is refused", async () => {
  const storage = await storeWithList();
  const before = (await loadList(stored(storage)))!;
  const changes = { withdrawn: true, retired: true, expires: Date.UTC(9999, 11, 31) };
  const contents = { ...before.entry.manifest.contents, fullHashes: 0, prefixes: 0 };
  await addVersion(storage, { ...changes, contents }, await newSigner());
  const forged = loadList(stored(storage), before);
  await expect(forged).rejects.toMatchObject({ code: "wrongly-signed" });
  const seen = { version: 2, hash: "0".repeat(64), retired: true as const };
  const old = loadList({ ...stored(await storeWithList()), seen });
  await expect(old).rejects.toMatchObject({ code: "rolled-back" });
  const forked = loadList({ ...stored(await retiredStore()), seen });
  await expect(forked).rejects.toMatchObject({ code: "forked" });
});

test("a retirement with entries, or one that expires, is no manifest", async () => {
  for (const changes of [
    { retired: true },
    { retired: true, withdrawn: true },
    { retired: true, withdrawn: true, expires: Date.UTC(9999, 11, 31) },
    { retired: "yes" },
  ]) {
    const storage = await storeWithList();
    await addVersion(storage, changes);
    await expect(loadList(stored(storage))).rejects.toMatchObject({ code: "damaged" });
  }
});

test("a mirror copies the retirement, and then needs no source", async () => {
  const other = memoryStorage();
  const from = await retiredStore();
  expect(await copyList({ from, to: other, list: LIST, publicKeys })).toMatchObject({
    versions: 2,
  });
  for (const gone of [memoryStorage(), await storeWithList()]) {
    const again = await copyList({ from: gone, to: other, list: LIST, publicKeys });
    expect(again).toMatchObject({ versions: 0, manifest: { retired: true } });
  }
  // Someone who can write to the mirror cannot make it stop copying.
  const { publicKey } = await newSigner();
  const trusting = copyList({
    from: memoryStorage(),
    to: other,
    list: LIST,
    publicKeys: [publicKey],
  });
  await expect(trusting).rejects.toMatchObject({ code: "rolled-back" });
});

test("a retired list whose files are gone is not said to be rolled back", async () => {
  const { manifest, hash } = (await readNewest(stored(await retiredStore())))!;
  const seen = { version: manifest.version, hash, retired: true } as const;
  const gone = memoryStorage();
  const refused = {
    code: "retired",
    message:
      "The list malware was retired in version 2, and its files are gone: publish new entries as a list with another name",
  };
  await expect(readNewest({ ...stored(gone), seen })).rejects.toMatchObject(refused);
  await expect(publish({ ...renewal(gone), seen, fullHashes })).rejects.toMatchObject(refused);
  // An older version is a rollback, as of any other list.
  await expect(readNewest({ ...stored(await storeWithList()), seen })).rejects.toMatchObject({
    code: "rolled-back",
  });
});

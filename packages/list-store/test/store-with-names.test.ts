import {
  collectGarbage,
  copyList,
  loadList,
  memoryStorage,
  publish,
  readContents,
  renew,
  rollBack,
  type Storage,
  signerOf,
} from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { expect, test } from "vitest";
import { DAY } from "./support/publishing.ts";
import old from "./vectors/store-with-names.json" with { type: "json" };
import written from "./vectors/written-stores.json" with { type: "json" };

/* Earlier releases could keep the host names of a list beside its hashes. Such a store is read and published on. */

const LIST = "malware";
const signer = await signerOf(written.signingKey);
const publicKeys = [signer.publicKey];
const start = Date.parse(old.time);
const hashesOf = (...hosts: string[]) => hosts.map((host) => fullHash(`${host}.example/`));
const hexOf = (hashes: readonly Uint8Array[]) =>
  hashes.map((hash) => Buffer.from(hash).toString("hex")).sort();

async function oldStore() {
  let time = start;
  const now = () => time;
  const storage = memoryStorage(now);
  for (const [key, file] of Object.entries(old.files)) {
    await storage.create(key, Buffer.from(file, "base64"));
  }
  const stored = { storage, list: LIST, publicKeys, now };
  const publication = { ...stored, signer, lifetime: 30 * DAY };
  return {
    ...{ storage, stored, publication },
    newest: async () => (await loadList(stored))!,
    pass(milliseconds: number) {
      time += milliseconds;
    },
  };
}

/** Whether any file of a store contains a host name. */
async function hasNames(storage: Storage, folder = ""): Promise<boolean> {
  for (const { name } of await storage.list(folder)) {
    const found = name.endsWith("/")
      ? await hasNames(storage, folder + name)
      : Buffer.from((await storage.get(folder + name))!).includes(".example");
    if (found) return true;
  }
  return false;
}

test("a store with names is read", async () => {
  const { storage, newest } = await oldStore();
  expect(await hasNames(storage)).toBe(true);
  const { entry } = await newest();
  expect(entry.manifest).toMatchObject({ version: 3, contents: { names: expect.any(String) } });
  const { fullHashes } = await readContents(storage, entry.manifest);
  expect(fullHashes.flatMap((piece) => Buffer.from(piece).toString("hex")).join("")).toBe(
    hexOf(hashesOf("b", "c")).join(""),
  );
});

test("the next version has no names, even if the entries are the same, and gc deletes the old ones", async () => {
  const { storage, publication, newest, pass } = await oldStore();
  const before = await newest();
  const { outcome } = await publish({ ...publication, fullHashes: hashesOf("b", "c") });
  expect(outcome).toBe("changed");
  const after = await newest();
  expect(after.entry.manifest.version).toBe(4);
  expect(after.entry.manifest.contents).not.toHaveProperty("names");
  expect(after.words).toEqual(before.words);
  const again = await publish({ ...publication, fullHashes: hashesOf("b", "c") });
  expect(again.outcome).toBe("unchanged");
  pass(2 * DAY);
  await collectGarbage({ ...publication, keep: 3, keepChanges: 10, grace: DAY });
  expect(await hasNames(storage)).toBe(false);
  expect((await newest()).words).toEqual(before.words);
});

test("a version that is only signed again has no names", async () => {
  const { publication, newest } = await oldStore();
  await renew({ ...publication, renewWithin: 60 * DAY });
  const { version, contents } = (await newest()).entry.manifest;
  expect(version).toBe(4);
  expect(contents).not.toHaveProperty("names");
});

test("an older version with names is restored without them", async () => {
  const { storage, publication, newest } = await oldStore();
  await rollBack({ ...publication, version: 2 });
  const { manifest } = (await newest()).entry;
  expect(manifest).toMatchObject({ version: 4, restores: 2, contents: { fullHashes: 3 } });
  expect(manifest.contents).not.toHaveProperty("names");
  expect((await readContents(storage, manifest)).fullHashes).not.toHaveLength(0);
});

test("a copy has the same manifests, but no names", async () => {
  const { stored, newest } = await oldStore();
  const to = memoryStorage(stored.now);
  await copyList({ ...stored, from: stored.storage, to });
  const copied = (await loadList({ ...stored, storage: to }))!;
  expect(copied.entry.hash).toBe((await newest()).entry.hash);
  expect(await hasNames(to)).toBe(false);
});

import {
  collectGarbage,
  copyList,
  type LoadedList,
  loadList,
  memoryStorage,
  readNewest,
  type Storage,
  StoreError,
} from "@x/list-store";
import { sampleSize } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import { formatManifest, parseEntry } from "../src/manifest.ts";
import { signNote } from "../src/signed-note.ts";
import { headKey, versionKey } from "../src/storage.ts";
import { writeSame } from "../src/write-contents.ts";
import { newSigner, publisher, putObject } from "./support/publishing.ts";

/*
 * A log of up to 130 000 versions, such as a log that is signed every five minutes for a year and three months. There
 * is no hint, and every signature is accepted, because other tests verify signatures.
 */

const LIST = "malware";
const LAST = sampleSize(130_000, 5000);
const signer = { ...(await newSigner()), sign: async () => new Uint8Array(64) };
const stored = { list: LIST, publicKeys: [signer.publicKey], verify: () => true };

const storage = memoryStorage();
await publisher(storage, signer)(LIST, ["one.example/", "two.example/"], {
  verify: () => true,
});
const first = (await loadList({ ...stored, storage }))!;
let newest = first.entry;
for (let version = 2; version <= LAST; version++) {
  const same = await writeSame(storage, (bytes) => putObject(storage, bytes), newest);
  const manifest = { ...newest.manifest, ...same, version, previous: newest.hash };
  const note = await signNote(formatManifest(manifest), signer);
  await storage.create(versionKey(LIST, version), note);
  newest = await parseEntry(note, LIST, version);
}
await storage.delete(headKey(LIST));

const withoutListings: Storage = {
  ...storage,
  async list() {
    throw new StoreError("unsupported", "no listings");
  },
};

const has = ({ entry, prefixes }: LoadedList) => [entry.hash, prefixes.size];

test("is read by a new reader, with listings or without", async () => {
  for (const each of [storage, withoutListings]) {
    expect(has((await loadList({ ...stored, storage: each }))!)).toEqual([newest.hash, 2]);
  }
});

test("is followed from the first version", async () => {
  const followed = (await loadList({ ...stored, storage: withoutListings }, first))!;
  expect(has(followed)).toEqual([newest.hash, 2]);
  // Only part of the log stays in memory.
  expect(followed.log.size).toBeLessThan(2000);
});

test("contains a version that was seen at its beginning", async () => {
  const seen = { version: 1, hash: first.entry.hash };
  expect((await readNewest({ ...stored, storage, seen }))!.hash).toBe(newest.hash);
  const other = { version: LAST - 1, hash: newest.hash };
  await expect(readNewest({ ...stored, storage, seen: other })).rejects.toMatchObject({
    code: "forked",
  });
});

test("is copied, and cleaned up", async () => {
  const to = memoryStorage();
  const { manifest, versions } = await copyList({ ...stored, from: withoutListings, to });
  expect([manifest.version, versions]).toEqual([LAST, LAST]);
  const { verify, publicKeys } = stored;
  await collectGarbage({ storage: to, publicKeys, verify, keep: 3, keepChanges: 200, grace: -1 });
  expect(has((await loadList({ ...stored, storage: to }))!)).toEqual([newest.hash, 2]);
});

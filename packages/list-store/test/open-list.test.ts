import { loadList, memoryStorage, type Storage } from "@x/list-store";
import { openList } from "@x/list-store/serving";
import { expect, test } from "vitest";
import { formatManifest } from "../src/manifest.ts";
import { entriesOf } from "../src/open-list.ts";
import { signNote } from "../src/signed-note.ts";
import { versionKey } from "../src/storage.ts";
import { trustedBefore } from "../src/trusted-log.ts";
import { DAY, newSigner, publisher } from "./support/publishing.ts";

const LIST = "malware";
const signer = await newSigner();
const storage = memoryStorage();
const publish = publisher(storage, signer);
const hosts = (count: number) => Array.from({ length: count }, (_, i) => `${i}.example/`);
const stored = { list: LIST, publicKeys: [signer.publicKey] };
for (const count of [600, 601, 601, 640, 630]) {
  await publish(LIST, hosts(count), { renewWithin: 60 * DAY });
}

async function open(from: Storage) {
  const reads: string[] = [];
  const counting: Storage = {
    ...from,
    get(key, most) {
      reads.push(key);
      return from.get(key, most);
    },
  };
  const list = await openList(counting, (await loadList({ ...stored, storage: counting }))!, {
    window: 10,
  });
  reads.length = 0;
  return {
    list,
    reads,
    entryOf: entriesOf(counting, trustedBefore(list.entry, { known: list.log })),
  };
}

test("reads the entry of a version once, however many ask for it", async () => {
  const { reads, entryOf } = await open(storage);
  const entries = await Promise.all([2, 1, 2, 3].map(entryOf));
  expect(entries.map(({ manifest }) => manifest.version)).toEqual([2, 1, 2, 3]);
  expect(entries[0]).toBe(entries[2]);
  expect(reads.toSorted()).toEqual([1, 2, 3, 4].map((version) => versionKey(LIST, version)));
});

test("verifies the entries of older versions by their hashes, and goes on after an error", async () => {
  const { manifest } = await (await open(storage)).entryOf(3);
  const forged = await signNote(formatManifest({ ...manifest, withdrawn: true }), signer);
  let isForged = true;
  const { list, entryOf } = await open({
    ...storage,
    get: async (key, most) =>
      isForged && key === versionKey(LIST, 3) ? forged : storage.get(key, most),
  });
  const forked = { code: "forked" };
  await expect(entryOf(3)).rejects.toMatchObject(forked);
  const asked = list.differenceSince(2, manifest.contents.checksum, "a");
  await expect(asked).rejects.toMatchObject(forked);
  isForged = false;
  expect((await entryOf(3)).manifest).toEqual(manifest);
});

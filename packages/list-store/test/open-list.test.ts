import { loadList, memoryStorage, type Storage } from "@x/list-store";
import { openList } from "@x/list-store/serving";
import { expect, test } from "vitest";
import { versionKey } from "../src/keys.ts";
import { formatManifest } from "../src/log/manifest.ts";
import { signNote } from "../src/log/signed-note.ts";
import { expectNumbers } from "./support/hash-sets.ts";
import { DAY, newSigner, publisher } from "./support/publishing.ts";

const LIST = "malware";
const signer = await newSigner();
const storage = memoryStorage();
const publish = publisher(storage, signer);
const hosts = (count: number) => Array.from({ length: count }, (_, i) => `${i}.example/`);
const stored = { list: LIST, publicKeys: [signer.publicKey] };
const words: Uint32Array[] = [];
for (const [i, count] of [600, 601, 601, 640, 630].entries()) {
  await publish(LIST, hosts(count), { renewWithin: 60 * DAY });
  words[i + 1] = (await loadList({ ...stored, storage }))!.words;
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
  return { list, reads };
}

test("says which prefixes each version added", async () => {
  const { list } = await open(storage);
  const added = [0, 600, 1, 0, 39, 0];
  for (let version = 1; version <= 5; version++) {
    const found = await list.addedBy(await list.entryOf(version));
    const before = new Set(words[version - 1]);
    expectNumbers(
      found,
      [...words[version]!].filter((word) => !before.has(word)),
    );
    expect(found).toHaveLength(added[version]!);
  }
});

test("reads the entry of a version once, however many ask for it", async () => {
  const { list, reads } = await open(storage);
  const entries = await Promise.all([2, 1, 2, 3].map((version) => list.entryOf(version)));
  expect(entries.map(({ manifest }) => manifest.version)).toEqual([2, 1, 2, 3]);
  expect(entries[0]).toBe(entries[2]);
  expect(reads.toSorted()).toEqual([1, 2, 3, 4].map((version) => versionKey(LIST, version)));
  expect([...list.log.keys()].sort()).toEqual([1, 2, 3, 4, 5]);
});

test("verifies the entries of older versions by their hashes, and goes on after an error", async () => {
  const { manifest } = await (await open(storage)).list.entryOf(3);
  const forged = await signNote(formatManifest({ ...manifest, withdrawn: true }), signer);
  let isForged = true;
  const { list } = await open({
    ...storage,
    get: async (key, most) =>
      isForged && key === versionKey(LIST, 3) ? forged : storage.get(key, most),
  });
  const forked = { code: "forked" };
  await expect(list.entryOf(3)).rejects.toMatchObject(forked);
  const asked = list.differenceSince(2, manifest.contents.checksum, "a");
  await expect(asked).rejects.toMatchObject(forked);
  isForged = false;
  expect((await list.entryOf(3)).manifest).toEqual(manifest);
});

import { type Manifest, memoryStorage, readNewest, type Storage } from "@x/list-store";
import { expect, test } from "vitest";
import { formatManifest } from "../src/manifest.ts";
import { signNote } from "../src/signed-note.ts";
import { parseVersion, versionKey, versionsFolder } from "../src/storage.ts";
import { newSigner, publisher } from "./support/publishing.ts";

const signer = await newSigner();
const KEYS = [signer.publicKey];
const LIST = "malware";
const LAST = 130_000;
const HASH = "0".repeat(64);

const manifest: Manifest = {
  list: LIST,
  version: LAST,
  previous: HASH,
  first: LAST,
  blocks: [],
  base: { version: LAST, object: HASH, bytes: 0, hashes: HASH },
  issued: 0,
  expires: 1,
  contents: { since: 1, prefixes: 0, fullHashes: 0, checksum: HASH, entries: HASH },
  change: null,
  withdrawn: false,
  nextSigners: KEYS,
};
const note = await signNote(formatManifest(manifest), signer);

/** A storage with many versions, except those in `missing`. Only the last version can be parsed. */
function longLog(hint: string | null, missing: readonly number[] = []) {
  let reads = 0;
  const folder = versionsFolder(LIST);
  const isStored = (version: number) =>
    version > 0 && version <= LAST && !missing.includes(version);
  const storage: Storage = {
    ...memoryStorage(),
    async get(key) {
      reads++;
      if (key === `lists/${LIST}/head`) return hint === null ? null : Buffer.from(hint);
      const version = key.startsWith(folder) ? parseVersion(key.slice(folder.length)) : null;
      if (version === null || !isStored(version)) return null;
      return version === LAST ? note : Buffer.from("not read");
    },
    async list() {
      const versions = Array.from({ length: LAST }, (_, i) => i + 1).filter(isStored);
      return versions.map((version) => ({
        name: versionKey(LIST, version).slice(folder.length),
        modified: 0,
      }));
    },
  };
  return { storage, reads: () => reads };
}

test.each([
  ["no hint", null],
  ["a hint that is not a number", "x"],
  ["a hint that is far behind", "1\n"],
  ["a hint that is a little behind", `${LAST - 1}\n`],
  ["a hint that is right", `${LAST}\n`],
  ["a hint beyond the log", "999999999999\n"],
])("finds version 130 000 with %s", async (_, hint) => {
  const { storage, reads } = longLog(hint);
  expect((await readNewest({ storage, list: LIST, publicKeys: KEYS }))?.manifest.version).toBe(
    LAST,
  );
  expect(reads()).toBeLessThan(100);
});

test.each([
  ["the only one above the hint", LAST - 1, LAST - 2],
  ["just above the hint", 2, 1],
  ["in the middle", 1 + 2 ** 10, 1 + 2 ** 10 - 1],
])("a missing version %s never makes an older one the newest", async (_, gap, hint) => {
  const { storage } = longLog(`${hint}\n`, [gap]);
  await expect(readNewest({ storage, list: LIST, publicKeys: KEYS })).rejects.toThrow(
    `Version ${gap} of malware is missing, but version`,
  );
});

test.each([1, 2, 3, 4, 7, 8, 9, 31, 32, 33])(
  "finds the newest of %i versions from every hint",
  async (count) => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    for (let version = 1; version <= count; version++) await publish(LIST, [`${version}/`]);
    for (let hint = 0; hint <= count + 1; hint++) {
      await storage.put(`lists/${LIST}/head`, Buffer.from(`${hint}\n`));
      expect((await readNewest({ storage, list: LIST, publicKeys: KEYS }))!.manifest.version).toBe(
        count,
      );
    }
  },
);

test("a version that another publisher makes during the search is no gap", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  for (let version = 1; version <= 4; version++) await publish(LIST, [`${version}/`]);
  await storage.put(`lists/${LIST}/head`, Buffer.from("1\n"));
  /** Versions that do not exist yet when they are first looked for. */
  const late = new Set([2, 3, 4].map((version) => versionKey(LIST, version)));
  const racing: Storage = {
    ...storage,
    async get(key) {
      if (key === versionKey(LIST, 2) && late.delete(key)) return null;
      return storage.get(key);
    },
  };
  expect(
    (await readNewest({ storage: racing, list: LIST, publicKeys: KEYS }))!.manifest.version,
  ).toBe(4);
});

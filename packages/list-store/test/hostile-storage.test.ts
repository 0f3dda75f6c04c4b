import {
  findFullHashes,
  type LoadedList,
  loadList,
  memoryStorage,
  parseEntry,
  readNewest,
  type Storage,
  StoreError,
} from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { firstOf, sampleSize } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import { formatManifest } from "../src/manifest.ts";
import { signNote } from "../src/signed-note.ts";
import { getObject } from "../src/storage.ts";
import { expectNumbers, expectPrefixes } from "./support/hash-sets.ts";
import { DAY, hashesOf, newSigner, publisher } from "./support/publishing.ts";

/*
 * Whatever a host does to the files of a small store, readers get exactly the signed list, or an error that names the
 * problem, and then keep their version. A damaged list is never read as empty, and a damaged entry never as not
 * listed.
 */

const LIST = "malware";
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const signer = await newSigner();
const publicKeys = [signer.publicKey];
const hosts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${from + i}.example/`);

/** The store has eight versions, two of which have a longer block. The reader `before` has the fifth one. */
const storage = memoryStorage();
const publishList = (entries: readonly string[]) =>
  publisher(storage, signer)(LIST, entries, { renewWithin: 60 * DAY });
const publishAndLoad = async (entries: readonly string[]) => {
  await publishList(entries);
  return (await loadList({ storage, list: LIST, publicKeys }))!;
};
for (let version = 1; version <= 4; version++) await publishList(hosts(0, 1599 + version));
const before = await publishAndLoad(hosts(1, 1604));
await publishList(hosts(1, 1604));
const seventh = await publishAndLoad(hosts(2, 1606));
const newest = await publishAndLoad(hosts(4, 1607));
const hashSet = (entries: readonly string[]) =>
  new Set(entries.map((entry) => hex(fullHash(entry))));
const HASHES = new Map([
  [before, hashSet(hosts(1, 1604))],
  [seventh, hashSet(hosts(2, 1606))],
  [newest, hashSet(hosts(4, 1607))],
]);
const LISTED = [...hosts(4, 8), ...hosts(1603, 1607)];
const NOT_LISTED = hosts(0, 4);

const folders = ["objects/sha256/", `lists/${LIST}/`];
async function keysIn(folder: string): Promise<string[]> {
  const keys: string[] = [];
  for (const { name } of await storage.list(folder)) {
    keys.push(...(name.endsWith("/") ? await keysIn(folder + name) : [folder + name]));
  }
  return keys;
}
const KEYS = (await Promise.all(folders.map(keysIn))).flat();
const versionKeys = KEYS.filter((key) => key.includes("/v/"));

/** The storage as readers see it if the host changes its files. */
function altered(change: (key: string) => string | ((bytes: Uint8Array) => void) | null): Storage {
  return {
    ...storage,
    async get(key, most) {
      const instead = change(key);
      if (instead === null) return null;
      if (typeof instead === "string") return storage.get(instead, most);
      const bytes = await storage.get(key, most);
      if (bytes !== null) instead(bytes);
      return bytes;
    },
    async list(folder) {
      const entries = await storage.list(folder);
      return entries.filter(({ name }) => name.endsWith("/") || change(folder + name) !== null);
    },
  };
}

const asItIs = () => {};

/**
 * Returns the error that a reader gets, `right` for the newest version, or the number of an older version. Until the
 * older version expires, a host may hide newer ones. Any other outcome fails the test.
 */
async function outcomeOf(
  storage: Storage,
  from: LoadedList | null,
  prefixBytes = 4,
): Promise<string> {
  const had = from && { entry: from.entry, words: from.words.join() };
  let outcome = "right";
  try {
    const list = await loadList({ storage, list: LIST, publicKeys, prefixBytes }, from);
    const signed = [...HASHES.keys()].find(({ entry }) => entry.hash === list!.entry.hash)!;
    expect(list!.entry).toEqual(signed.entry);
    expectNumbers(list!.words, signed.words);
    expectPrefixes(list!, prefixBytes, HASHES.get(signed)!);
    if (signed !== newest) return `version ${list!.entry.manifest.version}`;
    for (const entry of [...LISTED, ...NOT_LISTED]) {
      const found = await findFullHashes(storage, list!, fullHash(entry).subarray(0, 4));
      expect(found.map(hex)).toEqual(LISTED.includes(entry) ? [hex(hashesOf([entry]))] : []);
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    outcome = `${error.code}: ${error.message}`;
  }
  // The reader still has its old version.
  expect(from && { entry: from.entry, words: from.words.join() }).toEqual(had);
  return outcome;
}

/** Whether the reader stays at the previous version because the newest one is missing. */
function isHidden(missing: string, outcome: string): boolean {
  const isNewest = missing === versionKeys.at(-1);
  return isNewest && outcome === `version ${versionKeys.length - 1}`;
}

const READERS = [
  ["that is new", null, 4],
  ["that follows", before, 4],
  ["that is new, of prefixes of eight bytes", null, 8],
  ["that changes to prefixes of eight bytes", before, 8],
] as const;

describe.each(firstOf(3, READERS))("a reader %s", (_, from, prefixBytes) => {
  test("reads the store", async () => {
    expect(
      await outcomeOf(
        altered(() => asItIs),
        from,
        prefixBytes,
      ),
    ).toBe("right");
  });

  test("notices every byte that is changed", { tags: "deep", timeout: 600_000 }, async () => {
    const refused = new Set<string>();
    for (const changed of KEYS) {
      const { length } = (await storage.get(changed))!;
      // Objects are only compared with their hash, so few of their bytes are tried here, and more below. Older versions
      // are hardly read.
      const most = changed === versionKeys.at(-1) ? length : 64;
      const step = Math.max(1, Math.floor(length / sampleSize(most, 2)));
      const unnoticed = new Set<boolean>();
      for (let at = 0; at < length; at += step) {
        const flip = (bytes: Uint8Array) => {
          bytes[at]! ^= 1 << (at % 8);
        };
        const store = altered((key) => (key === changed ? flip : asItIs));
        const outcome = await outcomeOf(store, from, prefixBytes);
        unnoticed.add(outcome === "right");
        if (outcome === "right") continue;
        refused.add(changed);
        const name = changed.split("/").at(-1)!;
        if (changed.startsWith("objects/")) {
          expect(outcome).toBe(
            `damaged: The object ${name} is damaged: its bytes have another hash`,
          );
        } else {
          expect(outcome).toMatch(
            /^(damaged|forked|misplaced|older-format|wrongly-signed): Version \d of malware /,
          );
          expect(outcome).toContain(`ersion ${Number(name)} of `);
        }
      }
      // Whether a change is noticed depends only on the file, except that a changed hint may name another existing
      // version.
      if (!changed.endsWith("/head")) expect(unnoticed.size).toBe(1);
    }
    // Readers read the newest manifest, and the object that describes the full hashes of its base.
    for (const key of [versionKeys.at(-1)!, newest.entry.manifest.base.hashes!])
      expect([...refused].some((each) => each.endsWith(key))).toBe(true);
    expect(newest.entry.manifest).toMatchObject({
      base: { version: 1 },
      blocks: [{}, { after: 4 }],
    });
    expect(refused.size).toBeGreaterThanOrEqual(10);
  });

  test("notices every file that is missing", { tags: "deep" }, async () => {
    for (const missing of KEYS) {
      const outcome = await outcomeOf(
        altered((key) => (key === missing ? null : asItIs)),
        from,
        prefixBytes,
      );
      if (outcome === "right" || isHidden(missing, outcome)) continue;
      const name = missing.split("/").at(-1)!;
      if (missing.startsWith("objects/")) {
        expect(outcome).toBe(`missing: The object ${name} is missing`);
      } else {
        expect(outcome).toMatch(/^(missing|rolled-back): /);
        expect(outcome).toContain(`ersion ${Number(name)} `);
      }
    }
  });

  test("notices every pair of versions that is swapped", async () => {
    for (const [i, one] of versionKeys.entries()) {
      for (const other of versionKeys.slice(i + 1)) {
        const swap = new Map([
          [one, other],
          [other, one],
        ]);
        const outcome = await outcomeOf(
          altered((key) => swap.get(key) ?? asItIs),
          from,
          prefixBytes,
        );
        // Readers read only the newest version, because blocks prove that it follows the reader's own version.
        if (other === versionKeys.at(-1))
          expect(outcome).toMatch(/^damaged: Version \d .* says it is version \d$/);
        else expect(outcome).toBe("right");
      }
    }
  });

  test("notices every pair of objects that is swapped", { tags: "deep" }, async () => {
    const objects = KEYS.filter((key) => key.startsWith("objects/"));
    for (const [i, one] of objects.entries()) {
      for (const other of firstOf(3, objects.slice(i + 1))) {
        const swap = new Map([
          [one, other],
          [other, one],
        ]);
        const outcome = await outcomeOf(
          altered((key) => swap.get(key) ?? asItIs),
          from,
          prefixBytes,
        );
        expect(outcome).toMatch(
          /^right$|^damaged: The object [0-9a-f]{64} is damaged: |far too long$/,
        );
      }
    }
  });
});

test("no byte of an object can change", { timeout: 600_000 }, async () => {
  let changes = 0;
  for (const key of KEYS.filter((key) => key.startsWith("objects/"))) {
    const [hash, { length }] = [key.slice(-64), (await storage.get(key))!];
    const step = Math.floor(length / sampleSize(length, Math.ceil(length / 97)));
    for (let at = 0; at < length; at += step) {
      const flip = (bytes: Uint8Array) => {
        bytes[at]! ^= 1 << (at % 8);
      };
      const reading = getObject(
        altered(() => flip),
        hash,
      );
      await expect(reading).rejects.toMatchObject({
        code: "damaged",
        message: `The object ${hash} is damaged: its bytes have another hash`,
      });
      changes++;
    }
  }
  expect(changes).toBeGreaterThan(500);
});

test.each([
  ["0", "999999999999\n"],
  ["a version that no key can name", "9999999999999\n"],
  ["no number", "four\n"],
])("a hint that says %s", async (_, hint) => {
  const bytes = new TextEncoder().encode(hint);
  const store: Storage = {
    ...storage,
    get: async (key, most) => (key.endsWith("/head") ? bytes : storage.get(key, most)),
  };
  expect(await outcomeOf(store, null)).toBe("right");
});

test("a host that has every version is refused", async () => {
  const note = newest.entry.note;
  const store: Storage = {
    ...storage,
    get: async (key, most) => (key.includes("/v/") ? note : storage.get(key, most)),
  };
  expect(await outcomeOf(store, null)).toMatch(/^damaged: Version 999999999999 of malware /);
});

test("a host that shows a newer version after each search is given up", async () => {
  const asked = new Set<string>();
  let reads = 0;
  const endless: Storage = {
    ...storage,
    async get(key) {
      if (!key.includes("/v/")) return storage.get(key);
      reads++;
      const isEven = Number(key.slice(-12)) % 2 === 0;
      const isFirst = !asked.has(key);
      asked.add(key);
      return isFirst && !isEven ? null : new Uint8Array(1);
    },
  };
  const isGivenUp = {
    code: "damaged",
    message: expect.stringMatching(/^The store shows a newer version of malware after each/),
  };
  const list = { storage: endless, list: LIST, publicKeys };
  await expect(readNewest(list)).rejects.toMatchObject(isGivenUp);
  expect(reads).toBeLessThan(200);
  // A reader that trusts the hint does not search that often, and finds a version that is damaged.
  asked.clear();
  await expect(loadList(list)).rejects.toMatchObject({ code: "damaged" });
  asked.clear();
  const withoutHint = {
    ...endless,
    get: async (key: string) => (key.endsWith("/head") ? null : endless.get(key)),
  };
  await expect(loadList({ ...list, storage: withoutHint })).rejects.toMatchObject(isGivenUp);
});

test("a missing version does not keep a reader at the version before it", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  const stored = { storage, list: LIST, publicKeys };
  for (let version = 1; version <= 5; version++) await publish(LIST, hosts(0, 100 + version));
  const fifth = (await loadList(stored))!;
  for (let version = 6; version <= 8; version++) await publish(LIST, hosts(0, 100 + version));
  const { blocks } = (await loadList(stored))!.entry.manifest;
  const lost = blocks.map(({ object }) => object);
  // Without its blocks, the reader has to go from manifest to manifest.
  const gap: Storage = {
    ...storage,
    get: async (key, most) =>
      lost.includes(key.slice(-64)) || key.endsWith("/000000000006")
        ? null
        : storage.get(key, most),
  };
  await expect(loadList({ ...stored, storage: gap }, fifth)).rejects.toMatchObject({
    code: "missing",
    message: "Version 6 of malware is missing, but version 8 is there",
  });
});

test("a version that a reader skips to must be the one that later versions follow", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  const stored = { storage, list: LIST, publicKeys };
  for (let version = 1; version <= 4; version++) await publish(LIST, hosts(0, 100 + version));
  const fourth = (await loadList(stored))!;
  for (let version = 5; version <= 16; version++) await publish(LIST, hosts(0, 100 + version));
  const newest = (await loadList(stored))!;
  const lost = newest.entry.manifest.blocks.map(({ object }) => object);
  const read: string[] = [];
  /** The storage without the newest blocks, so that manifests must prove that the log contains the version. */
  const forging = (forged: string | null): Storage => ({
    ...storage,
    async get(key, most) {
      read.push(key);
      if (lost.includes(key.slice(-64))) return null;
      const note = await storage.get(key, most);
      if (note === null || key !== forged) return note;
      const { manifest } = await parseEntry(note, LIST, Number(key.slice(-12)));
      return signNote(formatManifest({ ...manifest, expires: manifest.expires + 1 }), signer);
    },
  });
  expect((await loadList({ ...stored, storage: forging(null) }, fourth))!.words).toEqual(
    newest.words,
  );
  const versions = new Set(read.filter((key) => key.includes("/v/")));
  expect([...versions].map((key) => Number(key.slice(-12))).sort((a, b) => a - b)).toEqual([
    4, 8, 12, 16, 17,
  ]);
  for (const key of [...versions].filter((key) => /08$|12$/.test(key))) {
    const loading = loadList({ ...stored, storage: forging(key) }, fourth);
    await expect(loading).rejects.toMatchObject({ code: "forked" });
  }
});

test("a prefix that is too short is refused, not taken for one that is not listed", async () => {
  const hash = fullHash(LISTED[0]!);
  for (const length of [0, 3, 33]) {
    const prefix = new Uint8Array([...hash, 0]).subarray(0, length);
    await expect(findFullHashes(storage, newest, prefix)).rejects.toThrow(RangeError);
  }
});

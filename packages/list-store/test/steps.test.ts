import {
  collectGarbage,
  copyList,
  type LoadedList,
  loadList,
  memoryStorage,
  publish,
  readEntry,
  renew,
  rollBack,
  type Storage,
  type StoredList,
  withdraw,
} from "@x/list-store";
import { diffPrefixLists } from "@x/prefix-list";
import { sampleSize } from "@x/test-support/sample-size";
import { beforeAll, describe, expect, test } from "vitest";
import { changeBetween, removalsOf } from "../src/change.ts";
import { countSteps, stepsTo } from "../src/follow-steps.ts";
import { objectKey, versionKey } from "../src/keys.ts";
import { formatManifest } from "../src/manifest.ts";
import { hashOf } from "../src/objects.ts";
import { signNote } from "../src/signed-note.ts";
import { applyStep, encodeStep, stepHead } from "../src/step.ts";
import { bytesOf } from "../src/words.ts";
import { changed, expectNumbers, type Hash, packed, someHash } from "./support/hash-sets.ts";
import { DAY, newSigner, randomNumbers } from "./support/publishing.ts";

const LIST = "malware";
const signer = await newSigner();
const publicKeys = [signer.publicKey];
const SEEDS = Array.from({ length: sampleSize(10, 1) }, (_, i) => i + 1);

/** Counts the manifests, the objects and all files that are read. */
function counted(storage: Storage) {
  const read = { manifests: 0, objects: 0, requests: 0 };
  const counting: Storage = {
    ...storage,
    get(key, most) {
      read.requests++;
      if (key.includes("/v/")) read.manifests++;
      if (key.startsWith("objects/")) read.objects++;
      return storage.get(key, most);
    },
  };
  return { read, counting };
}

async function stepOf(storage: Storage, object: string) {
  return { object, bytes: (await storage.get(objectKey(object)))! };
}

describe("steps", () => {
  test("lead from any version to any newer one in few steps", () => {
    expect(stepsTo(1)).toEqual([]);
    expect(stepsTo(2)).toEqual([1]);
    expect(stepsTo(7)).toEqual([6, 4]);
    expect(stepsTo(12)).toEqual([11, 9, 8]);
    expect(stepsTo(28)).toEqual([27, 25, 24, 16]);
    expect(stepsTo(32)).toEqual([31, 29, 28, 24, 20, 16]);
    for (let newer = 1; newer <= 150; newer++) {
      for (let older = 1; older <= newer; older++) {
        expect(countSteps(older, newer)).toBeLessThanOrEqual(15);
      }
    }
  });
});

/** A hash with a random prefix. */
function anyHash(random: () => number): Hash {
  const prefix = Math.floor(random() * 2 ** 32).toString(16);
  return prefix.padStart(8, "0").padEnd(64, "2");
}

/** The number of bytes that a reader downloads from a storage, including 500 bytes for each request. */
async function downloaded(stored: StoredList, before: LoadedList | null): Promise<number> {
  let bytes = 0;
  const { storage } = stored;
  const counting: Storage = {
    ...storage,
    async get(key, most) {
      const found = await storage.get(key, most);
      bytes += 500 + (found?.length ?? 0);
      return found;
    },
  };
  const kept = before && { entry: before.entry, prefixes: before.prefixes };
  await loadList({ ...stored, storage: counting }, kept);
  return bytes;
}

describe("readers of short lists", () => {
  test.each([300, 1000])(
    "download less than a new one, with %i entries",
    { tags: "deep" },
    async (count) => {
      const random = randomNumbers(count);
      const storage = memoryStorage();
      const stored = { storage, list: LIST, publicKeys };
      const hashes = Array.from({ length: count }, () => anyHash(random));
      const readers: LoadedList[] = [];
      for (let version = 1; version <= 60; version++) {
        hashes[Math.floor(random() * count)] = anyHash(random);
        const fullHashes = [packed(new Set(hashes))];
        await publish({ ...stored, signer, lifetime: DAY, fullHashes });
        readers.push((await loadList(stored, readers.at(-1)))!);
      }
      const whole = await downloaded(stored, null);
      for (const reader of readers) {
        expect(await downloaded(stored, reader)).toBeLessThan(whole);
      }
    },
  );

  test("download little more than a new one when garbage collection has left no way", {
    tags: "deep",
  }, async () => {
    const random = randomNumbers(5);
    const storage = memoryStorage();
    const stored = { storage, list: LIST, publicKeys };
    const hashes = Array.from({ length: 10_000 }, () => anyHash(random));
    let first: LoadedList | null = null;
    for (let version = 1; version <= 60; version++) {
      for (let i = 0; i < 2; i++) hashes[Math.floor(random() * 10_000)] = anyHash(random);
      const fullHashes = [packed(new Set(hashes))];
      await publish({ ...stored, signer, lifetime: DAY, fullHashes });
      first ??= (await loadList(stored))!;
    }
    await collectGarbage({ storage, publicKeys, keep: 3, keepChanges: 5, grace: 0 });
    const whole = await downloaded(stored, null);
    // The reader must still prove that its version is in the log, which takes some manifests.
    const proof = 20 * (500 + 1500);
    expect(await downloaded(stored, first)).toBeLessThan(whole + proof);
  });
});

test.each(SEEDS)(
  "they are the differences between two versions, seed %i",
  { tags: "deep" },
  async (seed) => {
    const random = randomNumbers(seed);
    const storage = memoryStorage();
    const stored = { storage, list: LIST, publicKeys };
    const renewal = { ...stored, signer, lifetime: DAY };
    let current: ReadonlySet<Hash> = new Set(Array.from({ length: 2000 }, () => someHash(random)));
    const readers: LoadedList[] = [];
    let long = 0;
    for (let version = 1; version <= 40; version++) {
      const chance = random();
      if (version > 3 && chance < 0.06) await withdraw(renewal);
      else if (version > 3 && chance < 0.15) {
        await rollBack({ ...renewal, version: 1 + Math.floor(random() * (readers.length - 1)) });
      } else if (version > 3 && chance < 0.3) await renew({ ...renewal, renewWithin: 2 * DAY });
      else {
        current = changed(current, random);
        await publish({ ...renewal, fullHashes: [packed(current)] });
      }
      const loaded = (await loadList(stored))!;
      const { version: newest, steps = [], contents } = loaded.entry.manifest;
      readers[newest] = loaded;
      for (const { after, object, bytes } of steps) {
        const older = readers[after]!;
        const step = await stepOf(storage, object);
        expect(step.bytes).toHaveLength(bytes);
        expect(stepHead(step)).toEqual({
          manifest: older.entry.hash,
          steps: older.entry.manifest.steps ?? [],
        });
        expectNumbers(applyStep(older.words, step), loaded.words);
        // The step is the same as one computed from both lists, which the publisher does not read.
        const change = changeBetween(older.words, loaded.words);
        expect(Buffer.compare(step.bytes, encodeStep(stepHead(step), loaded.words, change))).toBe(
          0,
        );
        const { removals, additions } = diffPrefixLists(older.prefixes, loaded.prefixes);
        expectNumbers(removalsOf(loaded.words, change), removals);
        expect(bytesOf(change.added)).toEqual(additions[0]?.rawHashes ?? new Uint8Array(0));
        if (newest - after > 1) long++;
      }
      for (const reader of readers.filter((each) => each !== undefined)) {
        const updated = (await loadList(stored, reader))!;
        expect(updated.prefixes.checksum).toBe(contents.checksum);
        expectNumbers(updated.words, loaded.words);
      }
    }
    expect(long).toBeGreaterThan(10);
  },
);

describe("a reader of a list of 3000", () => {
  const VERSIONS = 70;
  const readers: LoadedList[] = [];
  const storage = memoryStorage();
  const stored = { storage, list: LIST, publicKeys };
  beforeAll(async () => {
    const random = randomNumbers(7);
    const hashes = Array.from({ length: 3000 }, (_, i) =>
      String(i).padStart(4, "0").padEnd(8, "7").padEnd(64, "1"),
    );
    for (let version = 1; version <= VERSIONS; version++) {
      for (let i = 0; i < 3; i++) {
        hashes[Math.floor(random() * 3000)] = anyHash(random);
      }
      const fullHashes = [packed(new Set(hashes))];
      await publish({ ...stored, signer, lifetime: DAY, fullHashes });
      readers.push((await loadList(stored, readers.at(-1)))!);
    }
  });
  const newest = () => readers.at(-1)!;

  async function updated(from: Storage, behind: number) {
    const { read, counting } = counted(from);
    const reader = readers[VERSIONS - 1 - behind]!;
    const loaded = (await loadList({ ...stored, storage: counting }, reader))!;
    expect(loaded.entry.hash).toBe(newest().entry.hash);
    expectNumbers(loaded.words, newest().words);
    return read;
  }

  test.each([1, 4, 7])(
    "%i versions behind, reads only the newest manifest and steps",
    async (behind) => {
      const steps = countSteps(VERSIONS - behind, VERSIONS);
      // The other requests are for the hint, the newest manifest, and the version after it, which does not exist.
      const expected = { manifests: 2, objects: steps, requests: 3 + steps };
      expect(await updated(storage, behind)).toEqual(expected);
    },
  );

  test("goes on when the hint is behind", async () => {
    const hinting: Storage = {
      ...storage,
      get: async (key, most) =>
        key.endsWith("/head") ? Buffer.from(`${VERSIONS - 1}\n`) : storage.get(key, most),
    };
    expect(await updated(hinting, 2)).toMatchObject({ manifests: 3 });
  });

  test.each(["missing", "damaged"])("takes another way when a step is %s", async (how) => {
    for (const { object } of newest().entry.manifest.steps!) {
      const broken: Storage = {
        ...storage,
        async get(key, most) {
          const bytes = await storage.get(key, most);
          if (!key.endsWith(object)) return bytes;
          return how === "missing" ? null : bytes!.fill(0, 3);
        },
      };
      await updated(broken, 1);
      await updated(broken, 7);
    }
  });

  test("takes another way when a publisher wrote a step that results in another list", async () => {
    const { manifest } = newest().entry;
    const before = readers.at(-2)!;
    const { manifest: hash, steps } = stepHead(await stepOf(storage, manifest.steps![0]!.object));
    const added = Uint32Array.of(5);
    const words = Uint32Array.from([5, ...before.words]);
    const change = { removed: new Uint32Array(0), added };
    for (const bytes of [
      encodeStep({ manifest: hash, steps }, words, change),
      encodeStep({ manifest: hash, steps }, words, change).subarray(0, -1),
      Buffer.from("no step"),
    ]) {
      const object = await hashOf(bytes);
      const link = { after: VERSIONS - 1, object, bytes: bytes.length };
      const note = await signNote(formatManifest({ ...manifest, steps: [link] }), signer);
      const other: Storage = {
        ...storage,
        async get(key, most) {
          if (key === objectKey(object)) return bytes;
          return key === versionKey(LIST, VERSIONS) ? note : storage.get(key, most);
        },
      };
      const loaded = (await loadList({ ...stored, storage: other }, before))!;
      expectNumbers(loaded.words, newest().words);
    }
  });

  test("refuses a step from another version of the same number, and so does a copy", async () => {
    const { manifest } = newest().entry;
    const none = { removed: new Uint32Array(0), added: new Uint32Array(0) };
    const bytes = encodeStep({ manifest: "0".repeat(64), steps: [] }, newest().words, none);
    const object = await hashOf(bytes);
    const link = { after: VERSIONS - 2, object, bytes: bytes.length };
    const note = await signNote(formatManifest({ ...manifest, steps: [link] }), signer);
    const other: Storage = {
      ...storage,
      async get(key, most) {
        if (key === objectKey(object)) return bytes;
        return key === versionKey(LIST, VERSIONS) ? note : storage.get(key, most);
      },
    };
    const reader = readers.at(-3)!;
    const loading = loadList({ ...stored, storage: other }, reader);
    await expect(loading).rejects.toMatchObject({ code: "forked" });
    const copying = copyList({ from: other, to: memoryStorage(), list: LIST, publicKeys });
    await expect(copying).rejects.toMatchObject({ code: "forked" });
  });

  test("reads a copy, and what garbage collection leaves, in the same way", async () => {
    const copy = memoryStorage();
    await copyList({ from: storage, to: copy, list: LIST, publicKeys });
    await collectGarbage({ storage: copy, publicKeys, keep: 1, keepChanges: 20, grace: 0 });
    for (const behind of [1, 4, 7]) {
      const expected = await updated(storage, behind);
      expect(await updated(copy, behind)).toEqual(expected);
    }
    await updated(copy, 60);
  });

  test("follows keys that were changed in versions that the steps skip", async () => {
    const rotating = memoryStorage();
    const copied = { from: storage, to: rotating, list: LIST, publicKeys };
    await copyList(copied);
    const other = await newSigner("other");
    const keys = { storage: rotating, list: LIST, lifetime: 30 * DAY, renewWithin: 60 * DAY };
    await renew({ ...keys, signer, publicKeys: [signer.publicKey, other.publicKey] });
    for (let i = 0; i < 3; i++) {
      const publicKeys = [signer.publicKey, other.publicKey].slice(i === 0 ? 0 : 1);
      await renew({ ...keys, signer: other, publicKeys });
    }
    const loaded = (await loadList({ ...stored, storage: rotating }, newest()))!;
    expect(loaded.entry.manifest.version).toBe(VERSIONS + 4);
    expect((await readEntry(rotating, LIST, VERSIONS + 4))!.manifest.steps).not.toEqual([]);

    // An attacker who has a withdrawn key and can add files adds a version that continues an old one.
    const none = { removed: new Uint32Array(0), added: new Uint32Array(0) };
    const step = encodeStep({ manifest: newest().entry.hash, steps: [] }, newest().words, none);
    const object = await hashOf(step);
    const { manifest, hash } = loaded.entry;
    const facts = { version: VERSIONS + 5, previous: hash, earlier: undefined, change: null };
    const steps = [{ after: VERSIONS, object, bytes: step.length }];
    const note = await signNote(formatManifest({ ...manifest, ...facts, steps }), signer);
    await rotating.create(objectKey(object), step);
    await rotating.create(versionKey(LIST, VERSIONS + 5), note);
    await rotating.put(`lists/${LIST}/head`, Buffer.from(`${VERSIONS + 5}\n`));
    const refused = { code: "wrongly-signed" };
    await expect(loadList({ ...stored, storage: rotating }, loaded)).rejects.toMatchObject(refused);
    const copying = copyList({ from: rotating, to: memoryStorage(), list: LIST, publicKeys });
    await expect(copying).rejects.toMatchObject(refused);
    // As `docs/store-format.md` says, a reader that has not seen the withdrawal is misled.
    const misled = await loadList({ ...stored, storage: rotating }, newest());
    expect(misled!.entry.manifest.version).toBe(VERSIONS + 5);
  });
});

import {
  collectGarbage,
  copyList,
  findFullHashes,
  type LoadedList,
  loadList,
  memoryStorage,
  publish,
  readEntry,
  readNewest,
  renew,
  rollBack,
  type Storage,
  type StoredList,
  withdraw,
} from "@x/list-store";
import { sampleSize } from "@x/test-support/sample-size";
import { beforeAll, describe, expect, test } from "vitest";
import { changeIn, encodeBlock, isWritten, linksIn } from "../src/block.ts";
import { applyChange, changeBetween, netChange } from "../src/change.ts";
import { formatManifest, type Manifest } from "../src/manifest.ts";
import { signNote } from "../src/signed-note.ts";
import { objectKey, versionKey } from "../src/storage.ts";
import { bytesOf, NO_WORDS, WORD_SETS } from "../src/words.ts";
import { changed, expectNumbers, type Hash, packed, someHash } from "./support/hash-sets.ts";
import { DAY, newSigner, putObject, randomNumbers } from "./support/publishing.ts";

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

async function blockOf(storage: Storage, object: string) {
  return { object, bytes: (await storage.get(objectKey(object)))! };
}

/** The versions from which blocks lead to a version, if the publisher has written all of them. */
function blocksTo(version: number): number[] {
  const after = [version - 1];
  for (let span = 4; version % span === 0 && version > span; span *= 4) after.push(version - span);
  return after.filter((each) => each > 0);
}

/** The number of blocks that lead from a version to a newer one. */
function countBlocks(older: number, newer: number): number {
  let count = 0;
  for (let at = newer; at > older; count++) at = blocksTo(at).findLast((after) => after >= older)!;
  return count;
}

test("blocks lead from any version to any newer one, and few of them are needed", () => {
  for (let newer = 1; newer <= 300; newer++) {
    for (let older = 1; older <= newer; older++) {
      expect(countBlocks(older, newer)).toBeLessThanOrEqual(3 * Math.log2(newer + 1));
    }
  }
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
    "download little more than a new one, and less if they are close, with %i entries",
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
      // Each block that leads to the newest version takes a request.
      const blocks = 3 * Math.log2(readers.length) * 500;
      for (const [i, reader] of readers.entries()) {
        const isClose = i >= readers.length - 3;
        expect(await downloaded(stored, reader)).toBeLessThan(isClose ? whole : whole + blocks);
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
  "they are the changes between two versions, seed %i",
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
      const { version: newest, blocks, contents } = loaded.entry.manifest;
      readers[newest] = loaded;
      expect(blocks.map((block) => block.after)).toEqual(blocksTo(newest));
      expect(blocks.slice(0, 1).every(isWritten)).toBe(true);
      for (const { after, manifest, object, bytes } of blocks) {
        const older = readers[after]!;
        expect(manifest).toBe(older.entry.hash);
        // Longer blocks that would change more than half of the list are left out.
        if (object === null) continue;
        const block = await blockOf(storage, object);
        expect(block.bytes).toHaveLength(bytes);
        expect(linksIn(block)).toEqual(older.entry.manifest.blocks);
        const change = changeIn(block);
        expectNumbers(applyChange(older.words, change), loaded.words);
        // Only prefixes whose full hashes changed are in both parts.
        const net = netChange(change, WORD_SETS);
        const expected = changeBetween(older.words, loaded.words);
        expectNumbers(net.removed, expected.removed);
        expectNumbers(net.added, expected.added);
        if (newest - after > 1) long++;
      }
      for (const reader of readers.filter((each) => each !== undefined)) {
        const updated = (await loadList(stored, reader))!;
        expect(updated.prefixes.checksum).toBe(contents.checksum);
        expectNumbers(updated.words, loaded.words);
      }
    }
    expect(long).toBeGreaterThan(2);
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

  /** The storage with another newest manifest, signed with the right key. */
  async function withNewest(change: Partial<Manifest>): Promise<Storage> {
    const { manifest } = newest().entry;
    const note = await signNote(formatManifest({ ...manifest, ...change }), signer);
    const key = versionKey(LIST, VERSIONS);
    return {
      ...storage,
      get: async (each, most) => (each === key ? note : storage.get(each, most)),
    };
  }

  /** The storage with another block from the version before the newest one. */
  async function withBlock(bytes: Uint8Array): Promise<Storage> {
    const [link] = newest().entry.manifest.blocks as [Manifest["blocks"][number]];
    const object = await putObject(storage, bytes);
    return withNewest({ blocks: [{ ...link, object, bytes: bytes.length }] });
  }

  const newestBlock = () => blockOf(storage, newest().entry.manifest.blocks[0]!.object!);

  test("has the blocks that its version number allows", async () => {
    for (const [version, after] of [
      [1, []],
      [7, [6]],
      [12, [11, 8]],
      [16, [15, 12]],
      [32, [31, 28, 16]],
      [64, [63, 60, 48]],
    ] as const) {
      const { manifest } = (await readEntry(storage, LIST, version))!;
      expect(manifest.blocks.map((block) => block.after)).toEqual(after);
    }
  });

  test.each([1, 4, 7])(
    "%i versions behind, reads only the newest manifest and blocks",
    async (behind) => {
      const blocks = countBlocks(VERSIONS - behind, VERSIONS);
      // The other requests are for the hint, the newest manifest, and the version after it, which does not exist.
      const expected = { manifests: 2, objects: blocks, requests: 3 + blocks };
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

  test.each(["missing", "damaged"])("keeps its version when a block is %s", async (how) => {
    const { object } = await newestBlock();
    const broken: Storage = {
      ...storage,
      async get(key, most) {
        const bytes = await storage.get(key, most);
        if (!key.endsWith(object)) return bytes;
        return how === "missing" ? null : bytes!.fill(0, 3);
      },
    };
    for (const behind of [1, 7]) {
      await expect(updated(broken, behind)).rejects.toMatchObject({ code: how });
    }
  });

  test("refuses a block that results in another list, or that is none", async () => {
    const right = await newestBlock();
    for (const bytes of [
      encodeBlock(linksIn(right), { removed: NO_WORDS, added: Uint32Array.of(5) }),
      right.bytes.slice(0, -1),
      right.bytes.slice(0, 5),
      Buffer.from("no block"),
    ]) {
      const other = await withBlock(bytes);
      await expect(updated(other, 1)).rejects.toMatchObject({ code: "damaged" });
    }
  });

  test("refuses a manifest that leaves out the shortest block", async () => {
    const [link] = newest().entry.manifest.blocks as [Manifest["blocks"][number]];
    const other = await withNewest({ blocks: [{ ...link, object: null, bytes: 0, hashes: null }] });
    await expect(readNewest({ ...stored, storage: other })).rejects.toMatchObject({
      code: "damaged",
      message: expect.stringMatching(/^Version 70 of malware is damaged/),
    });
  });

  test("refuses a manifest whose base has no full hashes", async () => {
    const { base } = newest().entry.manifest;
    const other = await withNewest({ base: { ...base, hashes: null } as never });
    await expect(readNewest({ ...stored, storage: other })).rejects.toMatchObject({
      code: "damaged",
      message: expect.stringMatching(/^Version 70 of malware is damaged/),
    });
  });

  test("finds no full hashes if the block that adds them has none, and says so", async () => {
    const [link] = newest().entry.manifest.blocks as [Manifest["blocks"][number]];
    const other = await withNewest({ blocks: [{ ...link, hashes: null }] });
    const loaded = (await loadList({ ...stored, storage: other }))!;
    const [word] = changeIn(await newestBlock()).added;
    const searching = findFullHashes(other, loaded, bytesOf(Uint32Array.of(word!)));
    await expect(searching).rejects.toMatchObject({
      code: "damaged",
      message: `The block ${link.object} adds prefixes, but its manifest names no full hashes of them`,
    });
  });

  test("refuses a block without the full hashes of what it adds, if it wants longer prefixes", async () => {
    const earlier: Storage = {
      ...storage,
      async get(key, most) {
        if (key.endsWith("/head")) return Buffer.from(`${VERSIONS - 1}\n`);
        return key === versionKey(LIST, VERSIONS) ? null : storage.get(key, most);
      },
    };
    const before = await loadList({ ...stored, storage: earlier, prefixBytes: 8 });
    const [link] = newest().entry.manifest.blocks as [Manifest["blocks"][number]];
    const other = await withNewest({ blocks: [{ ...link, hashes: null }] });
    for (const from of [before, null]) {
      const loading = loadList({ ...stored, storage: other, prefixBytes: 8 }, from);
      await expect(loading).rejects.toMatchObject({ code: "damaged" });
    }
  });

  test("refuses a block that begins at another version of the same number, and so does a copy", async () => {
    const right = await newestBlock();
    const links = linksIn(right).map((each) => ({ ...each, manifest: "0".repeat(64) }));
    const other = await withBlock(encodeBlock(links, changeIn(right)));
    await expect(updated(other, 2)).rejects.toMatchObject({ code: "forked" });
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

  test("follows keys that were changed in versions that the blocks skip", async () => {
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
    const { manifest, hash } = loaded.entry;

    // An attacker who has a withdrawn key and can add files adds a version that continues an old one.
    const blockFrom = async (after: number, begin: string, links: Manifest["blocks"]) => {
      const bytes = encodeBlock(links, { removed: NO_WORDS, added: NO_WORDS });
      const object = await putObject(rotating, bytes);
      return { after, manifest: begin, object, bytes: bytes.length, hashes: null };
    };
    const { entry } = newest();
    const old = await blockFrom(VERSIONS, entry.hash, entry.manifest.blocks);
    const blocks = [await blockFrom(VERSIONS + 4, hash, [old])];
    const facts = { version: VERSIONS + 5, previous: hash, blocks, change: null };
    const note = await signNote(formatManifest({ ...manifest, ...facts }), signer);
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

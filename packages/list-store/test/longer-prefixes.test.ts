import { randomBytes } from "node:crypto";
import {
  type LoadedList,
  loadList,
  memoryStorage,
  type Publication,
  publish,
  readEntry,
  type Storage,
  StoreError,
} from "@x/list-store";
import { firstWords } from "@x/prefix-list/raw-hashes";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BlockHashes, encodeHashes, readHashes } from "../src/contents.ts";
import { collectRests, readRests } from "../src/longer-prefixes.ts";
import { formatManifest } from "../src/manifest.ts";
import { signNote } from "../src/signed-note.ts";
import { getObject, versionKey } from "../src/storage.ts";
import { expectPrefixes, type Hash, packed, sorted } from "./support/hash-sets.ts";
import { DAY, newSigner, putObject } from "./support/publishing.ts";

const LIST = "malware";
const signer = await newSigner();
const publicKeys = [signer.publicKey];

/** Random full hashes. Some have the same first four, five or eight bytes as the hash before. */
function randomHashes(count: number): Hash[] {
  const hashes = new Set<Hash>();
  let last = randomBytes(32);
  while (hashes.size < count) {
    const next = randomBytes(32);
    const kind = next[31]!;
    last.copy(next, 0, 0, kind < 16 ? 4 : kind < 24 ? 5 : kind < 28 ? 8 : 0);
    hashes.add(next.toString("hex"));
    last = next;
  }
  return sorted(hashes);
}

async function writeRests(storage: Storage, hashes: readonly Hash[]): Promise<string> {
  const collector = collectRests(hashes.length);
  async function* chunks() {
    for (let at = 0; at < hashes.length; at += 1000) yield packed(hashes.slice(at, at + 1000));
  }
  for await (const _ of collector.passOn(chunks()));
  return putObject(storage, collector.object());
}

const wordsOf = (hashes: readonly Hash[]) =>
  Uint32Array.from(new Set(hashes.map((hash) => Number.parseInt(hash.slice(0, 8), 16))));

describe("rests", () => {
  test.each([0, 1, 20_000])("of %i full hashes give prefixes of eight bytes", async (count) => {
    const storage = memoryStorage();
    const hashes = randomHashes(count);
    const object = await writeRests(storage, hashes);
    const read = await readRests(storage, object, count, wordsOf(hashes));
    expect(Buffer.from(read).toString("hex")).toBe(
      hashes.map((hash) => hash.slice(0, 16)).join(""),
    );
  });

  test("that a publisher wrote wrongly are refused, or have the words that were signed", {
    tags: "deep",
  }, async () => {
    const storage = memoryStorage();
    const hashes = randomHashes(300);
    const words = wordsOf(hashes);
    const right = await getObject(storage, await writeRests(storage, hashes));
    const counts = { refused: 0, read: 0 };
    const change = fc.record({
      at: fc.nat(right.length - 1),
      byte: fc.nat(255),
      cut: fc.oneof(fc.constant(0), fc.nat(right.length)),
      count: fc.oneof(fc.constant(hashes.length), fc.nat(2 ** 16)),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, byte, cut, count }) => {
        const bytes = right.slice(0, right.length - cut);
        bytes[at] = byte;
        const wrong = await putObject(storage, bytes);
        try {
          const rawHashes = await readRests(storage, wrong, count, words);
          expect([...new Set(firstWords({ prefixBytes: 8, rawHashes }))]).toEqual([...words]);
          counts.read++;
        } catch (error) {
          expect(error).toBeInstanceOf(StoreError);
          expect(error).toMatchObject({ code: "damaged" });
          counts.refused++;
        }
      }),
      { numRuns: sampleSize(300, 5000) },
    );
    expect(Math.min(counts.refused, counts.read)).toBeGreaterThan(10);
  });
});

/** A storage that counts the bytes that are read from it. */
function counting(storage: Storage) {
  const read = { bytes: 0 };
  const counted: Storage = {
    ...storage,
    async get(key, most) {
      const bytes = await storage.get(key, most);
      read.bytes += bytes?.length ?? 0;
      return bytes;
    },
  };
  return { counted, read };
}

function withoutObject(get: Storage["get"], hash: string): Storage["get"] {
  return async (key, most) => (key.endsWith(hash) ? null : get(key, most));
}

describe("a list", () => {
  const hashes = randomHashes(3000);
  const publishTo = (storage: Storage, list: readonly Hash[], more: Partial<Publication> = {}) =>
    publish({
      ...{ storage, list: LIST, signer, publicKeys, lifetime: DAY },
      fullHashes: [packed(list)],
      ...more,
    });
  const load = (storage: Storage, prefixBytes: number, before: LoadedList | null = null) =>
    loadList({ storage, list: LIST, publicKeys, prefixBytes }, before);

  test("costs a reader little more than the bytes that it wants", { tags: "deep" }, async () => {
    const many = randomHashes(17_000);
    const { counted, read } = counting(memoryStorage());
    await publishTo(counted, many);
    for (const [prefixBytes, most] of [
      [4, 2.5],
      [8, 7],
      [32, 35],
    ] as const) {
      read.bytes = 0;
      const loaded = (await load(counted, prefixBytes))!;
      expectPrefixes(loaded, prefixBytes, new Set(many));
      expect(read.bytes / many.length).toBeLessThan(most);
    }
  });

  test("costs a reader that is a version behind little more than what changed", async () => {
    const { counted, read } = counting(memoryStorage());
    await publishTo(counted, hashes);
    const before = await Promise.all([8, 32].map((length) => load(counted, length)));
    const next = sorted([...hashes.slice(20), ...randomHashes(20)]);
    await publishTo(counted, next);
    for (const each of before) {
      const { prefixBytes } = each!.prefixes.lengths[0]!;
      read.bytes = 0;
      const loaded = (await load(counted, prefixBytes, each))!;
      expectPrefixes(loaded, prefixBytes, new Set(next));
      expect(read.bytes).toBeLessThan(prefixBytes === 32 ? 12_000 : 8000);
    }
  });

  test("costs little across a new base, unless the full hashes of older blocks are gone", async () => {
    const many = randomHashes(12_000);
    const { counted, read } = counting(memoryStorage());
    const readers: (LoadedList | null)[][] = [];
    let base = 1;
    let last = 0;
    const show = (version: number) =>
      sorted([...many.slice(version * 180), ...more.slice(0, version * 180)]);
    const more = randomHashes(9000);
    while (base === 1 || last < base + 3) {
      last++;
      base = (await publishTo(counted, show(last))).manifest.base.version;
      readers[last] = await Promise.all([8, 32].map((length) => load(counted, length)));
    }
    let next = new Set(show(last));
    const turnOver = async () => {
      const list = sorted([...[...next].slice(4000), ...randomHashes(4000)]);
      await publishTo(counted, list);
      return list;
    };
    const bytesOf = async (before: LoadedList | null, prefixBytes: number, storage = counted) => {
      read.bytes = 0;
      expectPrefixes((await load(storage, prefixBytes, before))!, prefixBytes, next);
      return read.bytes;
    };
    for (const [i, length] of [8, 32].entries()) {
      const whole = await bytesOf(null, length);
      for (const behind of [1, 2, 5]) {
        const before = readers[base - behind]![i]!;
        expect(await bytesOf(before, length)).toBeLessThan(whole / 2);
      }
      const lossy: Storage = { ...counted };
      for (let version = base - 4; version < base; version++) {
        const { blocks } = (await readEntry(counted, LIST, version))!.manifest;
        lossy.get = withoutObject(lossy.get, blocks[0]!.hashes!);
      }
      const bytes = await bytesOf(readers[base - 5]![i]!, length, lossy);
      expect(bytes).toBeGreaterThan(0.9 * whole);
    }
    // After many bases, the whole list takes fewer bytes.
    for (let version = 1; version < 9; version++) next = new Set(await turnOver());
    for (const [i, length] of [8, 32].entries()) {
      const whole = await bytesOf(null, length);
      expect(await bytesOf(readers[base - 1]![i]!, length)).toBeLessThan(1.3 * whole);
    }
  });

  test("that is long is the same, merged in parts", async () => {
    const storage = memoryStorage();
    const many = randomHashes(70_000);
    await publishTo(storage, many);
    const next = sorted([...many.filter((_, i) => i % 50 > 0), ...randomHashes(1000)]);
    const before = await Promise.all([8, 32].map((length) => load(storage, length)));
    await publishTo(storage, next);
    for (const each of before) {
      const { prefixBytes } = each!.prefixes.lengths[0]!;
      expectPrefixes(each!, prefixBytes, new Set(many));
      for (const kept of [null, each, { entry: each!.entry, prefixes: each!.prefixes }]) {
        const loaded = (await load(storage, prefixBytes, kept as LoadedList | null))!;
        expect(loaded.entry.manifest).toMatchObject({ version: 2, base: { version: 1 } });
        expectPrefixes(loaded, prefixBytes, new Set(next));
        expect(Buffer.from(loaded.words.buffer, loaded.words.byteOffset, 40)).toEqual(
          Buffer.from(wordsOf(next).buffer, 0, 40),
        );
        expect(loaded.words.length).toBe(wordsOf(next).length);
      }
    }
  });

  test("is refused when its rests are those of another list", async () => {
    const storage = memoryStorage();
    await publishTo(storage, hashes);
    const rests = await writeRests(storage, hashes.slice(0, -1));
    await rewriteHashes(storage, (of) => ({ ...of, count: hashes.length - 1, rests }));
    await expect(load(storage, 8)).rejects.toMatchObject({ code: "damaged" });
    expectPrefixes((await load(storage, 4))!, 4, new Set(hashes));
  });

  test("is refused when a word that was signed has no full hash", async () => {
    const storage = memoryStorage();
    const own = ["00000001", "00000002", "00000003"].map((word) => word.padEnd(64, "0"));
    await publishTo(storage, own);
    const withoutLast = [own[0]!, own[1]!, own[1]!.replace(/0$/, "1")];
    const shard = await putObject(storage, packed(withoutLast));
    await rewriteHashes(storage, (of) => ({ ...of, shards: [shard] }));
    await expect(load(storage, 32)).rejects.toMatchObject({
      code: "damaged",
      message: `The longer prefixes of version 1 of ${LIST} do not begin like those that were signed`,
    });
  });

  test("is refused when its full hashes are described as they cannot be", async () => {
    for (const wrong of [
      { count: -1 },
      { count: 1.5 },
      { count: 2 ** 40 },
      { rests: "no hash" },
      { rests: null },
      { shards: [] },
      { shards: ["no hash"] },
      { shards: null },
      { others: [2, 1] },
      { others: [-1] },
      { others: null },
    ]) {
      const storage = memoryStorage();
      await publishTo(storage, hashes.slice(0, 10));
      await rewriteHashes(storage, (of) => ({ ...of, ...wrong }) as unknown as BlockHashes);
      await expect(load(storage, 8)).rejects.toMatchObject({ code: "damaged" });
    }
  });

  test.each([0, 3, 5, 6, 7, 9, 31, 33, 4.5, Number.NaN])(
    "has no prefixes of %d bytes",
    async (length) => {
      await expect(load(memoryStorage(), length)).rejects.toThrow(RangeError);
    },
  );
});

/** Signs the first version again with another description of its full hashes, such as another program might write. */
async function rewriteHashes(
  storage: Storage,
  edit: (hashes: BlockHashes) => BlockHashes,
): Promise<void> {
  const { manifest } = (await readEntry(storage, LIST, 1))!;
  const { base } = manifest;
  const hashes = await putObject(
    storage,
    encodeHashes(edit(await readHashes(storage, base.hashes!))),
  );
  const note = await signNote(formatManifest({ ...manifest, base: { ...base, hashes } }), signer);
  await storage.put(versionKey(LIST, 1), note);
}

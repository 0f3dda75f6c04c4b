import { createHash } from "node:crypto";
import { firstOf } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import {
  loadList,
  memoryStorage,
  type Publication,
  publish,
  rollBack,
  type SortedHashes,
  type Storage,
  signerOf,
} from "../src/index.ts";
import { DAY, randomNumbers, withClock } from "./support/publishing.ts";
import written from "./vectors/written-stores.json" with { type: "json" };

const LIST = "malware";
const BYTES = 32;
const signer = await signerOf(written.signingKey);
const publicKeys = [signer.publicKey];

const known: Uint8Array[] = [];

/** The full hash for a number. Of ten consecutive numbers, three have hashes with the same first word. */
function hashOf(number: number): Uint8Array {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const hash = known[number] ?? new Uint8Array(digest(`${number}`));
  if (known[number] === undefined && number % 10 < 3) {
    hash.set(digest(`word ${Math.floor(number / 10)}`).subarray(0, 4));
  }
  known[number] = hash;
  return hash;
}

/** Full hashes in a random order, up to five of them twice. */
function hashesFrom(numbers: Iterable<number>, random: () => number): Uint8Array[] {
  const hashes = Array.from(numbers, hashOf);
  for (let i = 0; i < 5 && hashes.length > 5; i++) hashes.push(hashes[i]!);
  for (let i = hashes.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [hashes[i], hashes[other]] = [hashes[other]!, hashes[i]!];
  }
  return hashes;
}

/** The same hashes in ascending order, each once, in chunks of random lengths that may be read repeatedly. */
function sortedFrom(hashes: readonly Uint8Array[], random: () => number): SortedHashes {
  const different = [...new Set(hashes)].sort(Buffer.compare);
  const all = Buffer.concat(different);
  const longest = random() < 0.5 ? 5000 : 100_000;
  return {
    count: different.length,
    async *pieces() {
      for (let at = 0; at < all.length; ) {
        const end = at + BYTES * Math.floor(random() * longest);
        yield all.subarray(at, end);
        at = end;
      }
    },
  };
}

/** One hash of all objects and manifests in a storage. */
async function digestOf(storage: Storage): Promise<string> {
  const digest = createHash("sha256");
  async function add(folder: string): Promise<void> {
    for (const { name } of await storage.list(folder)) {
      if (name.endsWith("/")) await add(folder + name);
      else digest.update(`${folder}${name} `).update((await storage.get(folder + name))!);
    }
  }
  await add("objects/sha256/");
  await add(`lists/${LIST}/v/`);
  return digest.digest("hex");
}

/** The numbers of entries and versions of the lists. The longest lists have two shards. */
const SIZES: readonly (readonly [entries: number, versions: number])[] = [
  [40, 12],
  [3000, 12],
  [20_000, 12],
  [33_500, 4],
];

/** The versions of a list, with small and large changes, unchanged versions, and an empty version. */
function* histories(seed: number) {
  const random = randomNumbers(seed);
  const [size, versions] = SIZES[seed % SIZES.length]!;
  let list = new Set(Array.from({ length: size }, (_, i) => i));
  for (let version = 0; version < versions; version++) {
    yield list;
    const share = [0.0001, 0.01, 0.01, 0, 0.6][Math.floor(random() * 5)]!;
    list = new Set([...list].filter(() => random() >= share));
    while (list.size < size) list.add(Math.floor(random() * 2 * size));
    if (version === versions - 3) list = new Set();
  }
}

async function storeOf(
  seed: number,
  forms: (hashes: Uint8Array[], random: () => number) => Publication["fullHashes"],
): Promise<string> {
  let time = 1_700_000_000_000;
  const now = () => time;
  const random = randomNumbers(seed + 1000);
  const storage = withClock(memoryStorage(now), now);
  const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
  const options = { storage, list: LIST, signer, publicKeys, lifetime: 30 * DAY, now, sha256 };
  for (const list of histories(seed)) {
    time += 60_000;
    await publish({ ...options, fullHashes: forms(hashesFrom(list, random), random) });
  }
  await rollBack({ ...options, version: 3 });
  return digestOf(storage);
}

describe.each(firstOf(2, written.cases))("a store, seed $seed", ({ seed, digest }) => {
  test("has the bytes that it has always had", { tags: "deep" }, async () => {
    expect(await storeOf(seed, (hashes) => hashes)).toBe(digest);
  });

  test("has the same bytes when the hashes are sorted before", { tags: "deep" }, async () => {
    expect(await storeOf(seed, sortedFrom)).toBe(digest);
  });
});

const options = { list: LIST, signer, publicKeys, lifetime: DAY };
const ascending = Array.from({ length: 5 }, (_, i) => new Uint8Array(BYTES).fill(i));
const [a, b, c, d, e] = ascending as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

test.each<[string, number, readonly Uint8Array[]]>([
  ["in another order", 5, [a, b, d, c, e]],
  ["in another order within a piece", 5, [Buffer.concat([b, a]), c, d, e]],
  ["twice", 5, [a, b, b, c, d]],
  ["fewer than there should be", 5, [a, b, c, d]],
  ["more than there should be", 4, ascending],
  ["cut off", 5, [a, b, c, d, e.subarray(1)]],
])("full hashes that come %s are not published", async (_, count, pieces) => {
  const storage = memoryStorage();
  const published = publish({ ...options, storage, fullHashes: { count, pieces: () => pieces } });
  await expect(published).rejects.toMatchObject({ name: "StoreError", code: "unverified" });
  expect(await storage.list("objects/sha256/")).toEqual([]);
  expect(await storage.list("tmp/")).toEqual([]);
});

test.each<[string, unknown[], typeof RangeError | typeof TypeError]>([
  ["prefixes", ascending.map((each) => each.subarray(0, 4)), RangeError],
  ["too short", [a, b.subarray(1)], RangeError],
  ["too long", [Buffer.concat([a, b, c.subarray(0, 1)])], RangeError],
  ["strings", ["aa"], TypeError],
  ["numbers", [7], TypeError],
  ["other arrays", [new Uint32Array(8)], TypeError],
])("full hashes that are %s are not published", async (_, pieces, expected) => {
  const storage = memoryStorage();
  const fullHashes = pieces as Uint8Array[];
  await expect(publish({ ...options, storage, fullHashes })).rejects.toThrow(expected);
  expect(await storage.list("")).toEqual([]);
});

test("full hashes that can be read only once are not published", async () => {
  const storage = memoryStorage();
  const once = ascending.values();
  const published = publish({ ...options, storage, fullHashes: { count: 5, pieces: () => once } });
  await expect(published).rejects.toMatchObject({ name: "StoreError", code: "unverified" });
  expect(await loadList({ storage, list: LIST, publicKeys })).toBeNull();
  expect(await storage.list("objects/sha256/")).toEqual([]);
});

import {
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadList, memoryStorage, type Storage } from "@x/list-store";
import { type OpenList, openList } from "@x/list-store/serving";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  changed,
  packed,
  someHash,
  sorted,
  wordOf,
} from "../../../../packages/list-store/test/support/hash-sets.ts";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { type LocalHashes, localHashes } from "../../src/serve/lists/local-hashes.ts";
import { NO_PROBLEM, newList, withVersion } from "../../src/serve/lists/served-lists.ts";
import { threatRow } from "../../src/serve/lists/threat-rows.ts";

const signer = await newSigner();
const served = (loaded: OpenList) =>
  withVersion(newList("malware", threatRow("malware")), loaded, NO_PROBLEM);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "local-hashes-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Makes a store with a list, and records the file names that are read from it. */
async function storeOf(first: Iterable<string>) {
  const own = memoryStorage();
  const reads: string[] = [];
  const lost = new Set<string>();
  const storage: Storage = {
    ...own,
    async get(key, most) {
      const name = key.slice(key.lastIndexOf("/") + 1);
      reads.push(name);
      return lost.has(name) ? null : own.get(key, most);
    },
  };
  const publish = (hashes: Iterable<string>) =>
    publisher(own, signer)("malware", [], { fullHashes: [packed(hashes)] });
  await publish(first);
  let loaded: OpenList | null = null;
  const load = async () => {
    const options = { storage: own, list: "malware", publicKeys: [signer.publicKey] };
    const newest = (await loadList(options, loaded))!;
    loaded = await openList(own, newest, { window: 100 }, loaded);
    return loaded;
  };
  /** Loads the list without a previous version, as a server does when its settings change. */
  const loadAgain = () => {
    loaded = null;
    return load();
  };
  return { storage, reads, lost, publish, load, loadAgain };
}

const shardsOf = (list: OpenList) => list.hashBlocks.flatMap(({ shards }) => shards);

const found = (local: LocalHashes, list: OpenList, word: string) =>
  local.find(list, Buffer.from(word, "hex")).map((hash) => Buffer.from(hash).toString("hex"));

/** Compares the hashes that are found with those that were published, for some words on the list and some others. */
function expectFound(
  local: LocalHashes,
  list: OpenList,
  hashes: ReadonlySet<string>,
  random: () => number,
): void {
  const some = sorted(hashes).filter(() => random() < 100 / hashes.size);
  for (const hash of [...some, ...Array.from({ length: 20 }, () => someHash(random))]) {
    const word = wordOf(hash);
    const expected = sorted([...hashes].filter((each) => each.startsWith(word)));
    expect(found(local, list, word)).toEqual(expected);
    expect(found(local, list, hash)).toEqual(expected.filter((each) => each === hash));
  }
}

test.each([
  ["in memory", Infinity],
  ["in files", 0],
  ["partly in memory", 20_000],
])(
  "after any history, the hashes of the last two versions are found %s",
  { tags: "deep" },
  async (_, memory) => {
    await fc.assert(
      fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
        const random = randomFrom(seed);
        let hashes = new Set(Array.from({ length: 1500 }, () => someHash(random)));
        const { storage, publish, load } = await storeOf(hashes);
        const local = localHashes({ memory, folder });
        const versions: { list: OpenList; hashes: ReadonlySet<string> }[] = [];
        for (let version = 0; version < 12; version++) {
          if (version > 0) {
            hashes = changed(hashes, random);
            await publish(hashes);
          }
          const list = await load();
          versions.push({ list, hashes });
          expect(await local.fill(storage, list)).toEqual(NO_PROBLEM);
          local.dropOlder([served(list)]);
          for (const each of versions.slice(-2)) expectFound(local, each.list, each.hashes, random);
        }
        local.close();
      }),
      { seed: 45, numRuns: sampleSize(3) },
    );
  },
);

/** Numbers from 0 to 1 that depend only on a seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("only shards that are not here yet are read, and searches read nothing", async () => {
  const random = randomFrom(1);
  const hashes = new Set(Array.from({ length: 1500 }, () => someHash(random)));
  const { storage, reads, publish, load } = await storeOf(hashes);
  const local = localHashes({ memory: 0, folder });
  const first = await load();
  await local.fill(storage, first);
  expect(reads).toEqual(shardsOf(first));
  hashes.add(someHash(random));
  await publish(hashes);
  const second = await load();
  reads.length = 0;
  await local.fill(storage, second);
  const fresh = shardsOf(second).filter((name) => !shardsOf(first).includes(name));
  expect(fresh.length).toBeGreaterThan(0);
  expect(reads).toEqual(fresh);
  reads.length = 0;
  expectFound(local, second, hashes, random);
  expect(reads).toEqual([]);
  local.close();
});

test("a part that is missing is an error in searches, until it can be read", async () => {
  const hash = someHash(randomFrom(2));
  const { storage, lost, load } = await storeOf([hash]);
  const local = localHashes({ memory: 0, folder });
  const list = await load();
  const [shard] = shardsOf(list);
  lost.add(shard!);
  expect((await local.fill(storage, list)).problem).toBe(`The object ${shard} is missing`);
  expect(() => found(local, list, hash)).toThrow("Part of the list malware cannot be searched.");
  expect(found(local, list, "00000001")).toEqual([]);
  lost.clear();
  expect(await local.fill(storage, list)).toEqual(NO_PROBLEM);
  expect(found(local, list, hash)).toEqual([hash]);
  local.close();
  expect(() => found(local, list, hash)).toThrow("cannot be searched");
});

test("without room for a file, the hashes that do not fit in memory are a problem", async () => {
  const hash = someHash(randomFrom(3));
  const { storage, load } = await storeOf([hash]);
  const file = join(folder, "file");
  writeFileSync(file, "");
  const list = await load();
  const local = localHashes({ memory: 31, folder: file });
  const { problem, detail } = await local.fill(storage, list);
  expect(problem).toBe("This machine cannot store its full hashes");
  expect(detail).toContain(file);
  expect(local.isComplete(list)).toBe(false);
  expect(() => found(local, list, hash)).toThrow("cannot be searched");
  const larger = localHashes({ memory: 32, folder: file });
  expect(await larger.fill(storage, list)).toEqual(NO_PROBLEM);
  expect(found(larger, list, hash)).toEqual([hash]);
});

test("the hashes of a version that is no longer served are dropped when its requests are done", async () => {
  const random = randomFrom(4);
  const [one, other] = [someHash(random), someHash(random)];
  const { storage, publish, load } = await storeOf([one]);
  const local = localHashes({ memory: 32, folder: join(folder, "files"), grace: 0 });
  const first = await load();
  await local.fill(storage, first);
  local.dropOlder([served(first)]);
  await publish([other]);
  const second = await load();
  // There is no memory left, so the new version is in a file.
  await local.fill(storage, second);
  expect(existsSync(join(folder, "files"))).toBe(true);
  expect(found(local, first, one)).toEqual([one]);
  local.dropOlder([served(second)]);
  await expect.poll(() => local.shard(shardsOf(first)[0]!) === null).toBe(true);
  expect(() => found(local, first, one)).toThrow("cannot be searched");
  expect(found(local, second, other)).toEqual([other]);
  // There is memory for a third version, because older ones were dropped.
  await publish([one, other]);
  rmSync(join(folder, "files"), { recursive: true });
  const third = await load();
  expect((await local.fill(storage, third)).problem).toBe(null);
  local.close();
});

test("what was found does not keep anything else in memory", async () => {
  const hashes = Array.from({ length: 500 }, () => someHash(randomFrom(5)));
  const { storage, load } = await storeOf(hashes);
  for (const memory of [0, Infinity]) {
    const local = localHashes({ memory, folder });
    const list = await load();
    await local.fill(storage, list);
    for (const hash of local.find(list, Buffer.from(wordOf(hashes[0]!), "hex"))) {
      expect(hash.buffer.byteLength).toBe(32);
    }
    local.close();
  }
});

test("a version that was read again and again is dropped as a whole", async () => {
  const hash = someHash(randomFrom(6));
  const { storage, load, loadAgain } = await storeOf([hash]);
  const local = localHashes({ memory: Infinity, folder, grace: 0 });
  const objects = [await load(), await loadAgain(), await loadAgain()];
  for (const list of objects) {
    expect(await local.fill(storage, list)).toEqual(NO_PROBLEM);
    local.dropOlder([served(list)]);
    expect(found(local, list, hash)).toEqual([hash]);
  }
  expect(new Set(objects).size).toBe(3);
  const [shard] = shardsOf(objects[0]!);
  local.drop(objects[2]!);
  // Nothing else refers to the hashes, so they are freed.
  await expect.poll(() => local.shard(shard!) === null).toBe(true);
});

test("a version that is served again, or was never served, is kept", async () => {
  const random = randomFrom(7);
  const [one, other] = [someHash(random), someHash(random)];
  const { storage, publish, load, loadAgain } = await storeOf([one]);
  const local = localHashes({ memory: Infinity, folder, grace: 0 });
  const first = await load();
  await publish([other]);
  const second = await load();
  const coming = await loadAgain();
  for (const list of [first, second, coming]) await local.fill(storage, list);
  for (const list of [first, second, first]) local.dropOlder([served(list)]);
  await expect.poll(() => local.isComplete(second)).toBe(false);
  expect(local.isComplete(first)).toBe(true);
  expect(found(local, first, one)).toEqual([one]);
  expect(found(local, coming, other)).toEqual([other]);
  // The list is no longer served at all.
  local.dropOlder([]);
  await expect.poll(() => local.shard(shardsOf(first)[0]!) === null).toBe(true);
  expect(found(local, coming, other)).toEqual([other]);
});

/** Truncates the open file without a name that has this many bytes. */
function emptyNamelessFile(bytes: number): void {
  for (let file = 3; file < 1000; file++) {
    let facts: Stats;
    try {
      facts = fstatSync(file);
    } catch {
      continue;
    }
    if (facts.isFile() && facts.nlink === 0 && facts.size === bytes) ftruncateSync(file);
  }
}

// The test finds an open file by its descriptor, which is not possible on Windows.
test.skipIf(process.platform === "win32")(
  "a file that cannot be read is reported once, and its hashes are read from the store again",
  async () => {
    const random = randomFrom(8);
    const hashes = new Set(Array.from({ length: 1777 }, () => someHash(random)));
    const { storage, load } = await storeOf(hashes);
    const reports: string[] = [];
    const local = localHashes({
      ...{ memory: 0, folder },
      onUnreadable({ entry: { manifest } }, { message }) {
        reports.push(`${manifest.list} ${manifest.version}: ${message}`);
      },
    });
    const list = await load();
    await local.fill(storage, list);
    expect(local.isComplete(list)).toBe(true);
    emptyNamelessFile(32 * hashes.size);
    for (const hash of hashes) expect(() => found(local, list, hash)).toThrow("cannot be searched");
    expect(reports).toEqual([`malware 1: A temporary file in ${folder} is too short`]);
    expect(local.isComplete(list)).toBe(false);
    expect(await local.fill(storage, list)).toEqual(NO_PROBLEM);
    expect(local.isComplete(list)).toBe(true);
    expectFound(local, list, hashes, random);
    local.close();
  },
);

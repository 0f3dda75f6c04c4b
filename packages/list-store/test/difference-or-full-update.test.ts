import { type LoadedList, loadList, memoryStorage, type Storage } from "@x/list-store";
import { type DifferenceSince, makeDifference } from "@x/list-store/serving";
import { applyDifference, diffPrefixLists, type PrefixListDifference } from "@x/prefix-list";
import { beforeAll, describe, expect, test } from "vitest";
import { encodeBlock, type StoredObject } from "../src/block.ts";
import { type Change, changeBetween } from "../src/change.ts";
import { type DifferenceOptions, differencesTo } from "../src/differences.ts";
import { entriesOf, storedDifferences } from "../src/open-list.ts";
import { makeSnapshot } from "../src/snapshot.ts";
import { hashOf } from "../src/storage.ts";
import { trustedBefore } from "../src/trusted-log.ts";
import { listOfWords } from "../src/words.ts";
import { newSigner, publisher } from "./support/publishing.ts";

const LIST = "malware";
const VERSIONS = 40;
const signer = await newSigner();
const storage = memoryStorage();
const reads: string[] = [];
const counting: typeof storage = {
  ...storage,
  get(key) {
    reads.push(key);
    return storage.get(key);
  },
};
const objectsRead = () => reads.filter((key) => key.includes("objects/")).length;

/** The store has 40 versions of 200 entries. Each version replaces five entries. */
const publish = publisher(storage, signer);
const entriesAt = (version: number) =>
  Array.from({ length: 200 }, (_, i) => `${i + 5 * version}.example/`);
for (let version = 1; version <= VERSIONS; version++) await publish(LIST, entriesAt(version));
const loaded: LoadedList = (await loadList({
  storage,
  list: LIST,
  publicKeys: [signer.publicKey],
}))!;

async function checksumOf(version: number): Promise<string> {
  const note = Buffer.from((await storage.get(keyOf(version)))!).toString();
  return /"checksum":"([0-9a-f]{64})"/.exec(note)![1]!;
}
const keyOf = (version: number) => `lists/${LIST}/v/${String(version).padStart(12, "0")}`;

/** The differences to a version, made without reading the places of its full hashes. */
function differences(
  storage: Storage,
  list: LoadedList,
  options: DifferenceOptions = {},
): DifferenceSince {
  const entryOf = entriesOf(storage, trustedBefore(list.entry, { known: list.log }));
  return differencesTo(storedDifferences(storage, list, entryOf, 200), options);
}

function fresh(queue?: DifferenceOptions["queue"]): DifferenceSince {
  reads.length = 0;
  return differences(counting, loaded, { queue });
}

describe("the changes since a version", () => {
  test("are not even read for a forged token", async () => {
    const differenceSince = fresh();
    for (let round = 0; round < 5; round++) {
      for (let since = -1; since <= VERSIONS + 1; since++) {
        expect(await differenceSince(since, `${round}`.repeat(16), "a")).toBe("unknown-token");
      }
    }
    expect(objectsRead()).toBe(0);
    // Each manifest was read once, except the newest one, which was known.
    expect(reads).toHaveLength(VERSIONS - 1);
  });

  test("are read once for all clients that ask at the same time", async () => {
    const differenceSince = fresh();
    const checksum = await checksumOf(30);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => differenceSince(30, checksum, `client ${i}`)),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toHaveProperty("removals");
    const readOnce = objectsRead();
    await differenceSince(31, await checksumOf(31), "a");
    const readTwice = objectsRead();
    expect(readTwice).toBeGreaterThan(readOnce);
    await differenceSince(30, checksum, "a");
    await differenceSince(31, await checksumOf(31), "a");
    expect(objectsRead()).toBe(readTwice);
  });

  test("are not sent when they take more bytes than the list, and not joined again", async () => {
    const differenceSince = fresh();
    // Since version 5, 175 of 200 entries were replaced. The removals and additions take more bytes than 200 entries.
    for (const since of [5, 1, 5, 1]) {
      expect(await differenceSince(since, await checksumOf(since), "a")).toBe("full-is-smaller");
    }
    const before = objectsRead();
    expect(await differenceSince(5, await checksumOf(5), "a")).toBe("full-is-smaller");
    expect(objectsRead()).toBe(before);
    // Since version 6, there were more changes than entries, but removals take fewer bytes than entries.
    expect(await differenceSince(6, await checksumOf(6), "a")).toHaveProperty(
      "removals.length",
      170,
    );
  });

  /** A reader of versions with 100 entries that stay and 100 that are replaced each time. */
  async function halfReplaced(versions: number) {
    const storage = memoryStorage();
    const checksums: string[] = [];
    for (let version = 1; version <= versions; version++) {
      const entries = Array.from({ length: 200 }, (_, i) => `${i < 100 ? 0 : version}-${i}/`);
      const { manifest } = await publisher(storage, signer)(LIST, entries);
      checksums.push(manifest.contents.checksum);
    }
    const loaded = (await loadList({ storage, list: LIST, publicKeys: [signer.publicKey] }))!;
    let reads = 0;
    const counting: typeof storage = {
      ...storage,
      get(key) {
        reads++;
        return storage.get(key);
      },
    };
    const differenceSince = differences(counting, loaded);
    return { answer: await differenceSince(1, checksums[0]!, "a"), reads };
  }

  test("count as often as they were made only until they are joined", async () => {
    // Joining reduces 200 removals and 200 additions to 100 of each.
    const { answer } = await halfReplaced(3);
    expect(answer).toHaveProperty("removals.length", 100);
  });

  test("are not even read when all of them take far more bytes than the list", async () => {
    const { answer, reads } = await halfReplaced(6);
    expect(answer).toBe("full-is-smaller");
    // A few blocks are read until there are too many.
    expect(reads).toBeLessThanOrEqual(10);
  });

  test("are not sent to a client that cannot be sent so many removals", async () => {
    const differenceSince = fresh();
    const checksum = await checksumOf(30);
    expect(await differenceSince(30, checksum, "a", 49)).toBe("limited");
    expect(await differenceSince(30, checksum, "a", 50)).toHaveProperty("removals.length", 50);
  });

  test("are joined once and not in this thread, for all clients that ask at the same time", async () => {
    const joins: { blocks: number; entries: number }[] = [];
    const differenceSince = differences(counting, loaded, {
      async makeDifference(parts, entries) {
        joins.push({ blocks: parts.changes.length, entries });
        return makeDifference(parts);
      },
    });
    const [at10, at20] = [await checksumOf(10), await checksumOf(20)];
    const answers = await Promise.all(
      ["a", "b", "c"].flatMap((client) => [
        differenceSince(20, at20, client),
        differenceSince(10, at10, client),
      ]),
    );
    for (const [i, answer] of answers.entries()) expect(answer).toBe(answers[i % 2]);
    expect(joins).toEqual([
      { blocks: 5, entries: 200 },
      { blocks: 9, entries: 300 },
    ]);
  });

  test("are joined in the order of the queue", async () => {
    const order: string[] = [];
    const differenceSince = fresh({
      run(client, task) {
        order.push(client);
        return task();
      },
    });
    await differenceSince(39, await checksumOf(39), "a");
    await differenceSince(39, "0".repeat(16), "forged");
    await differenceSince(39, await checksumOf(39), "b");
    await differenceSince(38, await checksumOf(38), "c");
    expect(order).toEqual(["a", "c"]);
  });
});

describe("joined changes", () => {
  const words = (from: number, to: number, step: number) =>
    Uint32Array.from({ length: to - from }, (_, i) => ((from + i) * step) >>> 0).sort();
  const versions = [
    words(0, 6000, 9_970_003),
    words(1600, 7600, 9_970_003),
    words(3600, 9200, 9_970_003),
    words(900, 9100, 9_970_003),
  ];
  const newest = versions.at(-1)!;
  const lists = versions.map((each) => listOfWords(each, LIST, 0));
  const from = (version: number) => ({
    ...{ words: newest, checksum: lists.at(-1)!.checksum, list: LIST, created: 0 },
    before: { prefixes: lists[version]!.size, checksum: lists[version]!.checksum },
  });

  async function storedAs(change: Change<Uint32Array>): Promise<StoredObject> {
    const bytes = encodeBlock([], change);
    return { object: await hashOf(bytes), bytes };
  }
  const stored: StoredObject[] = [];
  beforeAll(async () => {
    for (const [i, to] of versions.slice(1).entries()) {
      stored.push(await storedAs(changeBetween(versions[i]!, to)));
    }
  });

  /** Applies a difference to the old list in a plain way, with removals by index. */
  function applied(old: Uint32Array, { removals, additions }: PrefixListDifference): number[] {
    const removed = new Set(removals);
    const added = additions.flatMap(({ rawHashes }) => {
      const view = new DataView(rawHashes.buffer, rawHashes.byteOffset);
      return Array.from({ length: rawHashes.length / 4 }, (_, i) => view.getUint32(4 * i));
    });
    return [...[...old].filter((_, i) => !removed.has(i)), ...added].sort((a, b) => a - b);
  }

  test.each([0, 1, 2, 3])("turn version %i into the newest one", { tags: "deep" }, (version) => {
    const changes = stored.slice(version).reverse();
    const difference = makeDifference({ ...from(version), changes });
    expect(applied(versions[version]!, difference)).toEqual([...newest]);
    const change = changeBetween(versions[version]!, newest);
    expect(difference).toEqual(makeDifference({ ...from(version), changes: [change] }));
    // The result is the same as the difference computed from both lists, with all checksums.
    const [old, list] = [lists[version]!, lists.at(-1)!];
    expect(difference).toEqual(diffPrefixLists(old, list));
    expect(applyDifference(old, difference)).toEqual(list);
  });

  test.each([0, 1, 2, 3])("make the newest snapshot from version %i", (version) => {
    const blocks = stored.slice(version).reverse();
    const parts = { from: versions[version]!, blocks, list: LIST, created: 0 };
    const { words, prefixes } = makeSnapshot(parts);
    expect(words).toEqual(newest);
    expect(prefixes).toEqual(listOfWords(newest, LIST, 0));
  });

  test("that add what is there and remove what is not leave every word once", async () => {
    const block = await storedAs({
      removed: Uint32Array.of(5, 20),
      added: Uint32Array.of(10, 40),
    });
    const from = Uint32Array.of(10, 20, 30);
    const { words, prefixes } = makeSnapshot({ from, blocks: [block], list: LIST, created: 0 });
    expect([...words]).toEqual([10, 30, 40]);
    expect(prefixes.size).toBe(3);
  });

  test("keep a prefix whose full hashes changed, which is in no difference", async () => {
    const [stays, comes, goes] = [10, 20, 30];
    const changes = [
      { removed: Uint32Array.of(stays, goes), added: Uint32Array.of(stays) },
      { removed: Uint32Array.of(stays), added: Uint32Array.of(stays, comes) },
    ];
    const words = Uint32Array.of(stays, comes);
    const parts = { ...from(0), words, changes };
    const difference = makeDifference(parts);
    expect(applied(Uint32Array.of(stays, goes), difference)).toEqual([...words]);
    expect([...difference.removals]).toEqual([1]);
  });
});

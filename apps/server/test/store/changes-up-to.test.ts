import { describe, expect, test } from "vitest";
import { type ChangesSince, changesUpTo } from "../../src/store/changes-up-to.ts";
import { type LoadedList, loadNewest } from "../../src/store/list-reader.ts";
import {
  changeBetween,
  differenceInSlices,
  differenceTo,
  joinChanges,
  joinInSlices,
} from "../../src/store/prefix-change.ts";
import { memoryStorage } from "../../src/store/storage/memory-storage.ts";
import { newSigner, publisher } from "../support/publishing.ts";
import { turnCounter } from "../support/turns.ts";

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

/** 40 versions of 200 entries, five of which change each time; a fresh reader of them. */
const publish = publisher(storage, signer);
const entriesAt = (version: number) =>
  Array.from({ length: 200 }, (_, i) => `${i + 5 * version}.example/`);
for (let version = 1; version <= VERSIONS; version++) await publish(LIST, entriesAt(version));
const loaded: LoadedList = (await loadNewest(storage, LIST, [signer.publicKey], null, Date.now()))!;

/** The checksum that a version has. */
async function checksumOf(version: number): Promise<string> {
  const note = Buffer.from((await storage.get(keyOf(version)))!).toString();
  return /"checksum": "([0-9a-f]{64})"/.exec(note)![1]!;
}
const keyOf = (version: number) => `lists/${LIST}/v/${String(version).padStart(12, "0")}`;

function fresh(queue?: Parameters<typeof changesUpTo>[3]): ChangesSince {
  reads.length = 0;
  return changesUpTo(counting, loaded, 200, queue);
}

describe("the changes since a version", () => {
  test("are not even read for a forged token", async () => {
    const changesSince = fresh();
    for (let round = 0; round < 5; round++) {
      for (let since = -1; since <= VERSIONS + 1; since++) {
        expect(await changesSince(since, `${round}`.repeat(16), "a")).toBe("unknown-token");
      }
    }
    expect(objectsRead()).toBe(0);
    // Each manifest was read once, except the newest one, which was known.
    expect(reads).toHaveLength(VERSIONS - 1);
  });

  test("are read once for all clients that ask at the same time", async () => {
    const changesSince = fresh();
    const checksum = await checksumOf(30);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => changesSince(30, checksum, `client ${i}`)),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toHaveProperty("removals");
    expect(objectsRead()).toBe(2 * (VERSIONS - 30));
    await changesSince(31, await checksumOf(31), "a");
    expect(objectsRead()).toBe(4 * (VERSIONS - 30) - 2);
    await changesSince(30, checksum, "a");
    await changesSince(29, await checksumOf(29), "a");
    // Only one change is older than those that were read.
    expect(objectsRead()).toBe(4 * (VERSIONS - 30));
  });

  test("are not joined again when they are too many", async () => {
    const changesSince = fresh();
    // From version 19 on, 105 entries are removed and 105 added: more than the list has.
    expect(await changesSince(1, await checksumOf(1), "a")).toBe("full-is-smaller");
    const before = objectsRead();
    for (let since = 1; since < 20; since++) {
      expect(await changesSince(since, await checksumOf(since), "a")).toBe("full-is-smaller");
    }
    expect(objectsRead()).toBe(before);
    expect(await changesSince(20, await checksumOf(20), "a")).toHaveProperty("removals");
  });

  test("are joined in the order of the queue", async () => {
    const order: string[] = [];
    const changesSince = fresh({
      run(client, task) {
        order.push(client);
        return task();
      },
    });
    await changesSince(39, await checksumOf(39), "a");
    await changesSince(39, "0".repeat(16), "forged");
    await changesSince(39, await checksumOf(39), "b");
    await changesSince(38, await checksumOf(38), "c");
    expect(order).toEqual(["a", "c"]);
  });
});

describe("in slices", () => {
  const words = (from: number, to: number, step: number) =>
    Uint32Array.from({ length: to - from }, (_, i) => ((from + i) * step) >>> 0).sort();
  const one = words(0, 60_000, 9973);
  const two = words(16_000, 76_000, 9973);
  const three = words(36_000, 92_000, 9973);
  const first = changeBetween(one, two);
  const second = changeBetween(two, three);

  test("changes are joined as at once", async () => {
    const joined = await joinInSlices(first, second);
    expect(joined).toEqual(joinChanges(first, second));
    expect(joined).toEqual(changeBetween(one, three));
  });

  test("a difference is the same as at once", async () => {
    const checksums = { oldChecksum: "a", checksum: "b" };
    const change = changeBetween(one, three);
    expect(await differenceInSlices(three, change, checksums)).toEqual(
      differenceTo(three, change, checksums),
    );
  });

  test("other work has its turn between them", async () => {
    const counter = turnCounter();
    await joinInSlices(first, second);
    counter.stop();
    expect(counter.turns()).toBeGreaterThan(1);
  });
});

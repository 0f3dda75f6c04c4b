import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { randomNumbers } from "../../../../packages/list-store/test/support/publishing.ts";
import { hashSorter } from "../../src/publish/sort-hashes.ts";
import { type ScratchFile, scratchFile } from "../../src/storage/scratch-file.ts";

let folder: string;
let file: ScratchFile;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "scratch-"));
});
beforeEach(() => {
  file = scratchFile(join(folder, "made"));
});
afterEach(() => file.close());
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns a full hash. Only few first bytes are used, so that buckets become long. */
function someHash(random: () => number): Buffer {
  const hash = Buffer.alloc(FULL_HASH_BYTES);
  hash[0] = Math.floor(random() * 3) * 100;
  hash.writeUInt32BE(Math.floor(random() * 4000), 20);
  return hash;
}

const hexOf = (hash: Uint8Array) => Buffer.from(hash).toString("hex");
const wholeOf = (pieces: Iterable<Uint8Array>) => Buffer.concat([...pieces]).toString("hex");

describe.each([1, 2, 3])("hashes, seed %i", (seed) => {
  const random = randomNumbers(seed);
  const count = [20_000, 5000, 10][seed - 1]!;

  test("are sorted in little memory, without those that are not kept", async () => {
    const sorter = hashSorter(file);
    const kept = new Set<string>();
    const added: string[] = [];
    for (let source = 0; source < 5; source++) {
      // The third source is empty.
      if (source === 2) continue;
      for (let i = 0; i < count / 4; i++) {
        const hash = someHash(random);
        sorter.add(hash, source);
        added.push(`${hexOf(hash)} ${source}`);
        // Some hashes of one source are dropped, as for an exception of that source.
        if (source !== 3 || hash[23]! % 8 > 0) kept.add(hexOf(hash));
      }
    }
    const asked: string[] = [];
    sorter.filter((hash, source) => {
      asked.push(`${hexOf(hash)} ${source}`);
      return source !== 3 || hash[23]! % 8 > 0;
    });
    expect(asked.sort()).toEqual(added.sort());
    for (let i = 0; i < count / 4; i++) {
      const hash = someHash(random);
      sorter.add(hash, 5);
      kept.add(hexOf(hash));
    }
    const shares: number[] = [];
    const sorted = await sorter.sorted(async (share) => void shares.push(share));
    expect(sorted.count).toBe(kept.size);
    const expected = [...kept].sort().join("");
    for (let time = 0; time < 2; time++) {
      expect(wholeOf(sorted.pieces() as Iterable<Uint8Array>)).toBe(expected);
    }
    expect([shares[0], shares.length]).toEqual([0, 256]);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  test("leave no file with a name", () => {
    const sorter = hashSorter(file);
    for (let i = 0; i < count; i++) sorter.add(someHash(random), 0);
    expect(readdirSync(folder)).toEqual(["made"]);
    expect(readdirSync(join(folder, "made"))).toEqual([]);
  });
});

test.each([2047, 2048, 2049, 4096])("%i hashes with the same first byte", async (count) => {
  const sorter = hashSorter(file);
  for (let i = count; i > 0; i--) {
    const hash = Buffer.alloc(FULL_HASH_BYTES);
    hash.writeUInt32BE(i, 20);
    sorter.add(hash, 0);
  }
  const sorted = await sorter.sorted();
  const whole = wholeOf(sorted.pieces() as Iterable<Uint8Array>);
  expect([sorted.count, whole.length]).toEqual([count, 2 * FULL_HASH_BYTES * count]);
  expect(whole.slice(40, 48)).toBe("00000001");
});

test("nothing is written for a short list", async () => {
  const sorter = hashSorter(scratchFile(join(folder, "missing")));
  sorter.add(Buffer.alloc(FULL_HASH_BYTES), 0);
  expect((await sorter.sorted()).count).toBe(1);
  expect(readdirSync(folder)).not.toContain("missing");
});

test("when nothing can be written, the error names the folder", () => {
  const below = join(folder, "file", "below");
  writeFileSync(join(folder, "file"), "");
  const sorter = hashSorter(scratchFile(below));
  const random = randomNumbers(1);
  const fill = () => {
    for (let i = 0; i < 20_000; i++) sorter.add(someHash(random), 0);
  };
  expect(fill).toThrow(expect.objectContaining({ code: "ENOTDIR", path: below }));
});

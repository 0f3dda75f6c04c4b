import {
  collectGarbage,
  findFullHashes,
  type LoadedList,
  loadList,
  memoryStorage,
  publish,
  renew,
  retire,
  rollBack,
  type StoreError,
  withdraw,
} from "@x/list-store";
import { sampleSize } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import {
  bytesOfHash,
  changed,
  expectPrefixes,
  expectWords,
  type Hash,
  packed,
  someHash,
  sorted,
  wordOf,
} from "./support/hash-sets.ts";
import { type PlainVersion, plainReader } from "./support/plain-reader.ts";
import { DAY, newSigner, randomNumbers } from "./support/publishing.ts";

/*
 * A second reader, written from the page on the format, follows random histories beside the reader of the package. Both
 * must have the published prefixes after every read, and find the same full hashes.
 */

const LIST = "malware";
const HISTORIES = sampleSize(200, 6);
const STEPS = 40;
const signers = await Promise.all(["first", "second", "third"].map((name) => newSigner(name)));

/** A reader of the package and a plain one that read at the same times. */
interface Pair {
  readonly prefixBytes: 4 | 8;
  loaded: LoadedList;
  plain: PlainVersion;
}

/** Compares long lists, and reports only the differences. */
function expectEqual(found: readonly string[], expected: ReadonlySet<string>): void {
  const wrong = found.filter((each) => !expected.has(each));
  const missing = [...expected].filter((each, i) => found[i] !== each);
  expect([wrong.slice(0, 3), missing.slice(0, 3), found.length]).toEqual([[], [], expected.size]);
}

const done = { partial: 0, whole: 0, rotated: 0, collected: 0, restored: 0, found: 0 };

test.each(Array.from({ length: HISTORIES }, (_, i) => i + 1))(
  "two readers follow a history, seed %i",
  { timeout: 120_000 },
  async (seed) => {
    const random = randomNumbers(seed);
    const upTo = (most: number) => Math.floor(random() * most);
    let time = 0;
    const now = () => time;
    const storage = memoryStorage(now);
    const reads: string[] = [];
    const read = async (key: string) => {
      reads.push(key);
      return storage.get(key);
    };
    let signer = 0;
    let publicKeys = [signers[0]!.publicKey];
    const stored = () => ({ storage, list: LIST, publicKeys, now });
    const common = () => ({ ...stored(), signer: signers[signer]!, lifetime: 30 * DAY });
    const size = [5, 100, 700, 2500][upTo(4)]!;
    let current: ReadonlySet<Hash> = new Set(Array.from({ length: size }, () => someHash(random)));
    const versions: ReadonlySet<Hash>[] = [];
    const pairs: Pair[] = [];

    async function publishSet(set: ReadonlySet<Hash>): Promise<void> {
      const { manifest } = await publish({ ...common(), fullHashes: [packed(set)] });
      current = set;
      versions[manifest.version] = set;
    }

    async function signAgain(): Promise<void> {
      versions[(await renew({ ...common(), renewWithin: 60 * DAY })).manifest.version] = current;
    }

    async function takeStep(): Promise<void> {
      const chance = random();
      if (chance < 0.06) {
        await signAgain();
      } else if (chance < 0.09) {
        current = new Set();
        versions[(await withdraw(common())).manifest.version] = current;
      } else if (chance < 0.15) {
        const version = 1 + upTo(versions.length - 1);
        try {
          const { manifest } = await rollBack({ ...common(), version });
          current = versions[version]!;
          versions[manifest.version] = current;
          done.restored++;
        } catch (error) {
          expect((error as StoreError).code).toBe("collected");
        }
      } else if (chance < 0.22) {
        // The old key announces the next one, which signs a version before the old one is withdrawn.
        const next = (signer + 1) % signers.length;
        publicKeys = [signers[signer]!, signers[next]!].map(({ publicKey }) => publicKey);
        await signAgain();
        signer = next;
        await signAgain();
        if (random() < 0.5) publicKeys = [signers[next]!.publicKey];
        done.rotated++;
      } else if (chance < 0.32) {
        const keep = 1 + upTo(4);
        await collectGarbage({ ...stored(), keep, keepChanges: keep, grace: 0, patience: 0 });
        done.collected++;
      } else await publishSet(changed(current, random));
    }

    async function expectSame({ prefixBytes, loaded, plain }: Pair): Promise<void> {
      expectWords(loaded, current);
      expectPrefixes(loaded, prefixBytes, current);
      expect(plain.entry.hash).toBe(loaded.entry.hash);
      expectEqual(plain.list, new Set(sorted(current).map(wordOf)));
      const longer = new Set(sorted(current).map((hash) => hash.slice(0, 16)));
      if (prefixBytes === 8) expectEqual(plain.longer!, longer);
      const { search } = plainReader(read, LIST, publicKeys, now);
      const some = sorted([...current, ...(versions.at(-2) ?? [])]);
      for (const hash of [0, 1, 2].map(() => some[upTo(some.length)] ?? someHash(random))) {
        const prefix = hash.slice(0, random() < 0.7 ? 8 : 16);
        const found = await findFullHashes(storage, loaded, bytesOfHash(prefix));
        const expected = sorted([...current].filter((each) => each.startsWith(prefix)));
        expect(found.map((each) => Buffer.from(each).toString("hex"))).toEqual(expected);
        expect(await search(plain, prefix)).toEqual(expected);
        done.found += expected.length;
      }
    }

    async function readAgain(): Promise<void> {
      if (pairs.length === 0 || random() < 0.15) {
        const prefixBytes = random() < 0.5 ? 4 : 8;
        const loaded = (await loadList({ ...stored(), prefixBytes }))!;
        const plain = await plainReader(read, LIST, publicKeys, now).load(prefixBytes === 8);
        pairs.push({ prefixBytes, loaded, plain });
        if (pairs.length > 6) pairs.splice(upTo(pairs.length), 1);
      }
      const pair = pairs[upTo(pairs.length)]!;
      const { prefixBytes, loaded } = pair;
      // A reader that was restarted has only what it keeps in files.
      const kept = random() < 0.5 ? loaded : { entry: loaded.entry, prefixes: loaded.prefixes };
      pair.loaded = (await loadList({ ...stored(), prefixBytes }, kept))!;
      reads.length = 0;
      pair.plain = await plainReader(read, LIST, publicKeys, now).update(pair.plain);
      const isWhole = reads.some((key) => key.endsWith(pair.plain.entry.base.object!));
      done[isWhole ? "whole" : "partial"]++;
      await expectSame(pair);
    }

    await publishSet(current);
    for (let step = 0; step < STEPS; step++) {
      time += upTo(20_000);
      await takeStep();
      if (random() < 0.7) await readAgain();
    }
    if (random() < 0.2) {
      await retire(common());
      current = new Set();
    }
    for (const _ of pairs) await readAgain();
  },
);

test("the histories had rollbacks, other keys, garbage collections and all kinds of updates", () => {
  expect(Math.min(...Object.values(done))).toBeGreaterThan(2);
});

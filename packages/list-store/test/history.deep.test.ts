import { loadList, memoryStorage, readEntry, readSnapshot, type Storage } from "@x/list-store";
import { openList } from "@x/list-store/serving";
import { rawHashesIn } from "@x/prefix-list";
import { sampleSize } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import { Killed, killedAt, slowStorage } from "./support/failing-storage.ts";
import { type PlainList, plainList, plainUpdate } from "./support/plain-list.ts";
import { hashesOf, newSigner, publisher, randomNumbers } from "./support/publishing.ts";

const signer = await newSigner();
const LIST = "malware";

/** The next contents of a list: some entries are added, some are removed, and some are added again. */
function nextEntries(entries: ReadonlySet<string>, random: () => number): Set<string> {
  if (random() < 0.01) return new Set();
  const next = new Set(entries);
  for (const entry of entries) if (random() < 0.01) next.delete(entry);
  for (let i = Math.floor(random() * 30); i > 0; i--)
    next.add(`${Math.floor(random() * 2000)}.example/`);
  return next;
}

interface Version {
  readonly since: number;
  readonly checksum: string;
  readonly prefixes: PlainList;
}

/** Reads the prefixes of every version, and checks that the log is a chain without gaps. */
async function readHistory(storage: Storage): Promise<Version[]> {
  const history: Version[] = [];
  for (let version = 1, before: string | null = null; ; version++) {
    const entry = await readEntry(storage, LIST, version);
    if (entry === null) return history;
    expect(entry.manifest.previous).toBe(before);
    before = entry.hash;
    const { since, checksum } = entry.manifest.contents;
    const { prefixes: list } = await readSnapshot(storage, entry.manifest);
    const hex = Buffer.concat(rawHashesIn(list).map((batch) => batch.rawHashes)).toString("hex");
    history.push({ since, checksum, prefixes: hex.match(/.{8}/g) ?? [] });
  }
}

/** Brings a client at each version up to the newest one. */
async function updateFromEverywhere(storage: Storage): Promise<{ partial: number; full: number }> {
  const history = await readHistory(storage);
  const loaded = (await loadList({ storage, list: LIST, publicKeys: [signer.publicKey] }))!;
  const { differenceSince } = await openList(storage, loaded, { window: 1000 });
  const newest = history.at(-1)!.prefixes;
  let [partial, full] = [0, 0];
  for (const { since, checksum: old, prefixes } of history) {
    const answer = await differenceSince(since, old.slice(0, 16), "client");
    if (typeof answer === "string") {
      full++;
      continue;
    }
    partial++;
    const { removals, additions, checksum } = answer;
    const hex = Buffer.concat(additions.map((batch) => batch.rawHashes)).toString("hex");
    expect(plainUpdate(prefixes, [...removals], hex.match(/.{8}/g) ?? [], checksum)).toEqual(
      newest,
    );
  }
  return { partial, full };
}

const VERSIONS = sampleSize(200, 80);
const SEEDS = [1, 2, 3].slice(0, sampleSize(3, 1));

describe.each(SEEDS)(`a history of ${VERSIONS} versions, seed %i`, (seed) => {
  test("updates a client from each of them", async () => {
    const random = randomNumbers(seed);
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    let entries: ReadonlySet<string> = new Set(
      Array.from({ length: 800 }, (_, i) => `${i}.example/`),
    );
    const published: PlainList[] = [];
    for (let version = 1; version <= VERSIONS; version++) {
      entries = nextEntries(entries, random);
      if ((await publish(LIST, entries)).outcome === "changed")
        published.push(plainList(hashesOf(entries)));
    }
    expect((await readHistory(storage)).map(({ prefixes }) => prefixes)).toEqual(published);
    const { partial, full } = await updateFromEverywhere(storage);
    expect(partial).toBeGreaterThan(sampleSize(20, 5));
    expect(full).toBeGreaterThan(0);
  });

  test("a reader that follows it sees the same as one that starts at its end", async () => {
    const random = randomNumbers(seed);
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    let entries: ReadonlySet<string> = new Set(["a.example/"]);
    await publish(LIST, entries);
    const stored = { storage, list: LIST, publicKeys: [signer.publicKey] };
    let following = (await loadList(stored))!;
    for (let version = 2; version <= 40; version++) {
      entries = nextEntries(entries, random);
      await publish(LIST, entries);
      if (random() < 0.5) following = (await loadList(stored, following))!;
    }
    following = (await loadList(stored, following))!;
    const fresh = (await loadList(stored))!;
    // The times may differ: a list may have the time of its base, or of the version that the reader came from.
    expect({ ...following.prefixes, created: 0 }).toEqual({ ...fresh.prefixes, created: 0 });
    const [a, b] = [
      await openList(storage, following, { window: 50 }),
      await openList(storage, fresh, { window: 50 }),
    ];
    const history = await readHistory(storage);
    for (let since = 0; since <= 41; since++) {
      const checksum = history[since - 1]?.checksum ?? "";
      const change = await a.differenceSince(since, checksum, "client");
      expect(change).toEqual(await b.differenceSince(since, checksum, "client"));
      expect(change === "unknown-token").toBe(history[since - 1]?.since !== since);
    }
  });
});

test("a publisher that is killed at any storage operation leaves a store that goes on", async () => {
  const storage = memoryStorage();
  const random = randomNumbers(7);
  let entries: ReadonlySet<string> = new Set(["a.example/", "b.example/"]);
  await publisher(storage, signer)(LIST, entries);
  const expected = [plainList(hashesOf(entries))];
  let kills = 0;
  for (const when of ["before", "after"] as const) {
    for (let operation = 0; ; operation++) {
      entries = new Set([...nextEntries(entries, random), `${when}-${operation}.example/`]);
      const dying = publisher(killedAt(storage, operation, when), signer)(LIST, entries);
      const died = await dying.then(
        () => false,
        (error) => {
          expect(error).toBeInstanceOf(Killed);
          return true;
        },
      );
      // Whatever happened, the next publisher gives the store these contents, in exactly one new version.
      await publisher(storage, signer)(LIST, entries);
      expected.push(plainList(hashesOf(entries)));
      expect((await readHistory(storage)).map(({ prefixes }) => prefixes)).toEqual(expected);
      if (!died) break;
      kills++;
    }
  }
  expect(kills).toBeGreaterThan(20);
  await updateFromEverywhere(storage);
});

test.each([1, 2, 3, 4, 5])(
  "publishers that race, seed %i: each version is made once",
  async (seed) => {
    const random = randomNumbers(seed);
    const storage = memoryStorage();
    const run = async (name: string) => {
      const publish = publisher(slowStorage(storage, random), signer);
      const versions: number[] = [];
      let entries: ReadonlySet<string> = new Set([`${name}.example/`]);
      for (let i = 0; i < 15; i++) {
        entries = nextEntries(entries, random);
        const { outcome, manifest } = await publish(LIST, entries);
        if (outcome === "changed") versions.push(manifest.version);
      }
      return versions;
    };
    const versions = (await Promise.all([run("one"), run("two")])).flat();
    const history = await readHistory(storage);
    expect(versions.sort((a, b) => a - b)).toEqual(history.map((_, i) => i + 1));
    expect(history.length).toBeGreaterThan(20);
    await updateFromEverywhere(storage);
  },
);

import { memoryStorage, readEntry, readHistory, type Storage } from "@x/list-store";
import { sampleSize } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import { historyLinks } from "../src/block.ts";
import { sortHashes } from "../src/full-hashes.ts";
import { writeHint } from "../src/log-files.ts";
import { formatManifest, type LogEntry, type Manifest, parseEntry } from "../src/manifest.ts";
import { signNote } from "../src/signed-note.ts";
import { objectKey, versionKey } from "../src/storage.ts";
import { bytesOf } from "../src/words.ts";
import { writeBlocks } from "../src/write-blocks.ts";
import { newContentsOf, writeFirst } from "../src/write-contents.ts";
import { newSigner, putObject, randomNumbers } from "./support/publishing.ts";

/*
 * A list that was published every hour for a year. Each hour, some entries are added; most of them are removed within
 * hours or weeks, as on lists of phishing sites. Only the newest version has full hashes, as after garbage collection.
 * Every signature is accepted, because other tests verify signatures.
 */

const LIST = "phishing";
const HOUR = 3_600_000;
const VERSIONS = sampleSize(365 * 24, 900);
const ENTRIES = sampleSize(100_000, 5000);
const ADDED_PER_HOUR = ENTRIES / 5000;
const HOSTS = 10;

const signer = { ...(await newSigner()), sign: async () => new Uint8Array(64) };
const stored = { list: LIST, publicKeys: [signer.publicKey], verify: () => true };
const random = randomNumbers(63);
const below = (end: number) => Math.floor(random() * end);
const issuedAt = (version: number) => Date.UTC(2026, 0, 1) + version * HOUR;

/** The full hash of an entry, which begins with its word. */
function hashOfWord(word: number): Uint8Array {
  const hash = new Uint8Array(32);
  hash.set(bytesOf(Uint32Array.of(word)));
  return hash;
}

/** How many hours a new entry stays: a third of them less than two days, and a third a year or longer. */
function lifetime(): number {
  const kind = below(3);
  if (kind === 0) return 1 + below(48);
  return kind === 1 ? 48 + below(28 * 24) : 365 * 24;
}

/** The changes of each version after the first. `toggled` are the versions that add or remove each of the hosts. */
function* simulate(words: Set<number>, toggled: readonly (readonly [number, Set<number>])[]) {
  const endings = new Map<number, number[]>();
  const add = (word: number, end: number) => {
    words.add(word);
    endings.set(end, [...(endings.get(end) ?? []), word]);
  };
  const isHost = new Set(toggled.map(([word]) => word));
  for (let i = 0; i < ENTRIES; i++) add(below(2 ** 32), 2 + below(2 * VERSIONS));
  yield { removed: [], added: [...words] };
  for (let version = 2; version <= VERSIONS; version++) {
    const ended = (endings.get(version) ?? []).filter((word) => !isHost.has(word));
    const removed = new Set(ended.filter((word) => words.delete(word)));
    const added = new Set<number>();
    const wave = 1 + Math.sin((version * Math.PI) / 12);
    for (let i = below(2 * wave * ADDED_PER_HOUR); i > 0; i--) {
      const word = below(2 ** 32);
      if (words.has(word) || removed.has(word)) continue;
      add(word, version + lifetime());
      added.add(word);
    }
    for (const [word, versions] of toggled) {
      if (!versions.has(version)) continue;
      if (words.delete(word)) removed.add(word);
      else added.add(words.add(word) && word);
    }
    yield { removed: [...removed], added: [...added] };
  }
}

const sorted = (words: Iterable<number>) => Uint32Array.from(words).sort();

/** Writes the versions of a year, and returns what happened to each of the hosts. */
async function makeYear(storage: Storage) {
  const write = (bytes: Uint8Array) => putObject(storage, bytes);
  const toggled = Array.from({ length: HOSTS }, (_, i): [number, Set<number>] => {
    const versions = Array.from({ length: 1 + (i % 3) }, () => 2 + below(VERSIONS - 40));
    // Some are on the list for a few hours only, so that no long block adds or removes them.
    return [
      below(2 ** 32),
      new Set(versions.flatMap((at) => (i % 2 ? [at, at + 1 + below(30)] : [at]))),
    ];
  });
  const words = new Set<number>();
  let newest: LogEntry | null = null;
  const fake = { object: "1".repeat(64), bytes: 0, hashes: "2".repeat(64) };
  let version = 0;
  for (const { removed, added } of simulate(words, toggled)) {
    version++;
    const change = { removed: sorted(removed), added: sorted(added) };
    const list = (): never => {
      throw new Error("no full hashes are needed");
    };
    let base: Manifest["base"] = { version, ...fake };
    let contents: Manifest["contents"] = {
      ...{ since: version, prefixes: words.size, fullHashes: words.size },
      ...{ checksum: "3".repeat(64), entries: "4".repeat(64) },
    };
    if (version === VERSIONS) {
      const hashes = sortHashes([Buffer.concat([...words].map(hashOfWord))]);
      ({ base, contents } = await writeFirst(write, await newContentsOf(LIST, hashes), version));
    }
    // Blocks that begin long before a base have no full hashes.
    const later = { ...base, version: version + 1 };
    const blocks =
      newest === null
        ? []
        : await writeBlocks(storage, write, newest, { change, base: later, list });
    const manifest: Manifest = {
      ...{ list: LIST, version, first: 1, previous: newest?.hash ?? null, blocks, base, contents },
      ...{ issued: issuedAt(version), expires: issuedAt(version) + 24 * HOUR },
      change: { addedEntries: added.length, removedEntries: removed.length },
      ...{ withdrawn: false, nextSigners: [signer.publicKey] },
    };
    const note = await signNote(formatManifest(manifest), signer);
    await storage.create(versionKey(LIST, version), note);
    newest = await parseEntry(note, LIST, version);
  }
  await writeHint(storage, LIST, VERSIONS);
  return toggled;
}

/** Deletes the blocks that garbage collection would delete, and returns the bytes of those that stay. */
async function keepHistory(storage: Storage) {
  const bytes = { shortest: 0, kept: 0 };
  for (let version = 2; version < VERSIONS; version++) {
    const { manifest } = (await readEntry(storage, LIST, version))!;
    const kept = historyLinks(version, manifest.blocks);
    for (const { object, after, bytes: length } of manifest.blocks) {
      if (object === null) continue;
      if (after === version - 1) bytes.shortest += length;
      if (kept.some((link) => link.after === after)) bytes.kept += length;
      else await storage.delete(objectKey(object));
    }
  }
  return bytes;
}

const isBlock = (bytes: Uint8Array | null): bytes is Uint8Array =>
  bytes !== null && Buffer.from(bytes.subarray(0, 5)).toString() === "block";

test("the history of ten hosts is that of a plain record, and reads little", {
  timeout: 600_000,
}, async () => {
  const storage = memoryStorage();
  const toggled = await makeYear(storage);
  const { base } = (await readEntry(storage, LIST, VERSIONS))!.manifest;
  const { shortest, kept } = await keepHistory(storage);
  // The blocks of 16 and 256 versions take less than one and a half times as much as the shortest ones.
  expect(kept).toBeLessThan(2.5 * shortest);
  const read = { requests: 0, blockBytes: 0 };
  const counted: Storage = {
    ...storage,
    async get(key, most) {
      const bytes = await storage.get(key, most);
      read.requests++;
      if (isBlock(bytes)) read.blockBytes += bytes.length;
      return bytes;
    },
  };
  for (const [word, versions] of toggled) {
    Object.assign(read, { requests: 0, blockBytes: 0 });
    const history = (await readHistory({ ...stored, storage: counted }, [hashOfWord(word)]))!;
    const { changes, listed } = history.entries[0]!;
    const expected = [...versions].sort((a, b) => a - b);
    expect(changes.map(({ version, issued }) => [version, issued])).toEqual(
      expected.map((version) => [version, issuedAt(version)]),
    );
    expect(changes.map(({ change }) => change)).toEqual(
      expected.map((_, i) => (i % 2 === 0 ? "added" : "removed")),
    );
    expect(listed).toBe(expected.length % 2 === 1);
    expect(history.begins.version).toBe(1);
    const most = 70 + VERSIONS / 256 + 40 * changes.length;
    expect(read.requests).toBeLessThan(most);
    expect(read.blockBytes - base.bytes).toBeLessThan(shortest);
  }
});

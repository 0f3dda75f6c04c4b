import {
  collectGarbage,
  type LogEntry,
  memoryStorage,
  readEntry,
  readNewest,
  type Storage,
} from "@x/list-store";
import { sampleSize } from "@x/test-support/sample-size";
import { beforeAll, expect, test } from "vitest";
import { historyLinks } from "../src/block.ts";
import { historyBlocks } from "../src/collect-garbage.ts";
import { addBlocks, addContents } from "../src/contents.ts";
import { writeHint } from "../src/log-files.ts";
import { formatManifest, parseEntry } from "../src/manifest.ts";
import { signNote } from "../src/signed-note.ts";
import { historyKey, versionKey } from "../src/storage.ts";
import { writeSame } from "../src/write-contents.ts";
import { diskFull } from "./support/failing-storage.ts";
import { newSigner, publisher, putObject } from "./support/publishing.ts";

/*
 * Garbage collection of a list that was published every hour for a year, or for two months in a short run. Every
 * signature is accepted, because other tests verify signatures.
 */

const LIST = "malware";
const LAST = sampleSize(365 * 24, 1400);
const DAY = 24;
const PAGES = Array.from({ length: Math.ceil(LAST / 1024) }, (_, i) => 1024 * (i + 1));

const signer = { ...(await newSigner()), sign: async () => new Uint8Array(64) };
const stored = { list: LIST, publicKeys: [signer.publicKey], verify: () => true };
const options = { ...stored, keep: 3, keepChanges: 200, grace: 0 };
const files = memoryStorage();
const publish = (storage: Storage, number: number) =>
  publisher(storage, signer)(LIST, [`a${number}.example/`, "b.example/"], { verify: () => true });

/** Signs a list again until it has a number of versions. */
async function signUntil(storage: Storage, last: number): Promise<void> {
  let newest: LogEntry = (await readNewest({ ...stored, storage }))!;
  while (newest.manifest.version < last) {
    const version = newest.manifest.version + 1;
    const same = await writeSame(storage, (bytes) => putObject(storage, bytes), newest);
    const manifest = { ...newest.manifest, ...same, version, previous: newest.hash };
    const note = await signNote(formatManifest(manifest), signer);
    await storage.create(versionKey(LIST, version), note);
    newest = await parseEntry(note, LIST, version);
  }
  await writeHint(storage, LIST, last);
}

/** A storage that begins as another one is, and does not change that one. */
function branch(from: Storage): Storage {
  const own = memoryStorage();
  const gone = new Set<string>();
  const get: Storage["get"] = async (key) =>
    gone.has(key) ? null : ((await own.get(key)) ?? from.get(key));
  return {
    get,
    async create(key, bytes) {
      if ((await get(key)) !== null) return false;
      gone.delete(key);
      return own.create(key, bytes);
    },
    async put(key, bytes) {
      gone.delete(key);
      await own.put(key, bytes);
    },
    async list(folder) {
      const entries = new Map(
        [...(await from.list(folder)), ...(await own.list(folder))].map((each) => [
          each.name,
          each,
        ]),
      );
      return [...entries.values()].filter(({ name }) => !gone.has(folder + name));
    },
    async delete(key) {
      gone.add(key);
      await own.delete(key);
    },
  };
}

/** Counts the files that are read, by their folders. */
function counting(storage: Storage) {
  const read = { manifests: 0, others: 0, listings: 0 };
  const counted: Storage = {
    ...storage,
    get(key, most) {
      if (key.startsWith(`lists/${LIST}/v/`)) read.manifests++;
      else read.others++;
      return storage.get(key, most);
    },
    list(folder) {
      read.listings++;
      return storage.list(folder);
    },
  };
  return { storage: counted, read };
}

async function objectsIn(storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for (const { name: folder } of await storage.list("objects/sha256/")) {
    names.push(...(await storage.list(`objects/sha256/${folder}`)).map(({ name }) => name));
  }
  return names.sort();
}

/** The objects that must stay, found by reading every manifest. */
async function neededIn(storage: Storage): Promise<string[]> {
  const needed = new Set<string>();
  const last = (await readNewest({ ...stored, storage }))!.manifest.version;
  for (let version = 2; version <= last; version++) {
    const { manifest } = (await readEntry(storage, LIST, version))!;
    addBlocks(needed, { blocks: historyLinks(version, manifest.blocks) });
    if (version > last - options.keepChanges) addBlocks(needed, manifest);
    if (version > last - options.keep) await addContents(needed, storage, manifest);
  }
  return [...needed].sort();
}

/** The store of a year, after a garbage collection and another day. */
beforeAll(async () => {
  for (let number = 0; number < 50; number++) await publish(files, number);
  await signUntil(files, LAST - 50);
  for (let number = 50; number < 100; number++) await publish(files, number);
  const { read, storage } = counting(files);
  const { deleted } = await collectGarbage({ ...options, storage });
  expect(deleted.length).toBeGreaterThan(50);
  // Every manifest is read once, and a few again.
  expect(read.manifests).toBeGreaterThan(LAST - 10);
  expect(read.manifests).toBeLessThan(LAST + 50);
  for (let number = 100; number < 100 + DAY; number++) await publish(files, number);
}, 120_000);

test("reads few manifests of a long log, and keeps all that it must", async () => {
  const { read, storage } = counting(branch(files));
  const { deleted } = await collectGarbage({ ...options, storage });
  expect(deleted.length).toBeGreaterThan(DAY);
  expect(read.manifests).toBeLessThan(options.keepChanges + 2 * DAY);
  expect(read.others).toBeLessThan(60);
  expect(read.listings).toBeLessThan(600);
  expect(await objectsIn(storage)).toEqual(await neededIn(storage));
});

test("notes the blocks of the history only in whole pages and after many new versions", async () => {
  const storage = branch(files);
  const pages = async () => (await storage.list(`lists/${LIST}/history/`)).map(({ name }) => name);
  expect((await pages()).map(Number)).toEqual(PAGES);
  const last = historyKey(LIST, PAGES.at(-1)!);
  const before = await storage.get(last);
  await collectGarbage({ ...options, storage });
  expect(await storage.get(last)).toEqual(before);
  const empty = memoryStorage();
  for (let number = 0; number < 9; number++) await publish(empty, number);
  await collectGarbage({ ...options, storage: empty });
  expect(await empty.list(`lists/${LIST}/history/`)).toEqual([]);
});

const changes: [string, (bytes: Uint8Array) => Uint8Array][] = [
  ["empty", () => new Uint8Array(0)],
  ["cut in a hash", (bytes) => bytes.subarray(0, -1)],
  ["cut after a hash", (bytes) => bytes.subarray(0, -32)],
  ["too long", (bytes) => Buffer.concat([bytes, bytes.subarray(-32)])],
  ...[0, 40, 64, 20_000].map((at): [string, (bytes: Uint8Array) => Uint8Array] => [
    `changed at byte ${at}`,
    (bytes) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)),
  ]),
];

/** What garbage collection knows about the blocks of the history, and how many manifests it read. */
async function readHistoryBlocks(storage: Storage) {
  let manifests = 0;
  const newest = (await readNewest({ ...stored, storage }))!;
  const read = (version: number) => {
    manifests++;
    return readEntry(storage, LIST, version);
  };
  return { blocks: await historyBlocks(storage, newest, read, false), manifests };
}

test.each(changes)("reads the manifests if a page is %s", async (_, change) => {
  const { blocks: expected } = await readHistoryBlocks(files);
  const storage = branch(files);
  const key = historyKey(LIST, PAGES[0]!);
  await storage.put(key, change((await storage.get(key))!));
  const { blocks, manifests } = await readHistoryBlocks(storage);
  expect(manifests).toBeGreaterThan(PAGES[0]! - 10);
  expect(blocks).toEqual(expected);
  expect(await storage.get(key)).toEqual(await files.get(key));
});

test("reads the manifests if a page is that of other versions or of another log", async () => {
  const { blocks: expected } = await readHistoryBlocks(files);
  const [first, second] = PAGES as [number, number];
  const storage = branch(files);
  const other = memoryStorage();
  await publish(other, 0);
  await signUntil(other, 500);
  await collectGarbage({ ...options, storage: other });
  const foreign = (await other.get(historyKey(LIST, first)))!;
  for (const page of [(await storage.get(historyKey(LIST, second)))!, foreign]) {
    await storage.put(historyKey(LIST, first), page);
    expect((await readHistoryBlocks(storage)).blocks).toEqual(expected);
    expect(await storage.get(historyKey(LIST, first))).toEqual(
      await files.get(historyKey(LIST, first)),
    );
  }
});

test("deletes nothing if a manifest is not the one that the next version follows", async () => {
  for (const version of [PAGES[0]!, LAST - 300]) {
    const storage = branch(files);
    for (const end of PAGES) await storage.delete(historyKey(LIST, end));
    const { manifest } = (await readEntry(storage, LIST, version))!;
    const other = { ...manifest, blocks: [{ ...manifest.blocks[0]!, object: "0".repeat(64) }] };
    await storage.put(versionKey(LIST, version), await signNote(formatManifest(other), signer));
    const collecting = collectGarbage({ ...options, storage });
    await expect(collecting).rejects.toMatchObject({ code: "forked" });
    expect(await objectsIn(storage)).toEqual(await objectsIn(files));
  }
});

test("deletes garbage although the disk is full, and notes nothing in a dry run", async () => {
  const pages = PAGES.map((end) => historyKey(LIST, end));
  const storage = branch(files);
  for (const key of pages) await storage.delete(key);
  const full: Storage = { ...storage, put: async (key) => Promise.reject(diskFull(key)) };
  await collectGarbage({ ...options, storage: full, dryRun: true });
  const { deleted } = await collectGarbage({ ...options, storage: full });
  expect(deleted.length).toBeGreaterThan(DAY);
  expect(await objectsIn(storage)).toEqual(await neededIn(storage));
  await collectGarbage({ ...options, storage, dryRun: true });
  for (const key of pages) expect(await storage.get(key)).toBeNull();
});

test("notes no page while manifests are missing, as in a copy that was interrupted", async () => {
  const storage = branch(files);
  for (const end of PAGES) await storage.delete(historyKey(LIST, end));
  const missing = 700;
  const { manifest } = (await readEntry(files, LIST, missing))!;
  await storage.delete(versionKey(LIST, missing));
  await collectGarbage({ ...options, storage });
  expect(await storage.get(historyKey(LIST, PAGES[0]!))).toBeNull();
  const needed = (await neededIn(files)).filter((hash) => hash !== manifest.blocks[0]!.object);
  expect(await objectsIn(storage)).toEqual(expect.arrayContaining(needed));
});

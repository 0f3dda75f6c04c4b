import { type LogEntry, memoryStorage, parseEntry, readEntry } from "@x/list-store";
import { expect, test } from "vitest";
import { formatManifest, type Manifest } from "../src/manifest.ts";
import { signNote } from "../src/signed-note.ts";
import { checkSame, signedBy, trustedBefore } from "../src/trusted-log.ts";
import { newSigner, publisher } from "./support/publishing.ts";

const LIST = "malware";
const [signer, stranger] = [await newSigner(), await newSigner("stranger")];
const storage = memoryStorage();
const publish = publisher(storage, signer);
for (let version = 1; version <= 9; version++) await publish(LIST, [`${version}.example/`]);
const entryOf = async (version: number) => (await readEntry(storage, LIST, version))!;
const entries = await Promise.all(Array.from({ length: 10 }, (_, i) => entryOf(Math.max(1, i))));
const logAt = (version: number) => trustedBefore(entries[version]!);
const hashOfNone = "0".repeat(64);
const forked = { code: "forked" };

/** The same version with changed fields, signed with the key `by`. */
async function changed(
  { manifest }: LogEntry,
  facts: Partial<Manifest>,
  by = signer,
): Promise<LogEntry> {
  const note = await signNote(formatManifest({ ...manifest, ...facts }), by);
  return parseEntry(note, LIST, manifest.version);
}

test("a log begins with an entry that a trusted key has signed", async () => {
  expect((await signedBy([signer.publicKey], entries[9]!))!.newest).toBe(entries[9]);
  expect(await signedBy([stranger.publicKey], entries[9]!)).toBeNull();
  expect(await signedBy([], entries[9]!)).toBeNull();
});

test("the next entry has the hash of the newest one, and a signature by a key that it names", async () => {
  const log = logAt(3);
  await log.append(entries[4]!);
  expect(log.newest).toBe(entries[4]);
  await expect(log.append(entries[6]!)).rejects.toMatchObject(forked);
  const other = await changed(entries[5]!, { previous: hashOfNone });
  await expect(log.append(other)).rejects.toMatchObject(forked);
  const far = await changed(entries[6]!, { previous: entries[4]!.hash });
  await expect(log.append(far)).rejects.toMatchObject(forked);
  const strange = await changed(entries[5]!, {}, stranger);
  await expect(log.append(strange)).rejects.toMatchObject({ code: "wrongly-signed" });
  expect(log.newest).toBe(entries[4]);
});

/** Version 8, whose longer block begins at another version 4. */
async function otherEighth(): Promise<LogEntry> {
  const blocks = entries[8]!.manifest.blocks.map((block) =>
    block.after === 4 ? { ...block, manifest: hashOfNone } : block,
  );
  return changed(entries[8]!, { blocks });
}

test("the next entry has no wrong hash of an older trusted entry", async () => {
  const log = logAt(4);
  for (const version of [5, 6, 7]) await log.append(entries[version]!);
  await expect(log.append(await otherEighth())).rejects.toMatchObject(forked);
  await log.append(entries[8]!);
  expect([...log.entries.keys()]).toEqual([4, 5, 6, 7, 8]);
});

test("a later entry has the hash of the newest one, unless the keys changed", async () => {
  const log = logAt(4);
  expect(await log.skipTo(entries[9]!)).toBe(false);
  expect(await log.skipTo(await changed(entries[8]!, {}, stranger))).toBe(false);
  await expect(log.skipTo(await otherEighth())).rejects.toMatchObject(forked);
  expect(log.newest).toBe(entries[4]);
  expect(await log.skipTo(entries[8]!)).toBe(true);
  expect(log.newest).toBe(entries[8]);
});

test("an older entry has the hash that a trusted entry names", async () => {
  const log = logAt(9);
  const link = log.wayBack(8)!;
  expect(() => log.prepend(link, null)).toThrow("Version 8 of malware is missing");
  expect(() => log.prepend(link, entries[7]!)).toThrow("is not the one that version 9 follows");
  expect(log.prepend(link, entries[8]!)).toBe(entries[8]);
  expect(log.wayBack(8)).toBeNull();
  expect(logAt(8).wayBack(3)).toMatchObject({ version: 4, hash: entries[4]!.hash });
});

test("a later log takes its place if it is proven to contain the newest entry", async () => {
  const log = logAt(4);
  expect(() => log.continueAs(logAt(9), entries[3]!.hash)).toThrow("does not follow version 4");
  expect(log.newest).toBe(entries[4]);
  log.continueAs(logAt(9), entries[4]!.hash);
  expect(log.newest).toBe(entries[9]);
  expect([...log.entries.keys()]).toEqual([4, 9]);
});

test("a version that was seen is the one with its hash", () => {
  const { hash } = entries[5]!;
  expect(() => checkSame(entries[5]!, { version: 5, hash })).not.toThrow();
  expect(() => checkSame(entries[5]!, { version: 5, hash: hashOfNone })).toThrow("seen before");
});

test("only the newest entries stay in memory", async () => {
  const log = trustedBefore(entries[1]!, { most: 3 });
  for (const version of [2, 3, 4, 5]) await log.append(entries[version]!);
  expect([...log.entries.keys()]).toEqual([3, 4, 5]);
});

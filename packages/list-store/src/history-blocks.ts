import { fromHex, toHex } from "@x/sha256-prefix";
import { historyLinks, historySlots } from "./block.ts";
import { concatBytes } from "./bytes.ts";
import { inParallel } from "./in-parallel.ts";
import { historyKey } from "./keys.ts";
import { readEntry } from "./log-files.ts";
import type { LogEntry } from "./manifest.ts";
import { hashOf } from "./objects.ts";
import type { Storage } from "./storage.ts";
import { checkLink } from "./trusted-log.ts";

/*
 * The blocks of the history are kept for ever, so garbage collection must know all of them. Only manifests name them, and
 * a log may have thousands. So garbage collection notes their hashes in files, one for each page of the log.
 * A file that is lost, damaged or of another log is made again from the manifests.
 */

/** The number of versions on a page. */
const PAGE = 1024;
/** A page is written again only after this many more versions, so short logs have no such file. */
const FEWEST = 256;
const HASH_BYTES = 32;

/** The hash in place of a block that the publisher left out. */
const NO_BLOCK = "0".repeat(2 * HASH_BYTES);

/** The blocks of consecutive versions, and the last manifest that names some. */
interface Page {
  readonly last: LogEntry | null;
  readonly versions: number;
  /** As many for each version as {@link historySlots} says. */
  readonly blocks: readonly string[];
}

const NO_PAGE: Page = { last: null, versions: 0, blocks: [] };

/**
 * The hashes of the blocks that are the history of a list. Versions whose manifests are missing are left out.
 *
 * @param read reads a manifest that need not be trusted; `null` if there is none.
 * @param isDry whether to write nothing.
 * @throws {StoreError} `forked` or `damaged` when a manifest is not the one that the next version follows.
 */
export async function historyBlocks(
  storage: Storage,
  { manifest: { list, version: newest, first } }: LogEntry,
  read: (version: number) => Promise<LogEntry | null>,
  isDry: boolean,
): Promise<string[]> {
  const all: string[] = [];
  for (let from = first + 1; from <= newest; ) {
    const end = Math.ceil(from / PAGE) * PAGE;
    const to = Math.min(end, newest);
    const key = historyKey(list, end);
    const page = await readPage(storage, list, key, from);
    const versions = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const unknown = await inParallel(versions.slice(page.versions), read);
    if (unknown.length > 0)
      checkChain([page.last, ...unknown, to < newest ? await read(to + 1) : null]);
    const named = unknown.filter((entry) => entry !== null);
    const blocks = [...page.blocks, ...named.flatMap(blocksOf)];
    all.push(...blocks.filter((hash) => hash !== NO_BLOCK));
    // A copy that was interrupted lacks manifests in between.
    const isWhole = page.versions + named.length === versions.length;
    if (!isDry && isWhole && unknown.length >= FEWEST) {
      const bytes = await encodePage(named.at(-1)!, blocks);
      // Garbage collection must also work when the storage is full.
      await storage.put(key, bytes).catch(() => {});
    }
    from = to + 1;
  }
  return all;
}

/** Throws unless each manifest is the one that the next one follows. */
function checkChain(entries: readonly (LogEntry | null)[]): void {
  for (const [i, entry] of entries.entries()) {
    const manifest = entries[i + 1]?.manifest;
    if (entry === null || manifest === undefined) continue;
    checkLink({ manifest, version: entry.manifest.version, hash: manifest.previous! }, entry);
  }
}

/** The blocks of a version, in as many slots as any such version has. */
function blocksOf({ manifest: { version, blocks } }: LogEntry): string[] {
  const slots: string[] = Array.from({ length: historySlots(version) }, () => NO_BLOCK);
  for (const [i, { object }] of historyLinks(version, blocks).entries()) {
    if (object !== null) slots[i] = object;
  }
  return slots;
}

/** The hash of the rest, the hash of the last manifest, and those of the blocks. */
async function encodePage(last: LogEntry, blocks: readonly string[]): Promise<Uint8Array> {
  const rest = concatBytes([last.hash, ...blocks].map(fromHex));
  return concatBytes([fromHex(await hashOf(rest)), rest]);
}

/** Reads the blocks of the versions from `from` on, for as many versions as were noted, if they belong to this log. */
async function readPage(storage: Storage, list: string, key: string, from: number): Promise<Page> {
  const bytes = await storage.get(key);
  if (bytes === null || bytes.length % HASH_BYTES !== 0) return NO_PAGE;
  const [hash, last, ...blocks] = Array.from({ length: bytes.length / HASH_BYTES }, (_, i) =>
    toHex(bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES)),
  );
  if (blocks.length === 0) return NO_PAGE;
  if ((await hashOf(bytes.subarray(HASH_BYTES))) !== hash) return NO_PAGE;
  let versions = 0;
  let slots = 0;
  while (slots < blocks.length) slots += historySlots(from + versions++);
  if (slots !== blocks.length) return NO_PAGE;
  const entry = await readEntry(storage, list, from + versions - 1);
  return entry?.hash === last ? { last: entry, versions, blocks } : NO_PAGE;
}

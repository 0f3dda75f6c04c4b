import type { PrefixListError } from "@x/prefix-list";
import { viewOf } from "@x/prefix-list/raw-hashes";
import { riceDecode, riceEncode } from "@x/prefix-list/rice";
import { FULL_HASH_BYTES, fromHex, toHex } from "@x/sha256-prefix";
import { hasName } from "@x/sha256-prefix/has-name";
import { concatBytes, encodeText } from "./bytes.ts";
import { type Change, joinConsecutive } from "./change.ts";
import { isLost, StoreError } from "./error.ts";
import { getObject, isHash, MAX_VERSION, type Storage } from "./storage.ts";
import { NO_WORDS, type PrefixWords, WORD_SETS } from "./words.ts";

/*
 * A block is the change from one version of a list to a later one, by value: the removed and the added prefixes. Its
 * full hashes are described by an object of their own, because most readers do not need them. A base is a block that
 * begins at nothing, so it adds the whole list.
 *
 * A block names the blocks that end where it begins. So a reader can go back from block to block without reading the
 * manifests in between, and the hash of the newest block proves all of them. The layout is in `docs/store-format.md`.
 */

/** The objects of a block. */
export interface BlockObjects {
  /** The hash of the block. */
  readonly object: string;
  /** The length of the block in bytes. */
  readonly bytes: number;
  /** The hash of the object that describes the full hashes of the block; `null` when the block has none. */
  readonly hashes: string | null;
}

/** A block that ends at the version of a manifest. */
export interface BlockLink {
  /** The version where the block begins. */
  readonly after: number;
  /** The hash of the manifest of that version. */
  readonly manifest: string;
  /** The hash of the block; `null` when the publisher left it out. */
  readonly object: string | null;
  readonly bytes: number;
  readonly hashes: string | null;
}

/** A block that was not left out. */
export type WrittenLink = BlockLink & BlockObjects;

export function isWritten(link: BlockLink): link is WrittenLink {
  return link.object !== null;
}

/** A block that begins at nothing. */
export interface Base extends BlockObjects {
  /** The version where the block ends. */
  readonly version: number;
  /** The hash of the object that describes all full hashes. */
  readonly hashes: string;
}

/** A version has a block from the version before it, and longer ones if it is a multiple of 4, 16, 64 and so on. */
export const SPAN = 4;

/**
 * The numbers of versions in the blocks that are the history of a list, and are never deleted. Longer ones tell a
 * reader which of the shorter ones to read.
 */
const HISTORY_SPANS: readonly number[] = [1, SPAN ** 2, SPAN ** 4];
export const MAX_HISTORY_SPAN: number = Math.max(...HISTORY_SPANS);

/** How many blocks that end at a version may be part of the history of the list. */
export function historySlots(version: number): number {
  return HISTORY_SPANS.filter((span) => version % span === 0).length;
}

/** The blocks that end at a version and are part of the history of the list, the shortest first. */
export function historyLinks(version: number, links: readonly BlockLink[]): BlockLink[] {
  return links.filter(({ after }) => HISTORY_SPANS.includes(version - after));
}

/** An object, checked against its hash. */
export interface StoredObject {
  readonly object: string;
  readonly bytes: Uint8Array;
}

const MAGIC = encodeText("block");
const LINKS = MAGIC.length + 1;
/** The offsets of the fields of a link, and its length. */
const LINK = { after: 0, manifest: 8, object: 40, bytes: 72, hashes: 76, end: 108 } as const;
/** The offsets of the fields for Rice codes, and their length. */
const CODES = { count: 0, firstValue: 4, bytes: 8, riceParameter: 12, end: 13 } as const;
const NO_HASH = "0".repeat(2 * FULL_HASH_BYTES);

function encodeLinks(links: readonly BlockLink[]): Uint8Array {
  const head = new Uint8Array(LINKS + links.length * LINK.end);
  const view = viewOf(head);
  head.set(MAGIC);
  view.setUint8(MAGIC.length, links.length);
  for (const [i, { after, manifest, object, bytes, hashes }] of links.entries()) {
    const at = LINKS + i * LINK.end;
    view.setBigUint64(at + LINK.after, BigInt(after));
    head.set(fromHex(manifest), at + LINK.manifest);
    head.set(fromHex(object ?? NO_HASH), at + LINK.object);
    view.setUint32(at + LINK.bytes, bytes);
    head.set(fromHex(hashes ?? NO_HASH), at + LINK.hashes);
  }
  return head;
}

function encodeWords(words: PrefixWords): { fields: Uint8Array; codes: Uint8Array } {
  const fields = new Uint8Array(CODES.end);
  if (words.length === 0) return { fields, codes: new Uint8Array(0) };
  const { firstValue, riceParameter, encodedData: codes } = riceEncode(words);
  const view = viewOf(fields);
  view.setUint32(CODES.count, words.length);
  view.setUint32(CODES.firstValue, firstValue);
  view.setUint32(CODES.bytes, codes.length);
  view.setUint8(CODES.riceParameter, riceParameter);
  return { fields, codes };
}

/**
 * Encodes a block. `links` are the blocks that end at the version where this one begins. `passing` are the prefixes
 * that were added and removed again in between, if they are known.
 */
export function encodeBlock(
  links: readonly BlockLink[],
  { removed, added }: Change<PrefixWords>,
  passing: PrefixWords | null = null,
): Uint8Array {
  const [first, second] = [encodeWords(removed), encodeWords(added)];
  const parts = [encodeLinks(links), first.fields, second.fields, first.codes, second.codes];
  if (passing !== null) {
    const { fields, codes } = encodeWords(passing);
    parts.push(fields, codes);
  }
  return concatBytes(parts);
}

function damaged(object: string, cause?: unknown): StoreError {
  return new StoreError("damaged", `The object ${object} is damaged: it is not a block`, { cause });
}

/** Reads a block, at most as many bytes as its manifest says. */
export async function getBlock(
  storage: Storage,
  { object, bytes }: BlockObjects,
): Promise<StoredObject> {
  return { object, bytes: await getObject(storage, object, bytes) };
}

/** The offset at which the fields for the Rice codes begin. */
function endOfLinks({ object, bytes }: StoredObject): number {
  const end = LINKS + (bytes[MAGIC.length] ?? 0) * LINK.end;
  if (MAGIC.every((byte, i) => bytes[i] === byte) && end + 2 * CODES.end <= bytes.length)
    return end;
  throw damaged(object);
}

/** The blocks that end at the version where a block begins, the shortest first. */
export function linksIn(block: StoredObject): BlockLink[] {
  const end = endOfLinks(block);
  const { bytes } = block;
  const view = viewOf(bytes);
  const hashAt = (at: number) => toHex(bytes.subarray(at, at + FULL_HASH_BYTES));
  const hashOrNull = (at: number) => (hashAt(at) === NO_HASH ? null : hashAt(at));
  const links: BlockLink[] = [];
  for (let at = LINKS; at < end; at += LINK.end) {
    const after = Number(view.getBigUint64(at + LINK.after));
    if (after > MAX_VERSION) throw damaged(block.object);
    links.push({
      after,
      manifest: hashAt(at + LINK.manifest),
      object: hashOrNull(at + LINK.object),
      bytes: view.getUint32(at + LINK.bytes),
      hashes: hashOrNull(at + LINK.hashes),
    });
  }
  return links;
}

/**
 * Throws `damaged` if a block without full hashes adds prefixes, because readers would take the full hashes of these
 * prefixes from older blocks, or find none.
 */
export function checkAddsNothing(block: StoredObject): void {
  if (countsIn(block).added === 0) return;
  throw new StoreError(
    "damaged",
    `The block ${block.object} adds prefixes, but its manifest names no full hashes of them`,
  );
}

/** The numbers of prefixes that a block removes and adds. */
export function countsIn(block: StoredObject): Change<number> {
  const fields = endOfLinks(block);
  const view = viewOf(block.bytes);
  return { removed: view.getUint32(fields), added: view.getUint32(fields + CODES.end) };
}

/** Decodes the words whose fields and codes are at two offsets. Also returns the offset after the codes. */
function decodeWords(bytes: Uint8Array, fields: number, codes: number) {
  const view = viewOf(bytes);
  const count = view.getUint32(fields + CODES.count);
  const encodedData = bytes.subarray(codes, codes + view.getUint32(fields + CODES.bytes));
  const end = codes + encodedData.length;
  if (count === 0) return { words: NO_WORDS, end };
  const firstValue = view.getUint32(fields + CODES.firstValue);
  const riceParameter = view.getUint8(fields + CODES.riceParameter);
  const coded = { firstValue, riceParameter, entriesCount: count - 1, encodedData };
  return { words: riceDecode(coded, { maxEntries: 8 * encodedData.length + 1 }), end };
}

/** The prefixes that a block removes and adds. A prefix whose full hashes changed is in both parts. */
export function changeIn(block: StoredObject): Change<PrefixWords> {
  const fields = endOfLinks(block);
  const { bytes } = block;
  return unlessDamaged(block, () => {
    const removed = decodeWords(bytes, fields, fields + 2 * CODES.end);
    const added = decodeWords(bytes, fields + CODES.end, removed.end);
    return { removed: removed.words, added: added.words };
  });
}

/** Joins consecutive changes or blocks, the newest first. */
export function joinChanges(
  changes: readonly (Change<PrefixWords> | StoredObject)[],
): Change<PrefixWords> {
  return joinConsecutive(wordsOfChanges(changes), WORD_SETS);
}

function* wordsOfChanges(
  changes: readonly (Change<PrefixWords> | StoredObject)[],
): Generator<Change<PrefixWords>, void, undefined> {
  for (const change of changes) yield "object" in change ? changeIn(change) : change;
}

/** The prefixes that were added and removed again between the ends of a block; `null` if the block does not say. */
export function passingIn(block: StoredObject): PrefixWords | null {
  const fields = endOfLinks(block);
  const { bytes } = block;
  const view = viewOf(bytes);
  const lengthAt = (at: number) => view.getUint32(at + CODES.bytes);
  const end = fields + 2 * CODES.end + lengthAt(fields) + lengthAt(fields + CODES.end);
  if (end >= bytes.length) return null;
  if (end + CODES.end > bytes.length) throw damaged(block.object);
  return unlessDamaged(block, () => decodeWords(bytes, end, end + CODES.end).words);
}

function unlessDamaged<Result>({ object }: StoredObject, decode: () => Result): Result {
  try {
    return decode();
  } catch (error) {
    if (hasName<PrefixListError>(error, "PrefixListError")) throw damaged(object, error);
    throw error;
  }
}

/** Whether a value in a manifest names the objects of a block. */
export function isBlock(value: Partial<BlockObjects> | null | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { object, bytes, hashes } = value;
  return (
    isHash(object) &&
    Number.isInteger(bytes) &&
    bytes! >= 0 &&
    bytes! < 2 ** 32 &&
    (hashes === null || isHash(hashes))
  );
}

/** The overhead of downloading a file, in bytes: a request with its headers. */
export const REQUEST_BYTES = 500;

/** The blocks that a walk has found, from the newest to the oldest. */
interface Walked<Block> {
  readonly link: WrittenLink;
  readonly block: Block;
}

interface WalkOptions {
  /** Called before a block is read. If it returns `true`, the walk ends, and its result is `null`. */
  readonly isTooMuch?: (link: WrittenLink) => boolean;
  /** The version at or before which the walk ends; by default, the version `since`. */
  readonly until?: number;
}

/**
 * Goes back from a version to an older one, from block to block, always by the longest block that does not begin before
 * version `since`, or by a shorter one if that cannot be read. Returns `null` when there is no such block.
 */
export async function walkBack<Block extends { readonly links: readonly BlockLink[] }>(
  newest: { readonly version: number; readonly blocks: readonly BlockLink[] },
  since: number,
  read: (link: WrittenLink) => Promise<Block>,
  { isTooMuch = () => false, until = since }: WalkOptions = {},
): Promise<Walked<Block>[] | null> {
  const walked: Walked<Block>[] = [];
  let { version, blocks } = newest;
  while (version > until) {
    const links = longestFirst(blocks, version, since);
    let found: Walked<Block> | null = null;
    for (const [i, link] of links.entries()) {
      if (isTooMuch(link)) return null;
      try {
        found = { link, block: await read(link) };
        break;
      } catch (error) {
        if (!isLost(error) || i === links.length - 1) throw error;
      }
    }
    if (found === null) return null;
    walked.push(found);
    version = found.link.after;
    blocks = found.block.links;
  }
  return walked;
}

/** The blocks that end at a version and do not begin before `since`, the longest first. */
function longestFirst(
  links: readonly BlockLink[],
  version: number,
  since: number,
): readonly WrittenLink[] {
  const usable = links.filter(({ after }) => after >= since && after < version);
  return usable.filter(isWritten).sort((a, b) => a.after - b.after);
}

/** Reads a block and the links in it. */
export async function readBlock(
  storage: Storage,
  link: BlockObjects,
): Promise<{ readonly stored: StoredObject; readonly links: BlockLink[] }> {
  const stored = await getBlock(storage, link);
  return { stored, links: linksIn(stored) };
}

/** The approximate length, in bytes, of Rice codes for `count` numbers below `end`. */
export function riceBytes(count: number, end: number): number {
  // Each number takes about 1.5 bits more than the binary logarithm of the mean gap, but at least four bits.
  return count === 0 ? 0 : (count * Math.max(4, Math.log2(end / count) + 1.5)) / 8;
}

import type { LoadedList, Storage } from "@x/list-store";
import { getShard, hashesIn, type OpenList } from "@x/list-store/serving";
import { rawHashesIn } from "@x/prefix-list";
import { expect } from "vitest";

/** A full hash in hex. Tests use few first words, so that some hashes have the same one. */
export type Hash = string;

export const wordOf = (hash: Hash): string => hash.slice(0, 8);
export const bytesOfHash = (hash: Hash): Buffer => Buffer.from(hash, "hex");
export const sorted = (hashes: Iterable<Hash>): Hash[] => [...hashes].sort();
export const packed = (hashes: Iterable<Hash>): Buffer => Buffer.from([...hashes].join(""), "hex");

export function someHash(random: () => number): Hash {
  const word = Math.floor(random() * 4500) * 954_398;
  const rest = Math.floor(random() * 3);
  return word.toString(16).padStart(8, "0") + String(rest).repeat(56);
}

/** A list after a few changes, or after changes of nearly all entries. Removed entries may be added again. */
export function changed(list: ReadonlySet<Hash>, random: () => number): Set<Hash> {
  const next = new Set(list);
  const many = random() < 0.02 ? 400 : Math.floor(random() * 12);
  for (const hash of sorted(next)) if (random() < many / next.size) next.delete(hash);
  if (random() < 0.9) for (let i = 0; i < many; i++) next.add(someHash(random));
  return next;
}

/** Compares long lists. `toEqual` would compare the numbers one by one, which takes much longer. */
export function expectNumbers(found: Iterable<number>, expected: Iterable<number>): void {
  expect([...found].join()).toBe([...expected].join());
}

export function expectWords({ words }: Pick<LoadedList, "words">, list: ReadonlySet<Hash>): void {
  const expected = new Set([...list].map((hash) => Number.parseInt(wordOf(hash), 16)));
  expectNumbers(
    words,
    [...expected].sort((a, b) => a - b),
  );
}

/** Expects that a list has the prefixes of these hashes, of `prefixBytes` bytes each, and no others. */
export function expectPrefixes(
  { prefixes }: Pick<LoadedList, "prefixes">,
  prefixBytes: number,
  list: ReadonlySet<Hash>,
): void {
  const expected = new Set([...list].map((hash) => hash.slice(0, 2 * prefixBytes)));
  const [group] = rawHashesIn(prefixes);
  expect(prefixes.lengths).toEqual(
    expected.size === 0 ? [] : [{ prefixBytes, count: expected.size }],
  );
  expect(Buffer.from(group?.rawHashes ?? []).equals(packed(sorted(expected)))).toBe(true);
}

/** Searches a list for a word, and expects all hashes on the list that begin with the word, and no others. */
export async function expectFound(
  storage: Storage,
  searched: OpenList,
  word: string,
  list: ReadonlySet<Hash>,
): Promise<void> {
  const search = searched.search(bytesOfHash(word));
  const found = search === null ? [] : search.find(hashesIn(await getShard(storage, search.shard)));
  expect(found.map((hash) => Buffer.from(hash).toString("hex"))).toEqual(
    sorted([...list].filter((hash) => hash.startsWith(word))),
  );
}

export async function expectAllHashes(searched: OpenList, list: ReadonlySet<Hash>): Promise<void> {
  const pieces: Uint8Array[] = [];
  for await (const piece of searched.fullHashes()) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(packed(sorted(list)))).toBe(true);
}

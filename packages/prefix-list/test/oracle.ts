import { createHash } from "node:crypto";
import { type PrefixList, prefixes } from "@x/prefix-list";

/** A list of prefixes, as sorted hex strings without duplicates. */
export type Plain = readonly string[];

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

export function unhex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

export function plain(texts: Iterable<string>): Plain {
  return [...new Set(texts)].sort();
}

export function plainOf(list: PrefixList): Plain {
  return Array.from(prefixes(list), hex);
}

export function plainChecksum(list: Plain): string {
  return createHash("sha256").update(list.join(""), "hex").digest("hex");
}

/** The length in bytes of the longest member that the text begins with, or 0 when there is none. */
export function plainLongestMatch(list: Plain, text: string): number {
  return Math.max(0, ...list.filter((prefix) => text.startsWith(prefix)).map((p) => p.length / 2));
}

/** Evenly spread 32-bit numbers, the same in every run (splitmix32). */
export function randomWords(count: number, seed: number): Uint32Array {
  let state = seed >>> 0;
  return Uint32Array.from({ length: count }, () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  });
}

/** The words as packed bytes, each followed by `filling` bytes of 0. */
export function pack(words: ArrayLike<number>, filling = 0): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(words.length * (4 + filling));
  const view = new DataView(packed.buffer);
  for (let i = 0; i < words.length; i++) view.setUint32(i * (4 + filling), words[i]!);
  return packed;
}

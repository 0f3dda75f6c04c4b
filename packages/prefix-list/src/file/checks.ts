import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import { PrefixListError } from "../error.ts";
import { compareBytes } from "../raw-hashes/words.ts";

export function truncated(bytes: Uint8Array): PrefixListError {
  return new PrefixListError("truncated", "The file ends too early", bytes.length);
}

export function invalid(what: string, index: number): PrefixListError {
  return new PrefixListError("header-invalid", `In the header, ${what}`, index);
}

/** Whether the bytes from `from` to `end` match the hash that follows at `end`. */
export function isProven(bytes: Uint8Array, from: number, end: number): boolean {
  return compareBytes(bytes, end, fullHash(bytes.subarray(from, end)), 0, FULL_HASH_BYTES) === 0;
}

export function checkZero(bytes: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++) if (bytes[i] !== 0) throw invalid("a reserved byte is not 0", i);
}

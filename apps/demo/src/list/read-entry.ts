import type { CanonError } from "@x/canon";
import { exactExpression } from "@x/expressions";
import { fullHash } from "@x/sha256-prefix";
import type { Line } from "../lines.ts";
import { lineTooLong } from "../text/line-too-long.ts";
import { printable } from "../text/printable.ts";

/**
 * The full hash of the one expression that an entry of a list stands for: the exact host with the exact path
 * and query. `evil.example` is `evil.example/`.
 *
 * @throws CanonError when the entry is no URL.
 */
export function entryHash(entry: string | Uint8Array): Uint8Array {
  return fullHash(exactExpression(entry));
}

const HASH_SIGN = 0x23;

/** A line of a list in plain text: the hash of its entry or what is wrong with it, neither for a comment. */
export function readEntry({ octets, isTooLong }: Line): {
  readonly hash: Uint8Array | null;
  /** Printable. */
  readonly problem: string | null;
} {
  if (octets[0] === HASH_SIGN) return { hash: null, problem: null };
  if (isTooLong) return { hash: null, problem: lineTooLong(octets).message };
  try {
    return { hash: entryHash(octets), problem: null };
  } catch (error) {
    if ((error as CanonError).name !== "CanonError") throw error;
    return { hash: null, problem: printable((error as CanonError).message) };
  }
}

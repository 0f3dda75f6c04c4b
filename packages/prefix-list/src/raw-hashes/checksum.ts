import { fullHash, toHex } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { forEachInOrder } from "./merged-order.ts";
import { countOf, type PrefixLength, type RawHashes } from "./raw-hashes.ts";

/** The options for computing a checksum. */
export interface ChecksumOptions {
  /** Replaces `fullHash` of `@x/sha256-prefix`, if the platform computes SHA-256 faster. */
  readonly sha256?: ((bytes: Uint8Array) => Uint8Array) | undefined;
}

/** Throws when `sha256` is neither a function nor undefined. */
export function checkSha256(sha256: unknown): void {
  if (sha256 !== undefined && typeof sha256 !== "function") {
    throw typeError("sha256", "a function", sha256);
  }
}

/** The number and the checksum of the prefixes of one length. */
export interface LengthChecksum extends PrefixLength {
  /** The SHA-256 of these prefixes in ascending order, one after the other, in lower-case hex. */
  readonly checksum: string;
}

function inOneOrder(groups: readonly RawHashes[]): Uint8Array {
  const all = new Uint8Array(groups.reduce((sum, { rawHashes }) => sum + rawHashes.length, 0));
  let used = 0;
  forEachInOrder(groups, (number, index) => {
    const { prefixBytes, rawHashes } = groups[number]!;
    const at = index * prefixBytes;
    for (let k = 0; k < prefixBytes; k++) all[used++] = rawHashes[at + k]!;
  });
  return all;
}

/**
 * The SHA-256 of all the prefixes in ascending order, one after the other, in lower-case hex.
 *
 * Different lists of mixed lengths can have the same checksum, as {11111111, 2222222233333333} and {1111111122222222,
 * 33333333} do. {@link checksumsByLength} tells such lists apart.
 *
 * @see Safe Browsing v4, Update API, `Checksum`
 */
export function checksumOf(
  groups: readonly RawHashes[],
  sha256: ChecksumOptions["sha256"] = fullHash,
): string {
  return toHex(sha256(groups.length === 1 ? groups[0]!.rawHashes : inOneOrder(groups)));
}

/**
 * The checksums that identify a list. No two different lists share them. `checksum` is the checksum of all the
 * prefixes.
 */
export function checksumsByLength(
  groups: readonly RawHashes[],
  checksum: string,
): readonly LengthChecksum[] {
  return groups.map((group) => ({
    prefixBytes: group.prefixBytes,
    count: countOf(group),
    checksum: groups.length === 1 ? checksum : checksumOf([group]),
  }));
}

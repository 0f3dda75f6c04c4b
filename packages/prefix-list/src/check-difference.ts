import { MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import type { PrefixListDifference } from "./difference.ts";
import { PrefixListError } from "./error.ts";
import type { RawHashes } from "./raw-hashes.ts";
import { unsortedAt } from "./unsorted-at.ts";

const CHECKSUM = /^[0-9a-f]{64}$/;

function invalid(what: string): PrefixListError {
  return new PrefixListError("difference-invalid", `In the difference ${what}`);
}

function checkAdditions(additions: readonly RawHashes[]): void {
  let previous = MIN_PREFIX_BYTES - 1;
  for (const batch of additions) {
    const { prefixSize, rawHashes } = batch;
    if (!Number.isInteger(prefixSize) || prefixSize <= previous || prefixSize > MAX_PREFIX_BYTES) {
      throw invalid(`additions of ${prefixSize} octets are out of order or out of range`);
    }
    previous = prefixSize;
    if (rawHashes.length === 0 || rawHashes.length % prefixSize !== 0) {
      throw invalid(`additions of ${prefixSize} octets take ${rawHashes.length} octets`);
    }
    const position = unsortedAt(batch);
    if (position >= 0)
      throw invalid(`addition ${position} of ${prefixSize} octets is out of order`);
  }
}

/**
 * Throws a `PrefixListError` when the difference is none that could have been computed. One that was
 * made elsewhere and read from a message is as welcome as it is untrusted.
 */
export function checkDifference(difference: PrefixListDifference): void {
  const { oldChecksum, checksum, removals, additions } = difference;
  if (!CHECKSUM.test(oldChecksum) || !CHECKSUM.test(checksum)) {
    throw invalid("a checksum is not 64 digits of lower-case hex");
  }
  for (let i = 1; i < removals.length; i++) {
    if (removals[i]! <= removals[i - 1]!) throw invalid(`removal ${i} is out of order`);
  }
  checkAdditions(additions);
}

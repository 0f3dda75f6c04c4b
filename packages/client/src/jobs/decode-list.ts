import { decodePrefixList, type PrefixList } from "@x/prefix-list";
import { fromHex } from "@x/sha256-prefix";
import { checkList } from "./check-list.ts";

/** The job of decoding a stored list, as plain data that can be sent to a worker. */
export interface DecodeJob {
  readonly kind: "decode";
  readonly name: string;
  /** A file of `@x/prefix-list` whose SHA-256 has been verified. */
  readonly file: Uint8Array;
  /** The checksum of the entries, in hexadecimal. */
  readonly checksum: string;
}

/** A decoded list, as plain data. */
export interface DecodedList {
  /** `null` when the file is damaged. */
  readonly list: PrefixList | null;
  /** Why the file cannot be decoded; otherwise `null`. */
  readonly damage: string | null;
}

export function decodeList({ file, checksum }: DecodeJob): DecodedList {
  try {
    // The file has not changed since it was written, so its entries need not be hashed again. In JavaScript, hashing
    // would take most of the time.
    const list = decodePrefixList(file, { sha256: () => fromHex(checksum) });
    return { list, damage: null };
  } catch (error) {
    return { list: null, damage: (error as Error).message };
  }
}

/**
 * Checks the result of a job.
 *
 * @throws {TypeError} or another error when the result is wrong.
 */
export function checkDecoded(result: DecodedList, { checksum }: DecodeJob): DecodedList {
  checkList(result, checksum);
  return result;
}

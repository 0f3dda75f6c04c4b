import { lookupPrefix, type PrefixList } from "@x/prefix-list";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";

const ANY_HASH = new Uint8Array(FULL_HASH_BYTES);

/**
 * Checks the list in the result of a job, which may come from a worker. Unless the job found damage, the list must have
 * this checksum, and `null` stands for the list before. The entries are not hashed again.
 *
 * @throws {TypeError} or another error when the list is wrong.
 */
export function checkList(
  { list, damage }: { readonly list: PrefixList | null; readonly damage: string | null },
  checksum: string | undefined,
  before: PrefixList | null = null,
): void {
  const kept = list ?? before;
  const isRight =
    damage === null
      ? kept !== null && kept.checksum === checksum
      : typeof damage === "string" && list === null;
  if (!isRight) throw new TypeError("The result is not the list");
  if (list !== null) lookupPrefix(list, ANY_HASH);
}

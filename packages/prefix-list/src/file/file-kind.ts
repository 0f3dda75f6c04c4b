import { checkBytes } from "../check-arguments.ts";
import { DIFFERENCE_KIND, foreignAt, HEADER } from "./list-file-format.ts";

/**
 * Returns the kind of a file: `"list"`, `"difference"`, or `null` when the bytes are neither.
 *
 * Only the first ten bytes are read. If the first eight are right, the file counts as a list unless the tenth says that
 * it is a difference. If the file is damaged, truncated or of another version, decoding it throws an error.
 *
 * @throws {TypeError} when `bytes` is not a `Uint8Array`.
 * @example
 * ```ts
 * import { encodePrefixList, prefixList, prefixListFileKind } from "@x/prefix-list";
 *
 * prefixListFileKind(encodePrefixList(prefixList([]))); // → "list"
 * prefixListFileKind(new TextEncoder().encode("http://a.example/")); // → null
 * ```
 * @see README, File format
 */
export function prefixListFileKind(bytes: Uint8Array): "list" | "difference" | null {
  checkBytes("bytes", bytes);
  if (foreignAt(bytes) >= 0) return null;
  return bytes[HEADER.kind] === DIFFERENCE_KIND ? "difference" : "list";
}

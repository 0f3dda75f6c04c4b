import { checkBytes } from "../arguments.ts";
import { DIFFERENCE_KIND, foreignAt, HEADER } from "./layout.ts";

/**
 * Returns the kind of file that the bytes are: `"list"`, `"difference"`, or `null` when they are neither.
 *
 * Only the first ten bytes are read. A file that is damaged, truncated or of another version counts as a list unless it
 * says that it is a difference. You get the error when you decode the file.
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

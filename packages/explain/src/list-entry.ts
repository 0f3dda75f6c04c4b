import { exactExpression } from "@x/expressions";
import { type FullHash, fullHash } from "@x/sha256-prefix";
import { tooLongLine } from "./input.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

const TAB = 0x09;
const SPACE = 0x20;
const NUMBER_SIGN = 0x23;

function isBlankAt(line: string | Uint8Array, index: number): boolean {
  const code = typeof line === "string" ? line.charCodeAt(index) : line[index];
  return code === SPACE || code === TAB;
}

/**
 * The entry on a line of a list that is plain text: the line without the spaces and TABs around it. `null` for a
 * blank line and for a comment, a line that starts with `#`.
 *
 * @example
 * ```ts
 * import { entryOnLine } from "@x/explain";
 *
 * entryOnLine("  evil.example\t"); // → "evil.example"
 * entryOnLine(" # two sites"); // → null
 * ```
 */
export function entryOnLine<Line extends string | Uint8Array>(line: Line): Line | null {
  let start = 0;
  let end = line.length;
  while (start < end && isBlankAt(line, start)) start++;
  while (end > start && isBlankAt(line, end - 1)) end--;
  if (start === end) return null;
  const first = typeof line === "string" ? line.charCodeAt(start) : line[start];
  if (first === NUMBER_SIGN) return null;
  return (typeof line === "string" ? line.slice(start, end) : line.subarray(start, end)) as Line;
}

/**
 * The full hash of the entry on a line of a list of URLs or expressions, or why it has none; `null` when the line
 * has no entry. An entry stands for its exact host, path and query: `evil.example` is `evil.example/`.
 *
 * @example
 * ```ts
 * import { readListEntry } from "@x/explain";
 * import { toHex } from "@x/sha256-prefix";
 *
 * const read = (line: string) => readListEntry(new TextEncoder().encode(line));
 * read("# two sites"); // → null
 * const entry = read("evil.example");
 * entry && "hash" in entry && toHex(entry.hash.subarray(0, 4)); // → "f001957c"
 * const refused = read("mailto:x");
 * refused && "error" in refused && refused.error.code; // → "authority-missing"
 * ```
 */
export function readListEntry(line: Uint8Array): { readonly hash: FullHash } | Refusal | null {
  const entry = entryOnLine(line);
  if (entry === null) return null;
  const tooLong = tooLongLine(entry);
  if (tooLong !== null) return tooLong;
  try {
    return { hash: fullHash(exactExpression(entry)) };
  } catch (error) {
    return refusalOf(error);
  }
}

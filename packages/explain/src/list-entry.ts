const TAB = 0x09;
const SPACE = 0x20;
const NUMBER_SIGN = 0x23;

function isBlankAt(line: string | Uint8Array, index: number): boolean {
  const code = typeof line === "string" ? line.charCodeAt(index) : line[index];
  return code === SPACE || code === TAB;
}

/**
 * The entry on a line of a plain-text list, without the spaces and TABs around it. `null` for a blank line, and for a
 * comment, which starts with `#`.
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

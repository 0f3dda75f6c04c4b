/**
 * Formats a number for people, with commas between thousands.
 *
 * @example
 * ```ts
 * import { formatCount } from "@x/explain/counted";
 *
 * formatCount(13_752); // → "13,752"
 * ```
 */
export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/**
 * Formats a number and its noun for people.
 *
 * @example
 * ```ts
 * import { counted } from "@x/explain/counted";
 *
 * counted(1, "prefix", "prefixes"); // → "1 prefix"
 * counted(13_752, "prefix", "prefixes"); // → "13,752 prefixes"
 * ```
 */
export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

import type { InputOptions } from "../input/arguments-or-lines.ts";

/** How many URLs are followed at the same time. */
const FOLLOWED_AT_ONCE = 8;

/** How many parts of the input are evaluated at the same time. A block of lines is only valid until the next one. */
export function mostOpenOf(
  args: readonly string[],
  { find, follow }: Pick<InputOptions, "find"> & { readonly follow?: boolean },
): number {
  const hasBlocks = !find && (args.length === 0 || args.includes("-"));
  return follow && !hasBlocks ? FOLLOWED_AT_ONCE : 1;
}

/** Calls a function for each item, for a few of them at the same time. Returns the results in order. */
export async function eachAtOnce<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function work(): Promise<void> {
    while (next < items.length) {
      const index = next++;
      results[index] = await call(items[index]!);
    }
  }
  await Promise.all(Array.from({ length: Math.min(FOLLOWED_AT_ONCE, items.length) }, work));
  return results;
}

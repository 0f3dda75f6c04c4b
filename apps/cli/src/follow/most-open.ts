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

import type { InputOptions } from "../input/arguments-or-lines.ts";

/** The maximum number of arguments or links that are followed at the same time. */
const FOLLOWED_AT_ONCE = 8;

/**
 * The maximum number of parts of the input that are evaluated at the same time: 1 for blocks of lines, because a block
 * is valid only until the next one is read.
 */
export function mostOpenOf(
  args: readonly string[],
  { find, follow }: Pick<InputOptions, "find"> & { readonly follow?: boolean },
): number {
  const hasBlocks = !find && (args.length === 0 || args.includes("-"));
  return follow && !hasBlocks ? FOLLOWED_AT_ONCE : 1;
}

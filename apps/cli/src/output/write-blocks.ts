import type { Context } from "../context.ts";
import { statusOf } from "../exit-status.ts";
import { type Format, FRAMES } from "./format.ts";
import { sizeOf, startProgress } from "./progress.ts";
import type { Block } from "./results.ts";

/** The options for writing blocks. */
export interface OutputOptions {
  readonly format: Format;
  /** The file that is read, for a progress bar; `null` when nothing is read. */
  readonly file: string | null;
  /** Text to write first, even if there are no results. */
  readonly header?: string | undefined;
  /** Text to write before the first result and after the last one, if there are results. */
  readonly before?: string | undefined;
  readonly after?: (() => string) | undefined;
  /** Called before each block is written. */
  readonly onBlock?: (block: Block) => void;
}

/**
 * Writes blocks as they arrive, but only as fast as the reader reads. Adds the status of each block to the exit status.
 */
export async function writeBlocks(
  blocks: AsyncIterable<Block>,
  { format, file, header = "", before = "", after = () => "", onBlock = () => {} }: OutputOptions,
  { io, stdout, stderr, addStatus }: Context,
): Promise<void> {
  const { beforeFirst, beforeOthers, end, endOfNone } = FRAMES[format];
  const progress = await startProgress(file === null ? null : await sizeOf(file, io), io);
  let isFirst = true;
  try {
    for await (const block of blocks) {
      const { out, errors } = block;
      addStatus(statusOf(block));
      onBlock(block);
      progress.advance(block);
      if (isFirst && out.length > 0) {
        await stdout.write(header + before + beforeFirst);
        await stdout.write(out.slice(beforeOthers.length));
        isFirst = false;
      } else {
        await stdout.write(out);
      }
      await stderr.write(errors);
    }
    await stdout.write(isFirst ? header + endOfNone : end + after());
  } finally {
    progress.stop();
  }
}

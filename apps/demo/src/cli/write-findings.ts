import type { Context } from "./context.ts";
import { type Block, statusOf } from "./evaluate.ts";
import { type Format, FRAMES } from "./format.ts";

/** Writes blocks as they come, at the pace of the reader, and adds up the exit status. */
export async function writeFindings(
  blocks: AsyncIterable<Block>,
  format: Format,
  { stdout, stderr, addStatus }: Context,
  beforeWriting: (block: Block) => void = () => {},
): Promise<void> {
  const { beforeFirst, beforeOthers, end, endOfNone } = FRAMES[format];
  let isFirst = true;
  for await (const block of blocks) {
    addStatus(statusOf(block));
    beforeWriting(block);
    if (isFirst && block.out.length > 0) {
      await stdout.write(beforeFirst);
      await stdout.write(block.out.slice(beforeOthers.length));
      isFirst = false;
    } else {
      await stdout.write(block.out);
    }
    await stderr.write(block.errors);
  }
  await stdout.write(isFirst ? endOfNone : end);
}

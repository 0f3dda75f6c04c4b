import type { Context } from "./context.ts";
import type { Block } from "./evaluate.ts";
import type { Format } from "./format.ts";
import { sizeOf, startProgress } from "./progress.ts";
import { writeFindings } from "./write-findings.ts";

/** {@link writeFindings}, with a bar for what is read of `file`; `null` when nothing is read. */
export async function writeWithProgress(
  blocks: AsyncIterable<Block>,
  file: string | null,
  format: Format,
  context: Context,
): Promise<void> {
  const { io } = context;
  const progress = startProgress(file === null ? null : await sizeOf(file, io), io);
  try {
    await writeFindings(blocks, format, context, progress.advance);
  } finally {
    progress.stop();
  }
}

import { rename, stat } from "node:fs/promises";
import { ifThere } from "@x/list-store/node";
import { lockFile } from "./file-lock.ts";
import { writeBeside } from "./replace-file.ts";
import { temporaryPath } from "./temporary-files.ts";

/** Thrown when a process took so long that another process removed its lock. */
const LOST = new Error("The lock was lost");

/**
 * Replaces the contents of a file with the text that `next` returns. If `next` returns `null`, the file stays as it is.
 *
 * Processes take turns, because only one of them can create the file `FILE.lock`. The process that has the lock reads
 * `FILE` in `next`, and replaces `FILE` as a whole.
 */
export async function changeFile(file: string, next: () => Promise<string | null>): Promise<void> {
  for (;;) {
    const lock = await lockFile(file);
    try {
      const text = await next();
      if (text === null && (await lock.isHeld())) return;
      if (text === null) continue;
      await writeBeside(
        file,
        temporaryPath(file),
        (opened) => opened.writeFile(text),
        await ifThere(stat(file)),
        async (from, to) => {
          if (!(await lock.isHeld())) throw LOST;
          await rename(from, to);
        },
      );
      return;
    } catch (error) {
      if (error !== LOST) throw error;
    } finally {
      await lock.release();
    }
  }
}

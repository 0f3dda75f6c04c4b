import { link } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { temporaryPath } from "@x/command-line/node";
import { writeWhole } from "@x/list-store/node";

/**
 * Creates a file, and syncs it to the disk. If the file cannot be written, for example because the disk is full, there
 * is no file. An existing file is an error.
 */
export async function createFile(file: string, text: string, mode: number): Promise<void> {
  try {
    await writeWhole(file, temporaryPath(file), (opened) => opened.writeFile(text), {
      move: link,
      mode,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Failure(`${file} exists; it was left as it is`, { cause: error });
  }
}

import { open } from "node:fs/promises";
import { Failure } from "@x/command-line";

/** Creates a file, and syncs it to the disk. An existing file is an error. */
export async function createFile(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, "wx", mode).catch((error) => {
    if (error.code !== "EEXIST") throw error;
    throw new Failure(`${file} exists; it was left as it is`, { cause: error });
  });
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

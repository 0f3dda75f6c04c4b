import { randomBytes } from "node:crypto";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { printable } from "@x/explain/printable";
import { Failure, reasonOf } from "../failure.ts";

/** The file to replace. For a symbolic link it is the target, so that the link stays a link. */
async function targetOf(file: string): Promise<string> {
  try {
    const target = await realpath(file);
    // A rename would replace a device such as /dev/null with a plain file.
    if (!(await stat(target)).isFile()) throw new Error("it exists and is not a file");
    return target;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return file;
    throw error;
  }
}

/** Makes the new name survive a crash too, on systems that can do so. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function writeBeside(target: string, bytes: Uint8Array): Promise<void> {
  const name = `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`;
  const temporary = join(dirname(target), name);
  const handle = await open(temporary, "wx");
  try {
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/**
 * Writes a whole file. Whatever happens, the file then has all of the new bytes or is as it was.
 *
 * @throws {Failure}
 */
export async function writeFileAtomically(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeBeside(await targetOf(file), bytes);
  } catch (error) {
    throw new Failure(`cannot write ${printable(file)}: ${reasonOf(error)}`);
  }
}

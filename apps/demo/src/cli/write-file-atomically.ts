import { randomBytes } from "node:crypto";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { printable } from "../text/printable.ts";
import { Failure, reasonOf } from "./failure.ts";

/** The file that a path stands for: of a symbolic link the target, so that the link stays one. */
async function targetOf(file: string): Promise<string> {
  try {
    const target = await realpath(file);
    // A rename would put a plain file in the place of a device such as /dev/null.
    if (!(await stat(target)).isFile()) throw new Error("it exists and is not a file");
    return target;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return file;
    throw error;
  }
}

/** So that the new name outlives a crash too; not every system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function writeBeside(target: string, octets: Uint8Array): Promise<void> {
  const name = `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`;
  const temporary = join(dirname(target), name);
  const handle = await open(temporary, "wx");
  try {
    try {
      await handle.writeFile(octets);
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
 * Writes a whole file: whatever happens, its place holds either all of the new octets or what it held.
 *
 * @throws {Failure}
 */
export async function writeFileAtomically(file: string, octets: Uint8Array): Promise<void> {
  try {
    await writeBeside(await targetOf(file), octets);
  } catch (error) {
    throw new Failure(`cannot write ${printable(file)}: ${reasonOf(error)}`);
  }
}

import { dirname } from "node:path";
import { type OpenedFile, writeWhole } from "@x/list-store/node";
import {
  removeLeftovers,
  removeOnSignal,
  temporaryPath,
  temporaryStart,
} from "./temporary-files.ts";

/** The attributes that a new file takes from the file that it replaces, as in the `Stats` of Node.js. */
export interface OldFile {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Replaces a whole file. Even if the process is killed, the file has either all of the new bytes or all of the old
 * ones. If a temporary file is left behind, the next run removes it.
 *
 * @param old the attributes of the file that is replaced; `null` if there is none. The new file gets the same mode and,
 * if possible, the same owner.
 */
export async function replaceFile(
  target: string,
  bytes: Uint8Array | string,
  old: OldFile | null,
): Promise<void> {
  await replaceFileBy(target, (file) => file.writeFile(bytes), old);
}

/** Replaces a file as {@link replaceFile} does. `write` gets the open temporary file and its name. */
export async function replaceFileBy(
  target: string,
  write: (file: OpenedFile, temporary: string) => Promise<void>,
  old: OldFile | null,
): Promise<void> {
  const temporary = temporaryPath(target);
  const stop = removeOnSignal(temporary);
  try {
    await writeBeside(target, temporary, (file) => write(file, temporary), old);
  } finally {
    stop();
  }
}

/**
 * Like {@link replaceFileBy}, for programs that handle signals themselves.
 *
 * @param temporary the name of the temporary file: {@link temporaryPath}.
 * @param move gives the temporary file the name of the target; `rename` by default.
 */
export async function writeBeside(
  target: string,
  temporary: string,
  write: (file: OpenedFile) => Promise<void>,
  old: OldFile | null,
  move?: (from: string, to: string) => Promise<void>,
): Promise<void> {
  await removeLeftovers(dirname(target), temporaryStart(target));
  const writeLikeOld = async (file: OpenedFile): Promise<void> => {
    if (old !== null) {
      await file.chmod(old.mode & 0o7777);
      // If the file belongs to another user, only root may do this.
      await file.chown(old.uid, old.gid).catch(() => {});
    }
    await write(file);
  };
  const options = { mode: 0o666, ...(move !== undefined && { move }) };
  await writeWhole(target, temporary, writeLikeOld, options);
}

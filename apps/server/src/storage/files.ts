import { stat } from "node:fs/promises";

/**
 * Returns a fingerprint of a file and its size in bytes. A replaced file has a different inode, and a rewritten file
 * has a different time or size.
 */
export async function fileState(
  file: string,
): Promise<{ readonly state: string; readonly bytes: number }> {
  const found = await stat(file).catch(() => null);
  if (found === null) return { state: "missing", bytes: 0 };
  return { state: `${found.ino} ${found.mtimeMs} ${found.size}`, bytes: found.size };
}

/** A fingerprint that changes when one of the files changes. */
export async function stateOf(files: readonly string[]): Promise<string> {
  const states = await Promise.all(files.map(fileState));
  return states.map(({ state }) => state).join("\n");
}

/**
 * Returns a function that adds the path of a file to an error and throws it, because the error for reading a directory
 * has no path.
 */
export function namingFile(path: string): (error: unknown) => never {
  return (error) => {
    throw Object.assign(error as Error, { path });
  };
}

import { stat } from "node:fs/promises";

/**
 * A text that changes when a file changes, and its size in bytes: a replaced file has a different inode, a rewritten file a
 * different time or size.
 */
export async function fileState(
  file: string,
): Promise<{ readonly state: string; readonly bytes: number }> {
  const found = await stat(file).catch(() => null);
  if (found === null) return { state: "missing", bytes: 0 };
  return { state: `${found.ino} ${found.mtimeMs} ${found.size}`, bytes: found.size };
}

/** A text that changes when one of the files changes. */
export async function stateOf(files: readonly string[]): Promise<string> {
  const states = await Promise.all(files.map(fileState));
  return states.map(({ state }) => state).join("\n");
}

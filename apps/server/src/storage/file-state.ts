import { stat } from "node:fs/promises";

/**
 * A text that changes when one of the files changes: a replaced file has a different inode, a rewritten file a different
 * time or size.
 */
export async function stateOf(files: readonly string[]): Promise<string> {
  const facts = files.map(async (file) => {
    const found = await stat(file).catch(() => null);
    return found === null ? "missing" : `${found.ino} ${found.mtimeMs} ${found.size}`;
  });
  return (await Promise.all(facts)).join("\n");
}

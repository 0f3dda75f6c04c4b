import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const folders = [];
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Makes a temporary folder, which is removed when this process ends. */
export function newFolder(name, parent = tmpdir()) {
  const folder = mkdtempSync(join(parent, `${name}-`));
  folders.push(folder);
  return folder;
}

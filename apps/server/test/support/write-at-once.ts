import { renameSync, writeFileSync } from "node:fs";

/** Writes a file at once. With `writeFileSync` alone, a program that watches the file may find it empty, or cut. */
export function writeAtOnce(path: string, content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

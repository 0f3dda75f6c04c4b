import { renameSync, writeFileSync } from "node:fs";

/**
 * Writes a file atomically. With `writeFileSync` alone, a program that watches the file may find it empty or
 * incomplete.
 */
export function writeAtOnce(path: string, content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

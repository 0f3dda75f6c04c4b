import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Makes a folder that exists while the tests of a file run. */
export function temporaryFolder(): { path: (name: string) => string; write: Write } {
  const folder = mkdtempSync(join(tmpdir(), "urlhash-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string): string => join(folder, name);
  const write: Write = (name, content) => {
    writeFileSync(path(name), content);
    return path(name);
  };
  return { path, write };
}

/** Writes a file and returns its path. */
type Write = (name: string, content: string | Uint8Array) => string;

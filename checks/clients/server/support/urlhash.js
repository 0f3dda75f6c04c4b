import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("../../../../apps/cli/bin/urlhash.js", import.meta.url));

/** A folder with `urlhash` on its own PATH, and a folder of lists. */
export function urlhashFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const path = (file) => join(folder, file);
  mkdirSync(path("bin"));
  mkdirSync(path("lists"));
  const script = `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(COMMAND)} "$@"\n`;
  writeFileSync(path("bin/urlhash"), script, { mode: 0o755 });
  return {
    path,
    env: { ...process.env, PATH: `${path("bin")}${delimiter}${process.env.PATH}` },
    /** Makes or replaces a list. */
    publish(list, urls) {
      writeFileSync(path("urls"), `${urls.join("\n")}\n`);
      const output = path(`lists/${list}.list`);
      const argv = [COMMAND, "list", "build", path("urls"), "--name", list, "-o", output];
      execFileSync(process.execPath, argv);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

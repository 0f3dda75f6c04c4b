import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newFolder } from "./new-folder.js";

const builtFile = (path) => fileURLToPath(new URL(`../../../../apps/${path}`, import.meta.url));

/** The built commands. */
export const URLHASH = builtFile("cli/bin/urlhash.js");
export const URLHASH_SERVER = builtFile("server/bin/urlhash-server.js");

/** Runs `urlhash-server`, and returns its output. */
export async function urlhashServer(...args) {
  return (await promisify(execFile)(process.execPath, [URLHASH_SERVER, ...args])).stdout;
}

/** Options that set values of the settings file. */
export const settings = (values) =>
  Object.entries(values).flatMap(([name, value]) => ["--set", `${name}=${value}`]);

/** The settings that say who runs a server. */
export const operator = (name, contact = "lists@example.com") =>
  settings({ "operator.name": name, "operator.contact": contact });

/** Puts scripts for a shell into a folder. */
export function writeScripts(folder, scripts) {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
}

/** A script that runs a built command. */
export const scriptOf = (command) =>
  `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(command)} "$@"`;

/** An environment in which the programs of a folder come first on the PATH. */
export const withPath = (folder) => ({
  ...process.env,
  PATH: `${folder}${delimiter}${process.env.PATH}`,
});

/** A folder with `urlhash` on its own PATH, and a folder of lists, which everybody can read. */
export function urlhashFolder(name) {
  const folder = newFolder(name);
  chmodSync(folder, 0o755);
  const path = (file) => join(folder, file);
  mkdirSync(path("lists"));
  writeScripts(path("bin"), { urlhash: scriptOf(URLHASH) });
  return {
    path,
    env: withPath(path("bin")),
    /** Makes or replaces a list. */
    publish(list, urls) {
      writeFileSync(path("urls"), `${urls.join("\n")}\n`);
      const output = path(`lists/${list}.list`);
      const argv = [URLHASH, "list", "build", path("urls"), "--name", list, "-o", output];
      execFileSync(process.execPath, argv);
    },
  };
}

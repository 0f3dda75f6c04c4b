import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { background } from "./background.js";
import { newFolder } from "./new-folder.js";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** The folder of a package, which is in the workspace or installed for `checks/clients`. */
function folderOf(name) {
  const ours = /^@x\/(.*)/.exec(name)?.[1];
  return join(
    ROOT,
    ours === undefined ? `checks/clients/node_modules/${name}` : `packages/${ours}`,
  );
}

/** Puts packages into the `node_modules` of a folder. */
export function installPackages(folder, names) {
  for (const name of names) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(folderOf(name), link);
  }
}

/** A copy of an example of docs/examples in a folder of its own, with the packages that its programs import. */
export function exampleFolder(name, packages) {
  const folder = newFolder(name);
  cpSync(join(ROOT, "docs/examples", name), folder, { recursive: true });
  installPackages(folder, packages);
  return folder;
}

/** Starts a program with Node, in its own folder. */
export const startProgram = (argv, { cwd, env }) =>
  background(process.execPath, argv, { cwd, env: { ...process.env, ...env } });

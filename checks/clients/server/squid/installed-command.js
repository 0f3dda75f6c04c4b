import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../../../apps/cli", import.meta.url));
/** Files that a package does not need at run time. */
const LEFT_OUT = /\/(?:node_modules|src|test|bench)$/;

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The folder of a package that a module in the folder `from` imports. */
function folderOf(name, from) {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(found)) return realpathSync(found);
  }
  throw new Error(`${name} is not installed for ${from}`);
}

/**
 * Installs the built `urlhash` in a folder that every user may read, because the programs that start it run as their
 * own users. Returns the file to run with Node.
 */
export function installUrlhash(folder) {
  const versions = new Map();
  const install = (source) => {
    const { name, version, dependencies = {} } = manifestOf(source);
    if (versions.has(name)) {
      if (versions.get(name) !== version) throw new Error(`two versions of ${name}`);
      return;
    }
    versions.set(name, version);
    cpSync(source, join(folder, "node_modules", name), {
      recursive: true,
      filter: (file) => file === source || !LEFT_OUT.test(file),
    });
    for (const dependency of Object.keys(dependencies)) install(folderOf(dependency, source));
  };
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  install(realpathSync(CLI));
  return join(folder, "node_modules/@x/cli/bin/urlhash.js");
}

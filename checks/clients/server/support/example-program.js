import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

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
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  cpSync(join(ROOT, "docs/examples", name), folder, { recursive: true });
  installPackages(folder, packages);
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts a program with Node, in its own folder. `said()` returns its output so far. */
export function startProgram(argv, { cwd, env }) {
  const child = spawn(process.execPath, argv, {
    ...{ cwd, env: { ...process.env, ...env } },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  }
  const ended = once(child, "close");
  return {
    said: () => said,
    /** Throws when the program has ended, with its output. */
    mustRun() {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(said);
    },
    /** Ends the program, unless it has ended. */
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

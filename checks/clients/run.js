// Runs the test files one after another: `node run.js`, or `node run.js --all` with those that few changes affect. The
// slow ones, which mostly wait for a program, run in parallel with them.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** Folders of tests that only `--all` includes. */
const ONLY_WITH_ALL = [
  "chaos",
  "fleet",
  "mail",
  "posts",
  "static-stores",
  "storages",
  "systemd",
  "systemd-resolved",
].map((folder) => join("server", folder, "/"));
const all = process.argv.includes("--all");

const files = ["server", "sources", "browsers", "runtimes", "wire-oracle"].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true })
    .filter((file) => file.endsWith(".test.js"))
    .sort()
    .map((file) => join(folder, file))
    .filter((file) => all || !ONLY_WITH_ALL.some((rare) => file.startsWith(rare))),
);

function run(tests) {
  const args = ["--test", "--test-concurrency=1", ...tests];
  const child = spawn(process.execPath, args, { stdio: "inherit", cwd: import.meta.dirname });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
}

const isSlow = (file) => file.endsWith(".slow.test.js");
const codes = await Promise.all([
  run(files.filter(isSlow)),
  run(files.filter((file) => !isSlow(file))),
]);
process.exitCode = Math.max(...codes);

// Runs the test files one after another. The slow ones, which mostly wait for a program, run in parallel with them.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import process from "node:process";

function run(...folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(folder, import.meta.url))
      .filter((name) => name.endsWith(".test.js"))
      .map((name) => `${folder}/${name}`),
  );
  const args = ["--test", "--test-concurrency=1", ...files];
  const child = spawn(process.execPath, args, { stdio: "inherit", cwd: import.meta.dirname });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
}

const codes = await Promise.all([
  run("./slow"),
  run("./server", "./browsers", "./nodes", "./runtimes"),
]);
process.exitCode = Math.max(...codes);

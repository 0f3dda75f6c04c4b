import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The folder of the repository, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** By default, turbo announces its telemetry at its first run, and sends it. */
export const TURBO_ENV = { ...process.env, TURBO_TELEMETRY_DISABLED: "1" };

export const TURBO = `${ROOT}node_modules/turbo/bin/turbo`;

/** Runs a program to its end. `onLine` gets each line of its output as it comes. */
export function run(program, args, { env = process.env, onLine = () => {} } = {}) {
  const child = spawn(program, args, {
    cwd: ROOT,
    env,
    // On Windows, npm is a script, which only a shell can run.
    shell: process.platform === "win32" && program !== process.execPath,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      lines.forEach(onLine);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, output }));
  });
}

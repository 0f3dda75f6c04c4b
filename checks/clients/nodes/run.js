// Runs the test of this folder in other versions of Node.js: `npm run nodes -- 20 22 24`.
import { spawnSync } from "node:child_process";
import process from "node:process";

for (const version of process.argv.slice(2)) {
  const node = ["--yes", `node@${version}`];
  const args = [...node, "--test", "--test-reporter=spec", "nodes/client.test.js"];
  const cwd = new URL("..", import.meta.url);
  const { status } = spawnSync("npx", args, { cwd, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}

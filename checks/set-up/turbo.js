// Runs turbo, without its telemetry and its notices: `node checks/set-up/turbo.js run test`.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { ROOT, TURBO, TURBO_ENV } from "./run-program.js";

const args = [TURBO, ...process.argv.slice(2), "--no-update-notifier"];
const { status } = spawnSync(process.execPath, args, {
  cwd: ROOT,
  env: TURBO_ENV,
  stdio: "inherit",
});
process.exitCode = status ?? 1;

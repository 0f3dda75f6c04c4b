// Builds packages and their dependencies: `node checks/set-up/build.js --filter=@x/cli`. The output of turbo is shown
// only if the build fails.
import process from "node:process";
import { run, TURBO, TURBO_ENV } from "./run-program.js";
import { showProgress } from "./show-progress.js";

const args = [TURBO, "run", "build", ...process.argv.slice(2)];
const options = ["--output-logs=errors-only", "--log-order=grouped", "--no-update-notifier"];
const { status, output } = await showProgress("Building", "Built", () =>
  run(process.execPath, [...args, ...options], { env: TURBO_ENV }),
);
if (status !== 0) {
  process.stderr.write(output);
  process.exitCode = 1;
}

// Copies the files that another job has built into the packages: `node take-built-files.js FOLDER`. Only files in
// `dist` and generated sources are copied, so the job that built them cannot change what else is published or run.
import { cpSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const BUILT = /^(?:packages|apps)\/[a-z0-9-]+\/(?:dist\/.+|src\/.+\.generated\.ts)$/;

const [folder] = process.argv.slice(2);
for (const entry of readdirSync(folder, { recursive: true })) {
  const file = entry.replaceAll("\\", "/");
  const path = join(folder, file);
  if (lstatSync(path).isDirectory()) continue;
  if (!BUILT.test(file) || !lstatSync(path).isFile())
    throw new Error(`${file} is not a built file`);
  cpSync(path, file);
}

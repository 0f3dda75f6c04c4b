// Packs all published packages into FOLDER/packed: `npm run pack -- FOLDER`.
//
// pnpm would look in the registry for the dependencies of a packed file, so FOLDER/packed/overrides.yaml tells pnpm
// where they are. FOLDER/packed/tarballs.json names every file and its hash, for the job that publishes them.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PNPM = join(ROOT, "node_modules", ".bin", "pnpm");

const [target] = process.argv.slice(2);
if (target === undefined) {
  console.error("usage: npm run pack -- FOLDER");
  process.exit(2);
}
const folder = join(resolve(target), "packed");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

const published = ["packages", "apps"]
  .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name)))
  .map((path) => ({ path, ...JSON.parse(readFileSync(join(path, "package.json"), "utf8")) }))
  .filter((manifest) => manifest.private !== true);

const tarballs = published.map(({ name, version, path }) => {
  execFileSync(PNPM, ["pack", "--pack-destination", folder], {
    cwd: path,
    shell: process.platform === "win32",
    stdio: ["ignore", "ignore", "inherit"],
  });
  const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
  return { name, version, file, sha256: sha256(readFileSync(join(folder, file))) };
});
const overrides = tarballs.map(({ name, file }) => `  "${name}": "file:packed/${file}"\n`);
writeFileSync(join(folder, "overrides.yaml"), `overrides:\n${overrides.join("")}`);
const list = `${JSON.stringify(tarballs, null, 2)}\n`;
writeFileSync(join(folder, "tarballs.json"), list);
if (process.env.GITHUB_OUTPUT) {
  appendFileSync(process.env.GITHUB_OUTPUT, `tarballs-sha256=${sha256(list)}\n`);
}

console.log(`${published.length} files are in ${folder}. In the folder above it, run

  npm install ./packed/*.tgz

or

  cat packed/overrides.yaml >> pnpm-workspace.yaml && pnpm add ./packed/*.tgz`);

// Packs published packages into FOLDER/packed: all of them with `npm run pack -- FOLDER`, and with
// `npm run pack -- FOLDER @x/client` only the named ones and those that they need.
//
// pnpm and bun would look in the registry for the dependencies of a packed file. FOLDER/packed/overrides.yaml tells
// pnpm where they are, and FOLDER/packed/overrides.json is the same for the package.json of bun.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
// Node runs this file on every system, without a shell that would have to quote paths.
const PNPM = join(ROOT, "node_modules", "pnpm", "bin", "pnpm.mjs");

/** @returns {never} */
function fail(message) {
  console.error(`npm run pack: ${message}`);
  process.exit(2);
}

const [target, ...wanted] = process.argv.slice(2);
if (!target) fail("name a folder, as in: npm run pack -- FOLDER [PACKAGE ...]");

const all = ["packages", "apps"]
  .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name)))
  .map((path) => ({ path, ...JSON.parse(readFileSync(join(path, "package.json"), "utf8")) }))
  .filter((manifest) => manifest.private !== true);

/** Packages by name, with those of the repository that they need. */
function withNeeds(names) {
  const found = new Map();
  function add(name) {
    const manifest = all.find((one) => one.name === name);
    if (manifest === undefined || found.has(name)) return;
    found.set(name, manifest);
    Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).forEach(add);
  }
  names.forEach(add);
  return [...found.values()];
}

const unknown = wanted.filter((name) => !all.some((one) => one.name === name));
if (unknown.length > 0) {
  const names = all.map(({ name }) => name).join(", ");
  fail(`there is no package ${unknown.join(", ")}: the packages are ${names}`);
}
const published = wanted.length === 0 ? all : withNeeds(wanted);

// `npm run` changes to the folder of package.json, but the user named a path that begins where npm was called.
const { npm_lifecycle_event: script, INIT_CWD: calledIn } = process.env;
const from = script === "pack" && calledIn !== undefined ? calledIn : process.cwd();
const folder = join(resolve(from, target), "packed");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const tarballs = published.map(({ name, version, path }) => {
  execFileSync(process.execPath, [PNPM, "pack", "--pack-destination", folder], {
    cwd: path,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return { name, file: `${name.replace("@", "").replace("/", "-")}-${version}.tgz` };
});
const overrides = tarballs.map(({ name, file }) => [name, `file:packed/${file}`]);
const lines = overrides.map(([name, file]) => `  "${name}": "${file}"\n`);
writeFileSync(join(folder, "overrides.yaml"), `overrides:\n${lines.join("")}`);
const json = JSON.stringify({ overrides: Object.fromEntries(overrides) }, null, 2);
writeFileSync(join(folder, "overrides.json"), `${json}\n`);

// The shells of Windows do not replace `*` by names.
const files =
  process.platform === "win32"
    ? tarballs.map(({ file }) => `./packed/${file}`).join(" ")
    : "./packed/*.tgz";
const count = published.length === 1 ? "1 file is" : `${published.length} files are`;
console.log(`${count} in ${folder}. In the folder above it, run

  npm install ${files}

With pnpm, add the lines of packed/overrides.yaml to pnpm-workspace.yaml, and run

  pnpm add ${files}

With bun, add what is in packed/overrides.json to package.json, and run

  bun add ${files}`);

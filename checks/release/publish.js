// Publishes the tarballs that pack.js made, except those whose versions are on npm: `node publish.js FOLDER SHA256`.
//
// FOLDER holds the tarballs and tarballs.json, whose hash is SHA256. This script has permission to publish, so it
// imports only Node's modules and the files in this folder, and runs only npm. The script trusts the checked-out
// repository, not the job that built the tarballs: each tarball must contain only the manifest and the files of a
// package in the repository, and files that are built from them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { problemWith } from "./check-tarball.js";
import { filesIn } from "./read-tarball.js";

const [folder, expected] = process.argv.slice(2);
if (folder === undefined || expected === undefined) {
  console.error("usage: node checks/release/publish.js FOLDER SHA256");
  process.exit(2);
}

function refuse(reason) {
  console.error(`Nothing was published: ${reason}`);
  process.exit(1);
}

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

function npm(args, options) {
  return spawnSync("npm", args, { shell: process.platform === "win32", ...options });
}

/** All published packages in the repository, by name: each with its folder and its manifest. */
function packagesInRepository() {
  const all = ["packages", "apps"]
    .flatMap((group) => readdirSync(group).map((name) => `${group}/${name}`))
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
    }));
  return new Map(
    all
      .filter(({ manifest }) => manifest.private !== true)
      .map((source) => [source.manifest.name, source]),
  );
}

/** Ends the process unless a tarball matches the repository. */
function check({ name, version, file, sha256: hash }, packages, versions) {
  if (versions.get(name) !== version) refuse(`the repository has no ${name} ${version}.`);
  if (!/^[a-z0-9.-]+\.tgz$/.test(file)) refuse(`${file} is not the name of a tarball.`);
  const bytes = readFileSync(join(folder, file));
  if (sha256(bytes) !== hash) refuse(`${file} has the wrong hash.`);
  let problem;
  try {
    problem = problemWith(filesIn(bytes), packages.get(name), versions);
  } catch (error) {
    problem = `cannot be read: ${error.message}`;
  }
  if (problem !== null) refuse(`${file} ${problem}.`);
}

/** Whether npm has this version. */
function isPublished({ name, version }) {
  const { status, stdout } = npm(["view", `${name}@${version}`, "version", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status === 0) return stdout.trim() !== "";
  if (JSON.parse(stdout).error?.code === "E404") return false;
  throw new Error(`npm cannot say whether ${name} ${version} is published`);
}

const list = readFileSync(join(folder, "tarballs.json"));
if (sha256(list) !== expected) refuse("tarballs.json has the wrong hash.");
const tarballs = JSON.parse(list);
const packages = packagesInRepository();
const versions = new Map([...packages].map(([name, { manifest }]) => [name, manifest.version]));
for (const tarball of tarballs) check(tarball, packages, versions);
for (const name of versions.keys()) {
  if (!tarballs.some((tarball) => tarball.name === name)) refuse(`there is no tarball of ${name}.`);
}

for (const tarball of tarballs) {
  const { name, version, file } = tarball;
  if (isPublished(tarball)) {
    console.log(`${name} ${version} is on npm.`);
    continue;
  }
  const options = ["--provenance", "--access", "public", "--ignore-scripts"];
  const { status } = npm(["publish", join(resolve(folder), file), ...options], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`npm did not publish ${name} ${version}`);
}
if (process.env.GITHUB_OUTPUT) {
  const tags = tarballs.map(({ name, version }) => `${name}@${version}`);
  appendFileSync(process.env.GITHUB_OUTPUT, `tags=${tags.join(" ")}\n`);
}

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "./repository.ts";

/** Runs the script that publishes tarballs, with a program in place of npm that only records its arguments. */

const workshop = mkdtempSync(join(tmpdir(), "publish-"));
afterAll(() => rmSync(workshop, { recursive: true, force: true }));

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

interface Repository {
  readonly folder: string;
  /** The lines of `tarballs.json`. */
  tarballs: { name: string; version: string; file: string; sha256: string }[];
}

type Manifest = Readonly<Record<string, unknown>>;

let count = 0;

/** Makes a repository with two published packages and a private one, and packs them. */
function repository(packed: Readonly<Record<string, Manifest>> = {}): Repository {
  const folder = join(workshop, String(++count));
  const manifests: Record<string, Manifest> = {
    "packages/one": { name: "@x/one", version: "1.0.0" },
    "apps/two": { name: "@x/two", version: "2.0.0" },
    "apps/demo": { name: "@x/demo", version: "0.0.0", private: true },
  };
  const tarballs: Repository["tarballs"] = [];
  mkdirSync(join(folder, "packed"), { recursive: true });
  for (const [path, manifest] of Object.entries(manifests)) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, "package.json"), JSON.stringify(manifest));
    if (manifest["private"]) continue;
    const name = manifest["name"] as string;
    const file = `${name.replace("@x/", "x-")}.tgz`;
    mkdirSync(join(folder, "package"), { recursive: true });
    const inside = { ...manifest, ...packed[name] };
    writeFileSync(join(folder, "package", "package.json"), JSON.stringify(inside));
    execFileSync("tar", ["-czf", `packed/${file}`, "package"], { cwd: folder });
    const version = manifest["version"] as string;
    tarballs.push({
      name,
      version,
      file,
      sha256: sha256(readFileSync(join(folder, "packed", file))),
    });
  }
  return { folder, tarballs };
}

const NPM = `#!/usr/bin/env node
const { appendFileSync } = require("node:fs");
const args = process.argv.slice(2);
appendFileSync("npm.log", JSON.stringify(args) + "\\n");
if (args[0] === "view" && args[1] === process.env.ON_NPM) console.log('"1.0.0"');
else if (args[0] === "view") {
  console.log(JSON.stringify({ error: { code: process.env.VIEW_ERROR ?? "E404" } }));
  process.exitCode = 1;
}
`;

/** Runs the script in a repository, and returns its output and the arguments of its calls to npm. */
function publish(
  { folder, tarballs }: Repository,
  env: Readonly<Record<string, string>> = {},
  hash?: string,
) {
  const list = JSON.stringify(tarballs);
  writeFileSync(join(folder, "packed", "tarballs.json"), list);
  const programs = join(folder, "bin");
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, "npm.cjs"), NPM);
  writeFileSync(join(programs, "npm"), NPM);
  chmodSync(join(programs, "npm"), 0o755);
  writeFileSync(join(programs, "npm.cmd"), `@node "%~dp0npm.cjs" %*\r\n`);
  const script = join(ROOT, "checks/release/publish.js");
  const { status, stderr } = spawnSync(process.execPath, [script, "packed", hash ?? sha256(list)], {
    cwd: folder,
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: `${programs}${delimiter}${process.env["PATH"]}`,
      GITHUB_OUTPUT: join(folder, "output"),
      ...env,
    },
  });
  const log = join(folder, "npm.log");
  const calls = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  return { status, stderr, calls: calls.map((line) => JSON.parse(line) as string[]) };
}

test("publishes the tarballs whose versions are new, with provenance and without scripts", () => {
  const made = repository();
  const { status, calls } = publish(made, { ON_NPM: "@x/one@1.0.0" });
  expect(status).toBe(0);
  const published = calls.filter(([command]) => command === "publish");
  expect(published).toHaveLength(1);
  expect(published[0]![1]).toContain(join("packed", "x-two.tgz"));
  expect(published[0]!.slice(2)).toEqual([
    "--provenance",
    "--access",
    "public",
    "--ignore-scripts",
  ]);
  expect(readFileSync(join(made.folder, "output"), "utf8")).toBe(
    "tags=@x/one@1.0.0 @x/two@2.0.0\n",
  );
});

test.each<[what: string, change: (made: Repository) => void, reason: RegExp]>([
  [
    "a tarball with other bytes",
    ({ folder }) => writeFileSync(join(folder, "packed", "x-two.tgz"), "other"),
    /x-two\.tgz has the wrong hash/,
  ],
  [
    "a package that is not in the repository",
    ({ tarballs }) => {
      tarballs[0]!.name = "@x/other";
    },
    /the repository has no @x\/other 1\.0\.0/,
  ],
  [
    "a private package",
    ({ tarballs }) => {
      Object.assign(tarballs[0]!, { name: "@x/demo", version: "0.0.0" });
    },
    /the repository has no @x\/demo/,
  ],
  [
    "a version that is not in the repository",
    ({ tarballs }) => {
      tarballs[0]!.version = "9.0.0";
    },
    /the repository has no @x\/one 9\.0\.0/,
  ],
  [
    "a file elsewhere",
    ({ tarballs }) => {
      tarballs[0]!.file = "../x-one.tgz";
    },
    /is not the name of a tarball/,
  ],
  ["one package too few", ({ tarballs }) => void tarballs.pop(), /there is no tarball of @x\/two/],
])("publishes nothing when there is %s", (_, change, reason) => {
  const made = repository();
  change(made);
  const { status, stderr, calls } = publish(made);
  expect(stderr).toMatch(reason);
  expect({ status, calls }).toEqual({ status: 1, calls: [] });
});

test("publishes nothing when the list of tarballs is not the one that was packed", () => {
  const { status, stderr, calls } = publish(repository(), {}, sha256("another list"));
  expect(stderr).toMatch(/tarballs\.json has the wrong hash/);
  expect({ status, calls }).toEqual({ status: 1, calls: [] });
});

test.each<[what: string, packed: Readonly<Record<string, Manifest>>, reason: RegExp]>([
  ["holds another package", { "@x/two": { name: "@x/one" } }, /holds @x\/one 2\.0\.0, not @x\/two/],
  [
    "would run a script when it is installed",
    { "@x/two": { scripts: { postinstall: "node steal.js" } } },
    /would run a script \(postinstall\)/,
  ],
])("publishes nothing when a tarball %s", (_, packed, reason) => {
  const { status, stderr, calls } = publish(repository(packed));
  expect(stderr).toMatch(reason);
  expect({ status, calls }).toEqual({ status: 1, calls: [] });
});

test("publishes nothing when npm cannot say what is published", () => {
  const { status, calls } = publish(repository(), { VIEW_ERROR: "E500" });
  expect(status).not.toBe(0);
  expect(calls.filter(([command]) => command === "publish")).toEqual([]);
});

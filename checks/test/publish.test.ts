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
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "./repository.ts";

/** Runs the script that publishes tarballs, with a program in place of npm that only records its arguments. */

const workshop = mkdtempSync(join(tmpdir(), "publish-"));
afterAll(() => rmSync(workshop, { recursive: true, force: true }));

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

interface Repository {
  readonly folder: string;
  /** The entries of `tarballs.json`. */
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
      GITHUB_REPOSITORY: "",
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

interface Entry {
  readonly name: string;
  readonly text?: string;
  /**
   * The type in the tar header: a plain file by default, "2" for a symbolic link, "x" for a header of the next file.
   */
  readonly type?: string;
}

/** A tarball with any entries, even those that no tool would write. */
function tarball(entries: readonly Entry[]): Uint8Array {
  const blocks = entries.flatMap(({ name, text = "", type = "0" }) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write("0000644\0", 100);
    header.write(`${Buffer.byteLength(text).toString(8).padStart(11, "0")}\0`, 124);
    header.write(" ".repeat(8), 148);
    header.write(`${type}\0`.slice(0, 1), 156);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
    body.write(text);
    return [header, body];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const SOURCE = {
  name: "@x/two",
  version: "2.0.0",
  files: ["dist", "src"],
  bin: { two: "./src/bin.ts" },
  exports: {
    ".": { types: "./dist/a.d.ts", node: "./dist/bundled/a.js", default: "./dist/a.js" },
  },
  scripts: { build: "tsc", prepare: "tsc" },
  dependencies: { "@x/one": "workspace:^", six: "catalog:", seven: "7.0.0" },
  devDependencies: { eight: "catalog:" },
  publishConfig: { bin: { two: "./src/a.ts" } },
};
const { publishConfig, ...rest } = SOURCE;
const PACKED = {
  ...rest,
  bin: publishConfig.bin,
  scripts: { build: "tsc" },
  dependencies: { "@x/one": "^1.0.0", six: "^6.1.0", seven: "7.0.0" },
};
const FILES: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify(PACKED),
  "README.md": "# two",
  "src/a.ts": "export const a = 1;",
  "src/b.generated.ts": "export const b = 1;",
  "dist/a.js": "export const a = 1;",
  "dist/a.d.ts": "export const a = 1;",
  "dist/b.generated.js": "export const b = 1;",
  "dist/bundled/a.js": "export const a = 1;",
  "dist/bundled/a.js.map": "{}",
  "dist/bundled/shared/b.js": "export const b = 1;",
};

/** A repository with a package that has sources, and its tarball with other files and entries. */
function withTarball(
  files: Readonly<Record<string, string | undefined>>,
  more: readonly Entry[] = [],
): Repository {
  const made = repository();
  const { folder } = made;
  mkdirSync(join(folder, "apps/two/src"));
  writeFileSync(join(folder, "apps/two/package.json"), JSON.stringify(SOURCE));
  for (const name of ["README.md", "src/a.ts"])
    writeFileSync(join(folder, "apps/two", name), FILES[name]!);
  writeFileSync(
    join(folder, "pnpm-workspace.yaml"),
    'packages:\n  - apps/*\n\n# Versions\ncatalog:\n  "@a/b": ^1.0.0\n  six: ^6.1.0\n\nother: {}\n',
  );
  const all = Object.entries({ ...FILES, ...files }).filter(([, text]) => text !== undefined);
  const bytes = tarball([
    ...all.map(([name, text]) => ({ name: `package/${name}`, text: text! })),
    ...more,
  ]);
  writeFileSync(join(folder, "packed", "x-two.tgz"), bytes);
  made.tarballs[1]!.sha256 = sha256(bytes);
  return made;
}

test("publishes the sources of the repository, and what is built from them", () => {
  const { status, stderr } = publish(withTarball({}));
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("publishes manifests that name the repository of the workflow, and no other", () => {
  const named = (name: string) => ({
    homepage: `https://github.com/${name}/tree/main/apps/two#readme`,
    bugs: `https://github.com/${name}/issues`,
    repository: { type: "git", url: `git+https://github.com/${name}.git`, directory: "apps/two" },
  });
  const env = { GITHUB_REPOSITORY: "a/b", GITHUB_SERVER_URL: "https://github.com" };
  const reasons = ["a/b", "evil/b"].map((name) => {
    const made = withTarball(manifest(named(name)));
    made.tarballs.shift();
    return publish(made, env).stderr;
  });
  expect(reasons[0]).toMatch(/there is no tarball of @x\/one/);
  expect(reasons[1]).toMatch(/x-two\.tgz has other homepage/);
});

const manifest = (changes: object) => ({
  "package.json": JSON.stringify({ ...PACKED, ...changes }),
});
const evil = JSON.stringify({ ...PACKED, scripts: { postinstall: "node evil.js" } });

test.each<[what: string, made: () => Repository, reason: RegExp]>([
  [
    "a manifest in another first folder, which npm would take",
    () => withTarball({}, [{ name: "other/package.json", text: evil }]),
    /"other\/package\.json" is not a name under package\//,
  ],
  [
    "a second manifest",
    () => withTarball({}, [{ name: "package/package.json", text: evil }]),
    /package\/package\.json occurs twice/,
  ],
  [
    "a second manifest for systems that ignore case",
    () => withTarball({}, [{ name: "package/Package.JSON", text: evil }]),
    /occurs twice/,
  ],
  [
    "a manifest behind the end of the tarball",
    () => withTarball({}, [{ name: "" }, { name: "package/package.json", text: evil }]),
    /something follows its end/,
  ],
  [
    "a binding.gyp",
    () => withTarball({ "binding.gyp": "{}" }),
    /not belong to the package: binding/,
  ],
  ["a binding.gyp elsewhere", () => withTarball({ "dist/binding.gyp": "{}" }), /not belong/],
  ["pinned versions", () => withTarball({ "npm-shrinkwrap.json": "{}" }), /not belong/],
  [
    "a bundled package",
    () => withTarball({ "node_modules/six/package.json": "{}" }),
    /not belong to the package: node_modules/,
  ],
  ["code that is not built from a source", () => withTarball({ "dist/c.js": "" }), /dist\/c\.js/],
  [
    "a bundle that is no entry point",
    () => withTarball({ "dist/bundled/c.js": "" }),
    /dist\/bundled\/c\.js/,
  ],
  ["a source that is not in the repository", () => withTarball({ "src/c.ts": "" }), /src\/c\.ts/],
  ["another source", () => withTarball({ "src/a.ts": "evil()" }), /has another src\/a\.ts/],
  ["a source too few", () => withTarball({ "src/a.ts": undefined }), /lacks src\/a\.ts/],
  ["no manifest", () => withTarball({ "package.json": undefined }), /has no package\.json/],
  [
    "a symbolic link",
    () => withTarball({}, [{ name: "package/dist/x.js", type: "2" }]),
    /is no plain file/,
  ],
  [
    "a header that renames the next file",
    () =>
      withTarball({}, [{ name: "package/x", type: "x", text: "30 path=package/binding.gyp\n" }]),
    /is no plain file/,
  ],
  [
    "a file outside",
    () => withTarball({}, [{ name: "package/../x" }]),
    /is not a name under package/,
  ],
  [
    "another dependency",
    () => withTarball(manifest({ dependencies: { ...PACKED.dependencies, evil: "1.0.0" } })),
    /has other dependencies than the repository/,
  ],
  [
    "a dependency from elsewhere",
    () => withTarball(manifest({ dependencies: { ...PACKED.dependencies, six: "npm:evil@1" } })),
    /has other dependencies/,
  ],
  [
    "an optional dependency",
    () => withTarball(manifest({ optionalDependencies: { evil: "1" } })),
    /has other optionalDependencies/,
  ],
  ["a native build", () => withTarball(manifest({ gypfile: true })), /has other gypfile/],
  ["another command", () => withTarball(manifest({ bin: { npm: "./src/a.ts" } })), /has other bin/],
  [
    "a registry to publish to",
    () => withTarball(manifest({ publishConfig: { registry: "https://evil.example" } })),
    /has other publishConfig/,
  ],
  ...["preinstall", "install", "prepare", "prepublish", "preuninstall"].map(
    (name): [string, () => Repository, RegExp] => [
      `a script ${name}`,
      () => withTarball(manifest({ scripts: { build: "tsc", [name]: "node evil.js" } })),
      new RegExp(`would run a script \\(${name}\\)`),
    ],
  ),
])("publishes nothing when a tarball has %s", (_, make, reason) => {
  const { status, stderr, calls } = publish(make());
  expect(stderr).toMatch(reason);
  expect({ status, calls }).toEqual({ status: 1, calls: [] });
});

test("publishes nothing when npm cannot say what is published", () => {
  const { status, calls } = publish(repository(), { VIEW_ERROR: "E500" });
  expect(status).not.toBe(0);
  expect(calls.filter(([command]) => command === "publish")).toEqual([]);
});

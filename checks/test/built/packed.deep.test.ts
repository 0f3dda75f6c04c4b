import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { fencedBlocks } from "@x/test-support/doc-examples";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderOf, PUBLISHED, withLayersBelow } from "../package-layers.ts";
import { ROOT, readManifest, readProse } from "../repository.ts";

/**
 * Tests packages as a new user gets them: packed, installed by plain npm in an empty folder, and then listed, imported,
 * required and type-checked. npm installs all packages once. For each package alone, what it needs is copied from
 * there.
 */

const names = PUBLISHED;

/** The peer dependencies of packages, in the versions of this repository. */
function peersOf(wanted: readonly string[]): Record<string, string> {
  const peers = wanted.flatMap((name) => {
    const folder = join(ROOT, folderOf(name));
    return Object.keys(readManifest(folder).peerDependencies ?? {}).map((peer) => {
      return [peer, readManifest(join(folder, "node_modules", peer)).version] as const;
    });
  });
  return Object.fromEntries(peers);
}

const workshop = mkdtempSync(join(tmpdir(), "packed-"));
const tarballs = new Map<string, string>();
const isWindows = process.platform === "win32";

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], {
    cwd,
    shell: isWindows,
    maxBuffer: 1 << 26,
  });
  return stdout;
}

const bin = (name: string) => join(ROOT, "node_modules", ".bin", name);
const ownBin = (name: string) => join(ROOT, "checks", "node_modules", ".bin", name);

beforeAll(async () => {
  await run(process.execPath, [join(ROOT, "checks/release/pack.js"), workshop], ROOT);
  for (const name of [...names, "cli", "server"]) {
    const { version } = readManifest(join(ROOT, folderOf(name)));
    tarballs.set(name, join(workshop, "packed", `x-${name}-${version}.tgz`));
  }
});

afterAll(() => rmSync(workshop, { recursive: true, force: true }));

const ALL = "all packages";
const INSTALLATIONS: readonly (readonly [title: string, wanted: readonly string[]])[] = [
  [ALL, names],
  ...names.map((name) => [`@x/${name} alone`, [name]] as const),
];
const modulesOf = (title: string) =>
  join(workshop, "installed", title.replace("@x/", ""), "node_modules");

/** What an installed package needs, by the manifests of the installed packages. */
function needsOf(name: string, found: Set<string> = new Set()): Set<string> {
  const modules = modulesOf(ALL);
  const { dependencies, peerDependencies, optionalDependencies } = readManifest(
    join(modules, name),
  );
  // Peers may be missing, and DuckDB has a package for each platform, of which one is installed.
  const others = Object.keys({ ...peerDependencies, ...optionalDependencies }).filter((each) =>
    existsSync(join(modules, each)),
  );
  for (const each of [...Object.keys(dependencies ?? {}), ...others]) {
    if (!found.has(each)) needsOf(each, found.add(each));
  }
  return found;
}

describe.each(INSTALLATIONS)("%s, packed", (title, wanted) => {
  const modules = modulesOf(title);
  const folder = join(modules, "..");
  const entries = () =>
    wanted.flatMap((name) =>
      Object.keys(readManifest(join(modules, "@x", name)).exports)
        .filter((entry) => entry !== "./package.json")
        .map((entry) => `@x/${name}${entry.slice(1)}`),
    );

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const file = (name: string) => [
      `@x/${name}`,
      `file:${tarballs.get(name)!.replaceAll("\\", "/")}`,
    ];
    const manifest = {
      private: true,
      type: "module",
      dependencies: { ...Object.fromEntries(wanted.map(file)), ...peersOf(wanted) },
      // The packages below are not published yet, so all of them come from their tarballs.
      overrides: Object.fromEntries(wanted.map(file)),
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    if (title === ALL) {
      await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], folder);
      return;
    }
    for (const name of wanted.flatMap((each) => [`@x/${each}`, ...needsOf(`@x/${each}`)])) {
      cpSync(join(modulesOf(ALL), name), join(modules, name), { recursive: true });
    }
  });

  test("brings the packages below it and nothing else", () => {
    const found = readdirSync(modules)
      .filter((entry) => !entry.startsWith("."))
      .flatMap((entry) =>
        entry.startsWith("@")
          ? readdirSync(join(modules, entry)).map((part) => `${entry}/${part}`)
          : [entry],
      );
    const needed = wanted.flatMap((name) => [`@x/${name}`, ...needsOf(`@x/${name}`)]);
    expect(found.sort()).toEqual([...new Set(needed)].sort());
    const layers = new Set(wanted.flatMap(withLayersBelow).map((name) => `@x/${name}`));
    expect(found.filter((name) => name.startsWith("@x/"))).toEqual([...layers].sort());
  });

  test.each(wanted)("@x/%s contains the expected files and no stray file", (name) => {
    const installed = join(modules, "@x", name);
    const expected = ["CHANGELOG.md", "LICENSE", "README.md", "dist", "package.json", "src"];
    expect(readdirSync(installed).sort()).toEqual(expected);
    for (const file of readdirSync(installed, { recursive: true, encoding: "utf8" })) {
      expect(file).toMatch(/^(?:\w+|LICENSE|[\w.-]+\.(?:json|md)|(?:dist|src)(?:[/\\][\w.-]+)+)$/);
    }
  });

  test("every entry can be imported and required", async () => {
    const list = JSON.stringify(entries());
    const script = `
      import { createRequire } from "node:module";
      const require = createRequire(import.meta.url);
      for (const entry of ${list}) {
        const imported = Object.keys(await import(entry)).sort();
        const required = Object.keys(require(entry)).filter((key) => key !== "__esModule").sort();
        if (imported.length === 0 || imported.join() !== required.join()) throw new Error(entry);
        console.log(entry);
      }`;
    writeFileSync(join(folder, "entries.mjs"), script);
    const printed = await run(process.execPath, ["entries.mjs"], folder);
    expect(printed.trim().split(/\r?\n/)).toEqual(entries());
  });

  test("runs in a worker", async () => {
    const worker = `
      import { parentPort } from "node:worker_threads";
      for (const name of ${JSON.stringify(wanted)}) {
        const entry = await import("@x/" + name);
        parentPort.postMessage(name + " " + (Object.keys(entry).length > 0));
      }`;
    const main = `
      import { Worker } from "node:worker_threads";
      new Worker("./worker.mjs").on("message", (said) => console.log(said));`;
    writeFileSync(join(folder, "worker.mjs"), worker);
    writeFileSync(join(folder, "main.mjs"), main);
    const printed = await run(process.execPath, ["main.mjs"], folder);
    expect(printed.trim().split(/\r?\n/)).toEqual(wanted.map((name) => `${name} true`));
  });

  test.each(title === ALL ? ["nodenext", "bundler"] : ["nodenext"])(
    "type-checks in a strict consumer, %s",
    async (resolution) => {
      const consumer = join(folder, resolution);
      mkdirSync(consumer);
      const config = {
        compilerOptions: {
          module: resolution === "bundler" ? "esnext" : "nodenext",
          moduleResolution: resolution,
          target: "es2022",
          lib: ["es2023", "dom"],
          types: [],
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
          noEmit: true,
        },
      };
      writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify(config));
      const lines = entries().map(
        (entry, i) => `import * as entry${i} from "${entry}";\nexport { entry${i} };`,
      );
      writeFileSync(join(consumer, "consumer.ts"), `${lines.join("\n")}\n`);
      // A CommonJS module can import ES modules only with the resolution `nodenext`.
      if (resolution === "nodenext") {
        writeFileSync(join(consumer, "consumer.cts"), `${lines.join("\n")}\n`);
      }
      await run(bin("tsc"), ["-p", "."], consumer);
    },
  );
});

test("the examples of the READMEs type-check", async () => {
  const folder = join(workshop, "installed", ALL, "examples");
  mkdirSync(folder);
  const examples = names.flatMap((name) => {
    const file = `${folderOf(name)}/README.md`;
    return fencedBlocks(file, readFileSync(join(ROOT, file), "utf8"));
  });
  for (const { where, code } of examples) {
    writeFileSync(join(folder, `${where.replace(/\W/g, "-")}.ts`), `${code}\nexport {};\n`);
  }
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
    strict: true,
    noEmit: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  expect(examples.length).toBeGreaterThan(50);
  await run(bin("tsc"), ["-p", "."], folder);
});

test("the oldest TypeScript that docs/install.md names reads all types", async () => {
  const document = readProse("docs/install.md");
  const [, version] = /TypeScript (\d+\.\d+) or newer/.exec(document)!;
  const compiler = ["exec", "--yes", "--prefer-offline", `--package=typescript@~${version}`];
  const folder = join(workshop, "installed", "all packages", "bundler");
  await run("npm", [...compiler, "--", "tsc", "-p", "."], folder);
});

test.each(["urn", "client", "cli"])("npm run pack packs @x/%s and what it needs", async (name) => {
  const folder = join(workshop, "some", name);
  await run(process.execPath, [join(ROOT, "checks/release/pack.js"), folder, `@x/${name}`], ROOT);
  const needed = withLayersBelow(name).sort();
  const packed = readdirSync(join(folder, "packed")).filter((file) => file.endsWith(".tgz"));
  const files = needed.map((each) => {
    const { version } = readManifest(join(ROOT, folderOf(each)));
    return `x-${each}-${version}.tgz`;
  });
  expect(packed.sort()).toEqual(files.sort());
  const { overrides } = JSON.parse(readFileSync(join(folder, "packed/overrides.json"), "utf8"));
  expect(Object.keys(overrides).sort()).toEqual(needed.map((each) => `@x/${each}`));
});

test.each(names)("publint finds nothing in @x/%s", async (name) => {
  const installed = join(workshop, "installed", "all packages", "node_modules", "@x", name);
  // publint does not pack the package again, because the installed files come from a tarball.
  const { messages } = await publint({ pkgDir: installed, level: "warning", pack: false });
  expect(messages).toEqual([]);
});

// The command `attw` exits with an error when it finds a problem.
test.each(names)("are-the-types-wrong finds nothing in @x/%s", async (name) => {
  const argv = [tarballs.get(name)!, "--profile", "esm-only", "--quiet"];
  await run(ownBin("attw"), argv, workshop);
});

describe("@x/cli, packed", () => {
  const folder = join(workshop, "installed", "cli");
  const modules = join(folder, "node_modules");
  const installed = join(modules, "@x", "cli");
  const urlhash = join(modules, ".bin", "urlhash");

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    const files = withLayersBelow("cli").map((name) => tarballs.get(name)!);
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...files], folder);
  });

  test("contains only the command: no page, no sources, no development files", () => {
    const present = readdirSync(installed).filter((file) => file !== "CHANGELOG.md");
    expect(present.sort()).toEqual(["LICENSE", "README.md", "bin", "dist", "package.json"]);
    for (const file of readdirSync(installed, { recursive: true, encoding: "utf8" })) {
      expect(file).toMatch(
        /^(?:LICENSE|[^.]+|[\w.-]+\.(?:json|md)|dist[/\\]licenses\.md|(?:bin|dist)[/\\].*\.(?:js|1))$/,
      );
    }
    expect(readManifest(installed).exports).toEqual({ "./package.json": "./package.json" });
    for (const absent of ["eth-phishing-detect", "hono", "preact", "vite", "vitest"]) {
      expect(readdirSync(modules)).not.toContain(absent);
    }
  });

  test("npx urlhash runs", async () => {
    const explained = await run("npx", ["urlhash", "explain", "http://3279880203/"], folder);
    expect(explained).toContain("http://195.127.0.11/");
    const compared = await run(urlhash, ["urn", "equal", "URN:a:b", "urn:a:b"], folder);
    expect(compared).toMatch(/^equal$/m);
  });

  test("urlhash sql says how to install DuckDB, which does not come with it", async () => {
    expect(readdirSync(modules)).not.toContain("@duckdb");
    const failed = await run(urlhash, ["sql", "SELECT"], folder).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("npm install @duckdb/node-api"),
    });
  });

  test("its threads start", async () => {
    writeFileSync(join(folder, "hosts.txt"), "evil.example\n");
    writeFileSync(join(folder, "urls.txt"), "good.example\nevil.example\n");
    await run(urlhash, ["list", "build", "hosts.txt", "-o", "hosts.list"], folder);
    const argv = ["check", "--list", "hosts.list", "--file", "urls.txt", "--workers", "2"];
    const failed = await run(urlhash, argv, folder).catch((error: unknown) => error);
    // Status 1 means that something is listed.
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(/^LISTED {6}evil/m) });
  });
});

test("pnpm can add all packed files at once", async () => {
  const folder = join(workshop, "pnpm");
  mkdirSync(folder);
  cpSync(join(workshop, "packed"), join(folder, "packed"), { recursive: true });
  cpSync(join(folder, "packed/overrides.yaml"), join(folder, "pnpm-workspace.yaml"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const files = [...tarballs.values()].map((file) => `./packed/${basename(file)}`);
  await run(bin("pnpm"), ["add", "--prefer-offline", ...files], folder);
  const installed = readdirSync(join(folder, "node_modules/@x"));
  expect(installed.sort()).toEqual([...tarballs.keys()].sort());
  const explained = await run(
    process.execPath,
    ["node_modules/@x/cli/bin/urlhash.js", "explain", "http://3279880203/"],
    folder,
  );
  expect(explained).toContain("http://195.127.0.11/");
});

// npm then installs the versions that the commands need in several places, so that they meet in one process.
describe.each(["cli", "server"])("@x/%s, packed, beside older copies of what it needs", (name) => {
  const folder = join(workshop, "installed", `${name} beside`);
  const command = name === "cli" ? "urlhash" : "urlhash-server";
  const dependencies = {
    commander: "12",
    "ipaddr.js": "1",
    "prom-client": "14",
    tldts: "6",
    undici: "6",
    yaml: "1",
  };

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
    const files = withLayersBelow(name).map((each) => tarballs.get(each)!);
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...files], folder);
  });

  test.each([
    ["--help", 0, /^Usage: urlhash/, /^$/],
    ["--version", 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    ["--no-such-option", 2, /^$/, /^urlhash[^\n]*unknown option[^\n]*\n$/],
    ["no-such-command", 2, /^$/, /^urlhash[^\n]*unknown command[^\n]*\n$/],
  ])("%s ends with status %i", (argument, code, stdout, stderr) => {
    const script = join(folder, "node_modules/@x", name, "bin", `${command}.js`);
    const ended = spawnSync(process.execPath, [script, argument], { encoding: "utf8" });
    expect(ended.status, ended.stderr).toBe(code);
    expect(ended.stdout).toMatch(stdout);
    expect(ended.stderr).toMatch(stderr);
  });
});

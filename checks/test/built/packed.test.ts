import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
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
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderOf, LAYERS, ROOT, readManifest, withLayersBelow } from "../repository.ts";

/**
 * Tests each package as a new user gets it: packed, installed by plain npm in an empty folder together with
 * the packages below it, and then listed, imported, required and type-checked.
 */

const names = Object.keys(LAYERS);
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
  for (const name of [...names, "cli"]) {
    const { version } = readManifest(join(ROOT, folderOf(name)));
    tarballs.set(name, join(workshop, "packed", `x-${name}-${version}.tgz`));
  }
}, 120_000);

afterAll(() => rmSync(workshop, { recursive: true, force: true }));

test("tarballs.json names every tarball, with its hash", () => {
  const folder = join(workshop, "packed");
  const listed = JSON.parse(readFileSync(join(folder, "tarballs.json"), "utf8")) as {
    file: string;
    sha256: string;
  }[];
  expect(listed.map(({ file }) => file).sort()).toEqual(
    readdirSync(folder)
      .filter((file) => file.endsWith(".tgz"))
      .sort(),
  );
  for (const { file, sha256 } of listed) {
    const hash = createHash("sha256").update(readFileSync(join(folder, file)));
    expect(hash.digest("hex"), file).toBe(sha256);
  }
});

describe.each(names)("@x/%s, packed", (name) => {
  const folder = join(workshop, "installed", name);
  const installed = join(folder, "node_modules", "@x", name);

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const file = (other: string) => `file:${tarballs.get(other)!.replaceAll("\\", "/")}`;
    const layers = withLayersBelow(name);
    const manifest = {
      private: true,
      type: "module",
      dependencies: { [`@x/${name}`]: file(name) },
      // The packages below are not published yet, so they come from their tarballs, whichever package needs them.
      overrides: Object.fromEntries(
        layers.filter((other) => other !== name).map((other) => [`@x/${other}`, file(other)]),
      ),
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], folder);
  }, 120_000);

  test("brings the packages below it and nothing else", () => {
    const modules = join(folder, "node_modules");
    const found = readdirSync(modules)
      .filter((entry) => !entry.startsWith("."))
      .flatMap((entry) =>
        entry.startsWith("@")
          ? readdirSync(join(modules, entry)).map((part) => `${entry}/${part}`)
          : [entry],
      );
    const outside = withLayersBelow(name)
      .flatMap((other) => Object.keys(readManifest(join(modules, "@x", other)).dependencies ?? {}))
      .filter((other) => !other.startsWith("@x/"));
    const layers = withLayersBelow(name).map((other) => `@x/${other}`);
    expect(found.sort()).toEqual([...layers, ...outside].sort());
  });

  test("contains the expected files and no stray file", () => {
    const expected = ["CHANGELOG.md", "LICENSE", "README.md", "dist", "package.json", "src"];
    const present = readdirSync(installed);
    expect(expected).toEqual(expect.arrayContaining(present));
    expect(present).toEqual(expect.arrayContaining(expected));
    for (const file of readdirSync(installed, { recursive: true, encoding: "utf8" })) {
      expect(file).toMatch(/^(?:\w+|LICENSE|[\w.-]+\.(?:json|md)|(?:dist|src)(?:[/\\][\w.-]+)+)$/);
    }
  });

  test("every entry can be imported and required", async () => {
    const { exports } = readManifest(installed);
    const entries = Object.keys(exports)
      .filter((entry) => entry !== "./package.json")
      .map((entry) => `@x/${name}${entry.slice(1)}`);
    const list = JSON.stringify(entries);
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
    expect(printed.trim().split(/\r?\n/)).toEqual(entries);
  });

  test("runs in a worker", async () => {
    const worker = `
      import { parentPort } from "node:worker_threads";
      import * as entry from "@x/${name}";
      parentPort.postMessage(Object.keys(entry).length);`;
    const main = `
      import { Worker } from "node:worker_threads";
      new Worker("./worker.mjs").on("message", (count) => console.log(count > 0));`;
    writeFileSync(join(folder, "worker.mjs"), worker);
    writeFileSync(join(folder, "main.mjs"), main);
    expect((await run(process.execPath, ["main.mjs"], folder)).trim()).toBe("true");
  });

  test.each(["nodenext", "bundler"])("type-checks in a strict consumer, %s", async (resolution) => {
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
    const entries = Object.keys(readManifest(installed).exports).filter(
      (entry) => entry !== "./package.json",
    );
    const lines = entries.map(
      (entry, i) =>
        `import * as entry${i} from "@x/${name}${entry.slice(1)}";\nexport { entry${i} };`,
    );
    writeFileSync(join(consumer, "consumer.ts"), `${lines.join("\n")}\n`);
    await run(bin("tsc"), ["-p", "."], consumer);
  });

  test("publint and are-the-types-wrong find nothing", async () => {
    const packed = tarballs.get(name)!;
    await run(ownBin("publint"), ["run", "--strict", installed], folder);
    // Both commands fail when they find something.
    await run(ownBin("attw"), [packed, "--profile", "esm-only", "--quiet"], folder);
  });
});

describe("@x/cli, packed", () => {
  const folder = join(workshop, "installed", "cli");
  const modules = join(folder, "node_modules");
  const installed = join(modules, "@x", "cli");

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    const files = withLayersBelow("cli").map((name) => tarballs.get(name)!);
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...files], folder);
  }, 120_000);

  test("contains only the command: no page, no sources, no development files", () => {
    const present = readdirSync(installed).filter((file) => file !== "CHANGELOG.md");
    expect(present.sort()).toEqual(["LICENSE", "README.md", "bin", "dist", "package.json"]);
    for (const file of readdirSync(installed, { recursive: true, encoding: "utf8" })) {
      expect(file).toMatch(
        /^(?:LICENSE|[^.]+|[\w.-]+\.(?:json|md)|(?:bin|dist)[/\\].*\.(?:js|1))$/,
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
    const compared = await run("npx", ["urlhash", "urn", "equal", "URN:a:b", "urn:a:b"], folder);
    expect(compared).toMatch(/^equal$/m);
  });

  test("its threads start", async () => {
    writeFileSync(join(folder, "hosts.txt"), "evil.example\n");
    writeFileSync(join(folder, "urls.txt"), "good.example\nevil.example\n");
    await run("npx", ["urlhash", "list", "build", "hosts.txt", "-o", "hosts.list"], folder);
    const argv = ["check", "--list", "hosts.list", "--file", "urls.txt", "--workers", "2"];
    const failed = await run("npx", ["urlhash", ...argv], folder).catch((error: unknown) => error);
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
}, 120_000);

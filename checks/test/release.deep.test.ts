import { execFileSync } from "node:child_process";
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
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { folderOf, LAYERS, PUBLISHED_APPS } from "./package-layers.ts";
import { ROOT, readManifest } from "./repository.ts";

/** Runs the real release tool in copies of the repository. */

const workshop = mkdtempSync(join(tmpdir(), "release-"));
afterAll(() => rmSync(workshop, { recursive: true, force: true }));

const names = [...Object.keys(LAYERS), ...Object.keys(PUBLISHED_APPS)];

function git(folder: string, ...args: string[]): void {
  const identity = ["-c", "user.name=checks", "-c", "user.email=checks@example.org"];
  execFileSync("git", [...identity, "-c", "commit.gpgsign=false", ...args], { cwd: folder });
}

/** Makes a copy with everything that versions depend on, and no pending changesets. */
function copyOfRepository(name: string): string {
  const copy = join(workshop, name);
  mkdirSync(copy);
  for (const file of ["package.json", "pnpm-workspace.yaml", ".changeset/config.json"]) {
    cpSync(join(ROOT, file), join(copy, file));
  }
  for (const folder of [...names.map(folderOf), "apps/demo", "checks"]) {
    cpSync(join(ROOT, folder, "package.json"), join(copy, folder, "package.json"));
  }
  git(copy, "init", "-q", "-b", "main");
  git(copy, "add", "-A");
  git(copy, "commit", "-q", "-m", "copy");
  return copy;
}

type Bump = "patch" | "minor" | "major";

/** Writes a changeset and releases it. */
function release(copy: string, bumps: Readonly<Record<string, Bump>>): Record<string, string> {
  const lines = Object.entries(bumps).map(([name, bump]) => `"@x/${name}": ${bump}`);
  writeFileSync(
    join(copy, ".changeset", "test.md"),
    `---\n${lines.join("\n")}\n---\n\nA change.\n`,
  );
  return runVersionTool(copy);
}

/** The names of the pending changesets in a folder. */
function changesetsIn(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.endsWith(".md") && file !== "README.md");
}

/** Runs `changeset version` on the pending changesets, and returns the new versions. */
function runVersionTool(copy: string): Record<string, string> {
  git(copy, "add", "-A");
  git(copy, "commit", "-q", "--allow-empty", "-m", "change");
  const tool = join(ROOT, "node_modules", "@changesets", "cli", "bin.js");
  execFileSync(process.execPath, [tool, "version"], { cwd: copy, stdio: "pipe" });
  git(copy, "add", "-A");
  git(copy, "commit", "-q", "--allow-empty", "-m", "release");
  return versions(copy);
}

function versions(copy: string): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, readManifest(join(copy, folderOf(name))).version]),
  );
}

/** The name of a copy in which every package is at 1.0.0. The copy is made once, and other tests copy it. */
let first: string | undefined;

function released(name: string): { copy: string; before: Record<string, string> } {
  if (first === undefined) {
    first = copyOfRepository("first");
    release(first, Object.fromEntries(names.map((name) => [name, "major" as const])));
  }
  const copy = join(workshop, name);
  cpSync(first, copy, { recursive: true });
  const before = versions(copy);
  expect(new Set(Object.values(before))).toEqual(new Set(["1.0.0"]));
  return { copy, before };
}

describe("versions move independently", () => {
  test.each([
    ["a patch to canon bumps nothing else", { canon: "patch" }, { canon: "1.0.1" }],
    ["a new function in canon bumps nothing else", { canon: "minor" }, { canon: "1.1.0" }],
    [
      "a breaking change to canon bumps the packages that depend on it, and no others",
      { canon: "major" },
      {
        canon: "2.0.0",
        expressions: "1.0.1",
        lookup: "1.0.1",
        "hashed-uri": "1.0.1",
        links: "1.0.1",
        "list-source": "1.0.1",
        interop: "1.0.1",
        explain: "1.0.1",
        client: "1.0.1",
        duckdb: "1.0.1",
        server: "1.0.1",
        cli: "1.0.1",
      },
    ],
    [
      "a breaking change to expressions bumps the packages that depend on it",
      { expressions: "major" },
      {
        expressions: "2.0.0",
        lookup: "1.0.1",
        "list-source": "1.0.1",
        interop: "1.0.1",
        explain: "1.0.1",
        client: "1.0.1",
        duckdb: "1.0.1",
        server: "1.0.1",
      },
    ],
    ["a new function in urn bumps nothing else", { urn: "minor" }, { urn: "1.1.0" }],
    ["a breaking change to the command bumps nothing else", { cli: "major" }, { cli: "2.0.0" }],
  ] as const)("%s", (name, bumps, expected) => {
    const { copy, before } = released(name.replace(/\W+/g, "-"));
    expect(release(copy, bumps)).toEqual({ ...before, ...expected });
  });

  test("the demo and the checks are never released", () => {
    const { copy } = released("private");
    for (const folder of ["apps/demo", "checks"]) {
      expect(readManifest(join(copy, folder)).version).toBe("0.0.0");
    }
  });
});

test("only a publishing workflow writes the repository URL into the manifests", () => {
  const copy = copyOfRepository("sources");
  const nameRepository = (env: Record<string, string>) =>
    execFileSync(process.execPath, [join(ROOT, "checks/release/name-repository.js")], {
      cwd: copy,
      env,
    });
  const manifests = () => names.map((name) => readManifest(join(copy, folderOf(name))));

  const before = manifests();
  nameRepository({});
  expect(manifests()).toEqual(before);

  const env = { GITHUB_SERVER_URL: "https://git.example", GITHUB_REPOSITORY: "someone/urls" };
  nameRepository(env);
  expect(manifests()).toEqual(
    before.map((manifest, i) => ({
      ...manifest,
      homepage: `https://git.example/someone/urls/tree/main/${folderOf(names[i]!)}#readme`,
      bugs: "https://git.example/someone/urls/issues",
      repository: {
        type: "git",
        url: "git+https://git.example/someone/urls.git",
        directory: folderOf(names[i]!),
      },
    })),
  );
});

test("the pending changesets can be released, and every package then has a changelog", () => {
  const copy = copyOfRepository("waiting");
  const before = versions(copy);
  const folder = join(ROOT, ".changeset");
  const waiting = changesetsIn(folder);
  for (const file of waiting) cpSync(join(folder, file), join(copy, ".changeset", file));
  for (const name of names) {
    const changelog = join(folderOf(name), "CHANGELOG.md");
    if (existsSync(join(ROOT, changelog))) cpSync(join(ROOT, changelog), join(copy, changelog));
  }

  const after = runVersionTool(copy);
  expect(changesetsIn(join(copy, ".changeset"))).toEqual([]);
  for (const name of names) {
    const changelog = readFileSync(join(copy, folderOf(name), "CHANGELOG.md"), "utf8");
    expect(changelog, name).toContain(`\n## ${after[name]}\n`);
    const isNamed = waiting.some((file) =>
      new RegExp(`^"@x/${name}": `, "m").test(readFileSync(join(folder, file), "utf8")),
    );
    if (isNamed) expect(after[name], name).not.toBe(before[name]);
  }
});

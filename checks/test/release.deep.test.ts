import { execFileSync, spawnSync } from "node:child_process";
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
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { folderOf, PRIVATE, PUBLISHED, PUBLISHED_APPS } from "./package-layers.ts";
import { ROOT, readManifest } from "./repository.ts";

/** Runs the real release tool in copies of the repository. */

const workshop = mkdtempSync(join(tmpdir(), "release-"));
afterAll(() => rmSync(workshop, { recursive: true, force: true }));

const names = [...PUBLISHED, ...Object.keys(PUBLISHED_APPS)];

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
  for (const folder of [...[...names, ...PRIVATE].map(folderOf), "apps/demo", "checks"]) {
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

test("a new function in canon raises no other version, and a breaking change only those above it", () => {
  const copy = copyOfRepository("versions");
  const first = release(copy, Object.fromEntries(names.map((name) => [name, "major" as const])));
  expect(new Set(Object.values(first))).toEqual(new Set(["1.0.0"]));
  const added = release(copy, { canon: "minor" });
  expect(added).toEqual({ ...first, canon: "1.1.0" });
  const broken = release(copy, { canon: "major" });
  const raised = names.filter((name) => broken[name] !== added[name]);
  const above = names.filter((name) => {
    const { dependencies = {} } = readManifest(join(ROOT, folderOf(name)));
    return name === "canon" || Object.hasOwn(dependencies, "@x/canon");
  });
  expect(raised).toEqual(above);
  // Neither the demo nor the checks are ever released.
  for (const folder of ["apps/demo", "checks"]) {
    expect(readManifest(join(copy, folder)).version).toBe("0.0.0");
  }
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

test("a job that publishes takes only built files from another job", () => {
  const copy = copyOfRepository("built");
  const built = join(workshop, "files");
  const take = () =>
    spawnSync(process.execPath, [join(ROOT, "checks/release/take-built-files.js"), built], {
      cwd: copy,
      encoding: "utf8",
    });
  const write = (file: string) => {
    mkdirSync(dirname(join(built, file)), { recursive: true });
    writeFileSync(join(built, file), "built");
  };
  const files = ["packages/canon/dist/steps/a.js", "packages/canon/src/b.generated.ts"];
  files.forEach(write);
  expect(take()).toMatchObject({ status: 0, stderr: "" });
  for (const file of files) expect(readFileSync(join(copy, file), "utf8")).toBe("built");
  for (const file of ["packages/canon/package.json", ".pnpmfile.cjs", "packages/canon/src/a.ts"]) {
    write(file);
    expect(take().stderr).toContain(`${file} is not a built file`);
    expect(existsSync(join(copy, file)) && readFileSync(join(copy, file), "utf8")).not.toBe(
      "built",
    );
    rmSync(join(built, file));
  }
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

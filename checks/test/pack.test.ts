import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";

const packIn = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, "checks/release/pack.js"), ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
const pack = (...args: string[]) => packIn({}, ...args);

test("npm run pack says in one line what is wrong with its target", () => {
  const folder = mkdtempSync(join(tmpdir(), "pack-"));
  const file = join(folder, "file");
  writeFileSync(file, "");
  const usage = "npm run pack: name a folder, as in: npm run pack -- FOLDER [PACKAGE ...]\n";
  for (const [args, expected] of [
    [[], usage],
    [[""], usage],
    [[file], `npm run pack: ${file} is a file, or below one: name a folder\n`],
    [
      [join(file, "below")],
      `npm run pack: ${join(file, "below")} is a file, or below one: name a folder\n`,
    ],
  ] as const) {
    expect(pack(...args)).toMatchObject({ status: 2, stdout: "", stderr: expected });
  }
  rmSync(folder, { recursive: true });
});

test("npm run pack begins relative paths in the folder in which it was called", () => {
  const folder = mkdtempSync(join(tmpdir(), "pack-"));
  mkdirSync(join(folder, "below"));
  writeFileSync(join(folder, "file"), "");
  // As npm sets them for a call from `below`.
  const env = { npm_lifecycle_event: "pack", INIT_CWD: join(folder, "below") };
  const target = join("..", "file");
  expect(packIn(env, target)).toMatchObject({
    status: 2,
    stderr: `npm run pack: ${target} is a file, or below one: name a folder\n`,
  });
  rmSync(folder, { recursive: true });
});

test("npm and its users find the man page of each command", () => {
  // npm links man pages only if `man` is an array.
  for (const [app, page] of [
    ["cli", "urlhash.1"],
    ["server", "urlhash-server.1"],
  ] as const) {
    const manifest = JSON.parse(readFileSync(join(ROOT, "apps", app, "package.json"), "utf8"));
    expect(manifest.man).toEqual([`./dist/${page}`]);
  }
});

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";

const pack = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, [join(ROOT, "checks/release/pack.js"), ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });

test("npm run pack needs a folder, whose path begins where npm was called", () => {
  expect(pack([])).toMatchObject({ status: 2, stderr: expect.stringContaining("name a folder") });
  const folder = mkdtempSync(join(tmpdir(), "pack-"));
  writeFileSync(join(folder, "file"), "");
  // As npm sets them for a call from `below`.
  const env = { npm_lifecycle_event: "pack", INIT_CWD: join(folder, "below") };
  expect(pack(["../file"], env).stderr).toContain(join(folder, "file"));
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

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";

const pack = (...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, "checks/release/pack.js"), ...args], {
    encoding: "utf8",
  });

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

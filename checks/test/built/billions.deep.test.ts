import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { ROOT } from "../repository.ts";

const folder = temporaryFolder();
const BENCH = join(ROOT, "packages/duckdb/bench/billions.js");

test("all ways to check millions of URLs give the same verdicts", () => {
  const argv = [BENCH, "--rows", "3000,5000", "--entries", "2000"];
  const printed = execFileSync(process.execPath, argv, { encoding: "utf8" });
  expect(printed).toContain("3000 rows against 2000 entries; all ways of this repository agree");
  expect(printed).toContain("5000 rows against 2000 entries; all ways of this repository agree");
  for (const way of ["urlhash sql", "two urlhash check --tsv", "SQL, sha256 of expressions"]) {
    expect(printed).toContain(`\n| ${way} `);
  }
  expect(printed).toContain("ClickHouse is left out: it needs --chdb DIR");
  // SQL alone must miss listed URLs; each line counts them.
  const missed = [...printed.matchAll(/^SQL, .*: (\d+) listed URLs missed, .*, (\d+) without/gm)];
  expect(missed).toHaveLength(4);
  for (const [, listed, unknown] of missed) {
    expect(Number(listed)).toBeGreaterThan(10);
    expect(Number(unknown)).toBeGreaterThan(10);
  }
});

test("a folder without ClickHouse is an error before anything is measured", () => {
  const ended = spawnSync(process.execPath, [BENCH, "--chdb", folder.path(".")], {
    encoding: "utf8",
  });
  expect(ended).toMatchObject({ status: 1, stdout: "" });
  expect(ended.stderr).toContain("Cannot find module 'chdb'");
});

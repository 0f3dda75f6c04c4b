import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../repository.ts";

test("all ways to check millions of URLs give the same verdicts", () => {
  const bench = join(ROOT, "packages/duckdb/bench/billions.js");
  const argv = [bench, "--rows", "3000,5000", "--entries", "2000"];
  const printed = execFileSync(process.execPath, argv, { encoding: "utf8" });
  expect(printed).toContain("3000 rows against 2000 entries; all ways of this repository agree");
  expect(printed).toContain("5000 rows against 2000 entries; all ways of this repository agree");
  for (const way of ["urlhash sql", "two urlhash check --tsv", "SQL, sha256 of expressions"]) {
    expect(printed).toContain(`\n| ${way} `);
  }
  // SQL alone is wrong about these.
  const missed = [...printed.matchAll(/^SQL, .*: (\d+) listed URLs missed, .*, (\d+) without/gm)];
  expect(missed).toHaveLength(4);
  for (const [, listed, unknown] of missed) {
    expect(Number(listed)).toBeGreaterThan(10);
    expect(Number(unknown)).toBeGreaterThan(10);
  }
});

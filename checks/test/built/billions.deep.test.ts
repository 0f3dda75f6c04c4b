import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../repository.ts";

const BENCH = join(ROOT, "packages/duckdb/bench/billions.js");

test("all ways to check millions of URLs give the same verdicts", () => {
  const argv = [BENCH, "--rows", "3000,5000", "--entries", "2000"];
  const printed = execFileSync(process.execPath, argv, { encoding: "utf8" });
  expect(printed).toContain("3000 rows against 2000 entries; all ways of this repository agree");
  expect(printed).toContain("5000 rows against 2000 entries; all ways of this repository agree");
  for (const way of ["@x/lookup", "urlhash sql", "SQL, sha256 of expressions"]) {
    expect(printed).toContain(`\n| ${way} `);
  }
  // SQL alone must miss listed URLs; each line counts them.
  const missed = [...printed.matchAll(/^SQL, .*: (\d+) listed URLs missed, .*, (\d+) without/gm)];
  expect(missed).toHaveLength(4);
  for (const [, listed, unknown] of missed) {
    expect(Number(listed)).toBeGreaterThan(10);
    expect(Number(unknown)).toBeGreaterThan(10);
  }
});

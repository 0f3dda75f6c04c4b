import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";

/** Benchmarks are not type-checked and rarely run, so no other check notices that a file that they import has moved. */

const benches = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*/bench/*.js"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(ROOT, file)));

const IMPORT = /^(?:import|export)\s+(?:([^;"]*?)\s+from\s+)?"(\.[^"]+)"/gm;
const EXPORTED = /^export\s+(?:declare\s+)?(?:async\s+)?(?:const|let|function\*?|class)\s+(\w+)/gm;
const EXPORT_LIST = /^export\s*\{([^}]*)\}/gm;

/** The source of a file. For a built file, this is its TypeScript source, so that this test needs no build. */
function sourceOf(file: string): string {
  const source = file.replace("/dist/", "/src/");
  return source === file ? file : source.replace(/\.js$/, ".ts");
}

/** The names in a list of imports or exports: those of the file that exports them, or their new names. */
function namesIn(list: string, which: "first" | "last"): string[] {
  return list
    .split(",")
    .map(
      (part) =>
        part
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s+as\s+/)
          .at(which === "first" ? 0 : -1)!,
    )
    .filter((name) => name !== "");
}

function exportsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const named = [...text.matchAll(EXPORTED)].map(([, name]) => name!);
  return [
    ...named,
    ...[...text.matchAll(EXPORT_LIST)].flatMap(([, list]) => namesIn(list!, "last")),
  ];
}

test("there are benchmarks", () => {
  expect(benches.length).toBeGreaterThan(20);
});

test.each(benches)("what %s imports from files exists", (bench) => {
  const text = readFileSync(join(ROOT, bench), "utf8");
  for (const [, clause = "", specifier] of text.matchAll(IMPORT)) {
    const file = sourceOf(join(ROOT, dirname(bench), specifier!));
    expect(existsSync(file) ? "" : `${specifier} does not exist`).toBe("");
    const list = /\{([^}]*)\}/.exec(clause)?.[1] ?? "";
    expect(exportsOf(file), specifier).toEqual(expect.arrayContaining(namesIn(list, "first")));
  }
});

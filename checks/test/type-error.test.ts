import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importsOf } from "./imports.ts";
import { LAYERS } from "./package-layers.ts";
import { ROOT, sourceFiles } from "./repository.ts";

// Packages without dependencies cannot share this code, so each has a copy. All other packages import one of the
// copies.
test("only packages without dependencies build the messages of TypeErrors, all with the same code", () => {
  const fileOf = (name: string) => join(ROOT, "packages", name, "src/type-error.ts");
  const owners = Object.keys(LAYERS).filter((name) => existsSync(fileOf(name)));
  for (const name of owners) expect(LAYERS[name], name).toEqual([]);
  expect(new Set(owners.map((name) => readFileSync(fileOf(name), "utf8"))).size).toBe(1);
});

test("a package imports that code from @x/sha256-prefix if it depends on it, and otherwise from @x/canon", () => {
  for (const [name, below] of Object.entries(LAYERS)) {
    const owner = below.includes("sha256-prefix") ? "sha256-prefix" : "canon";
    const imported = sourceFiles(name)
      .flatMap((file) => importsOf(readFileSync(join(ROOT, "packages", name, file), "utf8")))
      .filter((each) => each.endsWith("/type-error") && each.startsWith("@"));
    expect([...new Set(imported)].filter((each) => each !== `@x/${owner}/type-error`)).toEqual([]);
  }
});

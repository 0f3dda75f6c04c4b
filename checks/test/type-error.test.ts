import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LAYERS, ROOT } from "./repository.ts";

// Packages without dependencies cannot import the code from each other. All others import it from one of them.
test("only packages without dependencies build the messages of TypeErrors, all with the same code", () => {
  const fileOf = (name: string) => join(ROOT, "packages", name, "src/type-error.ts");
  const owners = Object.keys(LAYERS).filter((name) => existsSync(fileOf(name)));
  for (const name of owners) expect(LAYERS[name], name).toEqual([]);
  expect(new Set(owners.map((name) => readFileSync(fileOf(name), "utf8"))).size).toBe(1);
});

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LAYERS, ROOT } from "./repository.ts";

// The packages without dependencies cannot import it from each other. All others import it from one of these.
test("only packages without dependencies write the messages of TypeErrors, all with the same code", () => {
  const fileOf = (name: string) => join(ROOT, "packages", name, "src/type-error.ts");
  const owners = Object.keys(LAYERS).filter((name) => existsSync(fileOf(name)));
  expect(owners).toEqual(Object.keys(LAYERS).filter((name) => LAYERS[name]!.length === 0));
  expect(new Set(owners.map((name) => readFileSync(fileOf(name), "utf8"))).size).toBe(1);
});

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LAYERS, ROOT } from "./repository.ts";

// Too little for a package of its own, and no part of the interface of one.
test("what a TypeError says is written by the same lines in every package", () => {
  const files = Object.keys(LAYERS).map((name) =>
    join(ROOT, "packages", name, "src/type-error.ts"),
  );
  const copies = files.filter(existsSync).map((file) => readFileSync(file, "utf8"));
  expect(copies.length).toBeGreaterThan(1);
  expect(new Set(copies).size).toBe(1);
});

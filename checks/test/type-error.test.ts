import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LAYERS, ROOT } from "./repository.ts";

// The code is too short for a package of its own, and belongs to no package's interface.
test("every package writes the messages of TypeErrors with the same code", () => {
  const files = Object.keys(LAYERS).map((name) =>
    join(ROOT, "packages", name, "src/type-error.ts"),
  );
  const copies = files.filter(existsSync).map((file) => readFileSync(file, "utf8"));
  expect(copies.length).toBeGreaterThan(1);
  expect(new Set(copies).size).toBe(1);
});

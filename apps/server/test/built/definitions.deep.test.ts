import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../support/command.ts";

test("the package has the man page that the command writes", async () => {
  const folder = join(import.meta.dirname, "../..");
  const {
    man: [page],
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { stdout } = await run(folder, "man");
  expect(readFileSync(join(folder, page), "utf8")).toBe(stdout);
});

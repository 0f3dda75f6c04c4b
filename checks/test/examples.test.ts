import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";

const EXAMPLES = join(ROOT, "docs/examples");
const folders = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The test files that may run examples, and the files that support them. */
function testFiles(): string[] {
  return [
    "checks/test",
    "checks/clients/server",
    "checks/clients/runtimes",
    "apps/cli/test",
    "apps/server/test",
  ].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.[jt]s$/.test(file))
      .map((file) => join(ROOT, folder, file)),
  );
}

const tests = testFiles().map((file) => readFileSync(file, "utf8"));
const index = readFileSync(join(EXAMPLES, "README.md"), "utf8");

test.each(folders)("the example %s has a README, is listed, and is named by a test", (folder) => {
  expect(existsSync(join(EXAMPLES, folder, "README.md"))).toBe(true);
  expect(index).toContain(`[${folder}](${folder})`);
  expect(tests.some((text) => new RegExp(`docs/examples/${folder}\\b`).test(text))).toBe(true);
});

test("the index lists nothing else", () => {
  const listed = [...index.matchAll(/^\| \[([a-z0-9-]+)\]\(\1\)/gm)].map(([, folder]) => folder!);
  expect(listed).toEqual([...folders].sort());
});

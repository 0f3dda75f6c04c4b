import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const before = process.cwd();
beforeAll(() => process.chdir(folder.path(".")));
afterAll(() => process.chdir(before));

test("urn check: a line from a file cannot become a command", async () => {
  const hostile = "urn:a:%0A::error::x\r\n::warning::x\nurn:a:\x1b]8;;\n";
  folder.write("hostile.txt", hostile);
  const { status, stdout } = await run(["urn", "check", "--github", "hostile.txt"]);
  expect(status).toBe(4);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^::error file=hostile\.txt,line=2,col=1::"::warning::x" at index 0/);
  expect(stdout).not.toContain("\x1b");
  expect((await run(["urn", "check", "--github"], { stdin: "\nx" })).stdout).toMatch(
    /^::error line=2,col=1::/,
  );
});

test("urn check: problems have a column if it is certain", async () => {
  folder.write("ids.csv", "title;id\nÜber;urn:isbn:0-395-36341-2\nx;urn:é\ny\n\nurn:a;urn:a\n");
  const argv = ["urn", "check", "--column", "id", "--github", "ids.csv"];
  const { stdout } = await run(argv);
  expect(stdout.match(/line=\d+(?:,col=\d+)?/g)).toEqual([
    "line=2,col=15",
    "line=3,col=7",
    "line=4",
    "line=6",
  ]);
});

test("urn check: no other format beside it", async () => {
  const ran = await run(["urn", "check", "--github", "--json", "x"]);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
});

import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_RUN_BYTES } from "../../src/commands/urn/find-in-bytes.ts";
import { run } from "../run.ts";

const folder = temporaryFolder();
const before = process.cwd();
beforeAll(() => process.chdir(folder.path(".")));
afterAll(() => process.chdir(before));

test("urn find", async () => {
  folder.write("c,d.md", "ü urn:example:100%25,a\n");
  const argv = ["urn", "find", "--format", "github"];
  expect(await run([...argv, "c,d.md"])).toEqual({
    status: 0,
    stdout: "::notice file=c%2Cd.md,line=1,col=3::urn:example:100%2525,a\n",
    stderr: "",
  });
  expect((await run(argv, { stdin: "\nurn:a:b" })).stdout).toBe("::notice line=2,col=1::urn:a:b\n");
  expect((await run(argv, { stdin: "" })).stdout).toBe("");
});

test("urn find: a part that was not searched is an error", async () => {
  folder.write("long.md", `a ${"x".repeat(MAX_RUN_BYTES)}-urn:`);
  const ran = await run(["urn", "find", "--format", "github", "long.md"]);
  expect(ran.status).toBe(4);
  expect(ran.stdout).toMatch(/^::error file=long\.md,line=1,col=\d+::[^\n]+\n$/);
});

test("urn check: a line from a file cannot become a command", async () => {
  const hostile = "urn:a:%0A::error::x\r\n::warning::x\nurn:a:\x1b]8;;\n";
  folder.write("hostile.txt", hostile);
  const { status, stdout } = await run(["urn", "check", "--format", "github", "hostile.txt"]);
  expect(status).toBe(4);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^::error file=hostile\.txt,line=2,col=1::"::warning::x" at index 0/);
  expect(stdout).not.toContain("\x1b");
  expect((await run(["urn", "check", "--format", "github"], { stdin: "\nx" })).stdout).toMatch(
    /^::error line=2,col=1::/,
  );
});

test("urn check: problems have a column if it is certain", async () => {
  folder.write("ids.csv", "title;id\nÜber;urn:isbn:0-395-36341-2\nx;urn:é\ny\n\nurn:a;urn:a\n");
  const argv = ["urn", "check", "--column", "id", "--format", "github", "ids.csv"];
  const { stdout } = await run(argv);
  expect(stdout.match(/line=\d+(?:,col=\d+)?/g)).toEqual([
    "line=2,col=15",
    "line=3,col=7",
    "line=4",
    "line=6",
  ]);
});

test.each(["find", "check"])("urn %s: no other format beside it", async (name) => {
  const failed = { status: 2, stdout: "" };
  expect(await run(["urn", name, "--format", "github", "--json", "x"])).toMatchObject(failed);
  expect(await run(["urn", name, "--format", "tsv", "x"])).toMatchObject(failed);
});

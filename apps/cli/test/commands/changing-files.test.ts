import { execFileSync } from "node:child_process";
import { truncateSync } from "node:fs";
import { Readable } from "node:stream";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { readPieces } from "../../src/input/read-file.ts";
import { run } from "../run.ts";

const folder = temporaryFolder();

test("a file that becomes shorter while it is read is a failure", async () => {
  const file = folder.write("urls", "http://a.example/\n".repeat(100_000));
  const read = async (): Promise<void> => {
    for await (const _ of readPieces(file, { stdin: Readable.from([]) })) truncateSync(file, 10);
  };
  await expect(read()).rejects.toThrow(/^cannot read .*urls: it became shorter while it was read$/);
});

test.skipIf(process.platform === "win32")(
  "a pipe in a folder of lists is reported and does not stop the command",
  async () => {
    const lists = folder.path("lists");
    execFileSync("mkdir", [lists]);
    execFileSync("mkfifo", [`${lists}/a.list`]);
    const ran = await run(["check", "--lists-from", lists, "http://a.example/"]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^urlhash: cannot read .*a\.list: it is not a file\n$/);
  },
);

import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { urlhash } from "./program.ts";

const folder = temporaryFolder();

test("the way from entries to verdicts, with every exit status", async () => {
  const list = folder.path("test.list");
  const entries = [Buffer.from("evil.example\nb.example/x/\n")];
  expect((await urlhash(["list", "build", "-o", list], { stdin: entries })).status).toBe(0);
  const check = (...urls: string[]) => urlhash(["check", "--list", list, ...urls]);
  expect(await check("a.example", "b.example")).toMatchObject({ status: 0, stderr: "" });
  expect(await check("a.example", "evil.example")).toMatchObject({ status: 1, stderr: "" });
  expect(await check("a.example", "data:x")).toMatchObject({ status: 4 });
  expect(await check("evil.example", "data:x")).toMatchObject({ status: 5 });
  expect(await check("--list", "nowhere", "evil.example")).toMatchObject({ status: 2, stdout: "" });
  expect(await urlhash(["nope"])).toMatchObject({ status: 2, stdout: "" });
  expect(await urlhash(["--help"])).toMatchObject({ status: 0, stderr: "" });
});

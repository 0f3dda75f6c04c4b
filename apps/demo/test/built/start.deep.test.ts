import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "@x/test-support/spawn";
import { expect, test } from "vitest";
import { START } from "../programs.ts";

test("npm start without arguments: the main job, end to end", async () => {
  const { status, stdout, stderr } = await runProgram(START, [], { env: { CI: "true" } });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("13,752 phishing sites");
  expect(stdout.match(/^LISTED /gm)).toHaveLength(1);
});

test("npm start -- COMMAND passes through", async () => {
  expect((await runProgram(START, ["check", "example.com"])).status).toBe(0);
  expect((await runProgram(START, ["nope"])).status).toBe(2);
  const { stdout } = await runProgram(START, ["explain", "http://3279880203/"]);
  expect(stdout).toContain("http://195.127.0.11/");
});

test("npm start in a terminal: the page is served afterwards, until the process is told to stop", async () => {
  const child = spawn(process.execPath, [START], {
    env: { ...process.env, CI: "" },
  });
  let printed = "";
  for await (const piece of child.stdout) {
    printed += piece;
    if (printed.includes("red warning")) break;
  }
  const [url] = /http:\/\/127\.0\.0\.1:\d+\/$/m.exec(printed)!;
  expect((await fetch(`${url}healthz`)).status).toBe(200);
  expect(await (await fetch(url)).text()).toContain("<!doctype html>");
  // A second server serves the list to Firefox.
  const [, origin] = /profile asks (http:\S+),/.exec(printed)!;
  const [, profile] = /^firefox --profile "(.*)"$/m.exec(printed)!;
  const settings = readFileSync(join(profile!, "user.js"), "utf8");
  expect(settings).toContain(`"${origin}/v5/hashLists:batchGet?"`);
  // The address of the page comes first.
  expect(printed.indexOf(url)).toBeLessThan(printed.indexOf("LISTED"));
  expect(
    printed.split("\n").filter((line) => line.length > 80 && !line.includes("by chance")),
  ).toEqual([]);
  const update = await fetch(`${origin}/v5/hashList/se-4b?alt=json`);
  expect(JSON.stringify(await update.json())).toContain('"entriesCount":13751');
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const [status] = await ended;
  // Windows has no signals, so the process is killed.
  if (process.platform !== "win32") expect(status).toBe(0);
});

import { expect, test } from "vitest";
import { runBuilt } from "./spawn.ts";

test("npm start without arguments: the main job, end to end", async () => {
  const { status, stdout, stderr } = await runBuilt("start.js", []);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("13,752 phishing sites");
  expect(stdout.match(/^LISTED /gm)).toHaveLength(1);
});

test("npm start -- COMMAND passes through", async () => {
  expect((await runBuilt("start.js", ["check", "example.com"])).status).toBe(0);
  expect((await runBuilt("start.js", ["nope"])).status).toBe(2);
  const { stdout } = await runBuilt("start.js", ["explain", "http://3279880203/"]);
  expect(stdout).toContain("http://195.127.0.11/");
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { URLHASH, urlhash } from "./program.ts";

const folder = temporaryFolder();
const ENDLESS =
  "SELECT url_host('http://h' || range || '.example/') AS host FROM range(1000000000000)";

test("a closed pipe ends it quietly", async () => {
  const ended = await urlhash(["sql", "--format", "csv", ENDLESS], { closeAfter: 1 });
  expect(ended).toMatchObject({ status: 0, stderr: "" });
  expect(ended.stdout).toMatch(/^host\nh0.example\n/);
});

test.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM"] as const)(
  "%s leaves no temporary files, and nobody else can read them before",
  async (signal) => {
    const temporary = folder.path(signal);
    mkdirSync(temporary);
    const child = spawn(
      process.execPath,
      [URLHASH, "sql", `SELECT count(DISTINCT host) FROM (${ENDLESS})`],
      { env: { ...process.env, TMPDIR: temporary }, stdio: "ignore" },
    );
    const closed = once(child, "close");
    while (readdirSync(temporary).length === 0 && child.exitCode === null) await setTimeout(20);
    const [name] = readdirSync(temporary);
    expect(statSync(`${temporary}/${name}`).mode & 0o777).toBe(0o700);
    child.kill(signal);
    await closed;
    expect(child.signalCode).toBe(signal);
    expect(readdirSync(temporary)).toEqual([]);
  },
);

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const run = (...args: string[]) => runHere(folder.path, ...args);
const OPERATOR = [
  ...["--set", "operator.name=Schule <Köln> 100%U"],
  ...["--set", "operator.contact=lists@example.com"],
  ...["--set", 'operator.text=We block "bad" pages.'],
];
const settings = (...lines: string[]) =>
  writeFileSync(
    join(folder.path, "urlhash-server.yaml"),
    `operator:\n${lines.map((line) => `  ${line}\n`).join("")}`,
  );

describe("firefox", () => {
  test("the red page leads to the page for people who are blocked, with the operator's name", async () => {
    settings("name: Example Ltd", "contact: lists@example.com");
    const { stdout } = await run("firefox", "https://lists.example/x", "--store", "lists");
    const provider = "browser.safebrowsing.provider.google5";
    for (const [name, value] of [
      ["advisoryName", "Example Ltd"],
      ["advisoryURL", "https://lists.example/blocked"],
      // The blocked URL comes after the "#", so the browser does not send it.
      ["reportURL", "https://lists.example/blocked#"],
      ["reportMalwareMistakeURL", "https://lists.example/blocked#"],
      ["reportPhishMistakeURL", "https://lists.example/blocked#"],
    ]) {
      expect(stdout).toContain(`user_pref("${provider}.${name}", "${value}");\n`);
    }
  });

  test("without a name, it shows the host of the server", async () => {
    const { stdout } = await run("firefox", "https://lists.example:8443", "--v4");
    expect(stdout).toContain('google4.advisoryName", "lists.example:8443");');
  });

  test("options take precedence over settings", async () => {
    settings("name: Example Ltd");
    const { stdout } = await run("firefox", "--store", "lists", "--set", "operator.name=Others");
    expect(stdout).toContain('advisoryName", "Others");');
  });
});

describe("blocked-page", () => {
  test("squid: a page with Squid's codes, and no others", async () => {
    const { status, stdout } = await run("blocked-page", "squid", ...OPERATOR);
    expect(status).toBe(0);
    expect(stdout.match(/%./g)!.filter((code) => code !== "%%")).toEqual(["%U", "%o"]);
    expect(stdout).toContain("Schule &lt;Köln&gt; 100%%U");
    expect(stdout).toContain("We block &quot;bad&quot; pages.");
    expect(stdout).toContain('href="mailto:lists@example.com?subject=Blocked%%20by%%20mistake"');
  });

  test("nginx: a page that stands alone", async () => {
    const { stdout } = await run("blocked-page", "nginx", ...OPERATOR);
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(stdout).toContain("100%U");
    expect(stdout).not.toMatch(/\ssrc=|<link|<script/);
  });

  test("rspamd: one line in ASCII for the sender, from the settings", async () => {
    settings("name: Schule Köln $x", "contact: https://schule.example/lists");
    const { stdout } = await run("blocked-page", "rspamd", "--store", "lists");
    expect(stdout).toContain(
      'message = "A link in this message is on a blocklist of Schule Koln ?x. Is this a mistake? https://schule.example/lists";',
    );
    expect(stdout).toMatch(/^[\n -~]*$/);
  });

  test("an unknown program is refused", async () => {
    expect(await run("blocked-page", "apache")).toMatchObject({ status: 2, stdout: "" });
  });
});

test.each([
  ["--set", "operator.contact=javascript:alert(1)"],
  ["--set", "operator.contact=lists@example.com?bcc=x@example.com"],
  ["--set", "operator.contact=https://user:word@example.com/"],
  ["--set", "operator.contact=nobody"],
  ["--set", "operator.name=a\u0000b"],
  ["--set", "operator.name= "],
])("%s %j is refused", async (option, value) => {
  const { status, stderr } = await run("blocked-page", "nginx", option, value);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^urlhash-server: --set operator\.\w+: .*expected/);
});

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beyondTheWindow, violations } from "./axe.ts";
import { openUrl, useBrowser } from "./open-page.ts";

/* The pages that the built `urlhash-server` serves. They are tested in this app, because it has the browser. */

const PACKAGE = createRequire(import.meta.url).resolve("@x/server/package.json");
const COMMAND = join(dirname(PACKAGE), "bin/urlhash-server.js");
const LISTED = "http://evil.example/bad/page.html?a=b&c=d#e";

let folder: string;
let server: ChildProcess;
let origin = "";

function run(...args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args, "--store", "lists"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
}

useBrowser();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "server-pages-"));
  writeFileSync(join(folder, "malware.txt"), "http://evil.example/bad/\nhttp://other.example/\n");
  writeFileSync(join(folder, "own.txt"), `http://${"long-label-".repeat(5)}x.example/\n`);
  run("init");
  run("publish", "malware=malware.txt", `our-${"very-".repeat(8)}own-list=own.txt`);
  const operator = [
    ...["--set", "operator.name=Example Ltd", "--set", "operator.contact=lists@example.com"],
    ...["--set", "operator.text=We keep these lists for our employees."],
  ];
  const options = ["serve", "--store", "lists", "--port", "0", ...operator];
  server = spawn(process.execPath, [COMMAND, ...options], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let printed = "";
  for await (const piece of server.stderr!) {
    printed += piece;
    [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    if (origin !== "") break;
  }
  expect(origin, printed).not.toBe("");
});
afterAll(async () => {
  if (server.exitCode === null) {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
  rmSync(folder, { recursive: true, force: true });
});

const WITH_ADDRESS = `/blocked#${encodeURIComponent(LISTED)}`;

/** The pages by name. */
const PAGES: readonly (readonly [string, string])[] = [
  ["the first page", "/"],
  ["the page for people who are blocked", "/blocked"],
  ["the same page, with an address", WITH_ADDRESS],
];

const open = (path: string) => openUrl(origin + path, { colorScheme: "light" });

test.each(PAGES)(
  "axe finds nothing, light and dark, and 360 px wide there is nothing to scroll sideways: %s",
  async (_, path) => {
    const { page } = await open(path);
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page, ["color-contrast"])).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await beyondTheWindow(page)).toEqual([360]);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect(await beyondTheWindow(page)).toEqual([360]);
  },
);

test("the page shows the address, which the server does not learn, and puts it into the email", async () => {
  const { page, requests } = await open(WITH_ADDRESS);
  await page.getByText(LISTED).waitFor();
  const mail = await page.locator('a[href^="mailto:"]').getAttribute("href");
  expect(mail).toContain(`body=${encodeURIComponent(LISTED)}`);
  expect(requests.every((url) => !new URL(url).pathname.includes("evil"))).toBe(true);
});

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beyondTheWindow, violations } from "./axe.ts";
import { openUrl, textOf, useBrowser } from "./open-page.ts";

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
    ...["--operator-name", "Example Ltd", "--operator-contact", "lists@example.com"],
    ...["--operator-text", "We keep these lists for our employees."],
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

const goTo = (path: string) => async (page: Page) => void (await page.goto(origin + path));

/** The pages by name, each with the steps that open it. */
const PAGES: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ["the status page", goTo("/")],
  ["the answer about a listed address", (page) => ask(page, LISTED)],
  ["the page about all lists", goTo("/blocked")],
  ["the page about one list", goTo("/blocked/malware")],
  ["the page about all lists, with an address", goTo(`/blocked#${encodeURIComponent(LISTED)}`)],
  ["the page about a list that is not there", goTo("/blocked/nothing")],
  ["the page that is not there", goTo("/nothing")],
  [
    "the answer about an address that is not listed",
    (page) => ask(page, `http://a.example/${"x".repeat(3000)}`),
  ],
  ["the answer to what is not an address", (page) => ask(page, "mailto:x")],
];

async function ask(page: Page, address: string): Promise<void> {
  await page.goto(`${origin}/blocked`);
  await page.getByLabel("The address that was blocked").fill(address);
  await page.getByRole("button").click();
  await page.waitForLoadState();
}

/** Opens a page. The browser's own message about a status of 400 or 404 does not count as trouble. */
async function open(visit: (page: Page) => Promise<void>, colorScheme: "light" | "dark" = "light") {
  const opened = await openUrl(`${origin}/healthz`, { colorScheme });
  await visit(opened.page);
  const others = opened.troubles.filter((trouble) => !/status of 40[04]/.test(trouble));
  opened.troubles.splice(0, Infinity, ...others);
  return opened;
}

test.each(PAGES)(
  "axe finds nothing, light and dark, and 360 px wide there is nothing to scroll sideways: %s",
  async (_, visit) => {
    const { page } = await open(visit);
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page, ["color-contrast"])).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await beyondTheWindow(page, ".scroll *")).toEqual([360]);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect(await beyondTheWindow(page, ".scroll *")).toEqual([360]);
  },
);

test("the keyboard is enough to learn how long an address has been listed; only then the server knows it", async () => {
  const { page, requests } = await open(goTo(`/blocked#${encodeURIComponent(LISTED)}`));
  await page.getByText(LISTED).waitFor();
  expect(await page.getByLabel("The address that was blocked").isVisible()).toBe(false);
  const mail = await page.locator('a[href^="mailto:"]').getAttribute("href");
  expect(mail).toContain(`body=${encodeURIComponent(LISTED)}`);
  const focused = () => page.evaluate(() => document.activeElement!.textContent);
  for (let i = 0; i < 20 && !/^Ask/.test((await focused()) ?? ""); i++) {
    await page.keyboard.press("Tab");
  }
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
  expect([await focused(), outline]).toEqual(["Ask how long it has been listed", "solid"]);
  const posted = page.waitForRequest((request) => request.method() === "POST");
  await page.keyboard.press("Enter");
  expect(new URLSearchParams((await posted).postData()!).get("url")).toBe(LISTED);
  await page.getByText("has been listed since").waitFor();
  expect(await textOf(page.locator("dl"))).toMatch(/^malware\n.*evil\.example\/bad\/ has been/s);
  expect(requests.every((url) => !url.includes("evil"))).toBe(true);
});

import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { phishingHosts } from "../dist/phishing-list/phishing-list.js";
import { startServer } from "../dist/server/start-server.js";
import { packagedChromium } from "../test/browser/packaged-chromium.js";

/*
 * Measures how long the page takes for a file of 100 000 lines: until the first rows appear, and until all lines
 * are checked. The command checks the same lines against the same list, in turns with the page.
 */

const LINES = 100_000;
const ROUNDS = 5;

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const PAGE = path("../dist/web/");
const URLHASH = path("../../cli/bin/urlhash.js");

const hosts = await phishingHosts();
/** The lines, one in a hundred of which is listed. */
const lines = Array.from({ length: LINES }, (_, i) =>
  i % 100 === 0
    ? `http://x.${hosts[i % hosts.length]}/a/${i}`
    : `https://h${i}.example/p/${i}?q=${i}`,
);
/** The start of the title when all lines are checked. */
const expected = `of these ${LINES.toLocaleString("en")} links`;

/** Chooses the file on a fresh page, and returns the times until the first rows and until the end, in milliseconds. */
async function checkOnPage(browser, url, file) {
  const page = await browser.newPage();
  await page.goto(`${url}#url?tab=lists`);
  await page.getByText("13,752 entries").waitFor();
  await page.evaluate((expected) => {
    const times = {};
    globalThis.times = times;
    const started = () => {
      times.start = performance.now();
    };
    document.querySelector(".or-file input").addEventListener("change", started, true);
    new MutationObserver(() => {
      const now = performance.now();
      if (document.querySelector(".found-links li") !== null) times.firstRows ??= now;
      const title = document.querySelector(".sentence")?.textContent ?? "";
      if (title.startsWith(expected)) times.done ??= now;
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, expected);
  await page.locator(".or-file input").setInputFiles(file);
  await page.waitForFunction(() => globalThis.times.done !== undefined);
  const { start, firstRows, done } = await page.evaluate(() => globalThis.times);
  await page.close();
  return { firstRows: firstRows - start, all: done - start };
}

/** Checks the file with the command, and returns the time in milliseconds. */
function checkWithCommand(file, list) {
  const started = performance.now();
  const child = spawn(process.execPath, [URLHASH, "check", "--file", file, "--list", list], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.on("close", () => resolve(performance.now() - started)));
}

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const shown = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;

const folder = await mkdtemp(join(tmpdir(), "many-urls-"));
const server = await startServer({ port: 0, folder: PAGE });
const executablePath = process.env.CHROME_PATH ?? (await packagedChromium());
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--headless=shell"];
const browser = await chromium.launch({ executablePath, args });
try {
  const file = join(folder, "urls.txt");
  await writeFile(file, lines.join("\n"));
  const assets = await readdir(join(PAGE, "assets"));
  const list = join(
    PAGE,
    "assets",
    assets.find((name) => name.endsWith(".list")),
  );
  const page = [];
  const command = [];
  for (let round = 0; round < ROUNDS; round++) {
    page.push(await checkOnPage(browser, server.url, file));
    command.push(await checkWithCommand(file, list));
  }
  console.log(`${LINES.toLocaleString("en")} lines, ${ROUNDS} rounds, the middle one of each:`);
  console.log(`the page, first rows    ${shown(middle(page.map(({ firstRows }) => firstRows)))}`);
  console.log(`the page, all lines     ${shown(middle(page.map(({ all }) => all)))}`);
  console.log(`urlhash check --file    ${shown(middle(command))}`);
} finally {
  await browser.close();
  await server.stop(0);
  await rm(folder, { recursive: true });
}

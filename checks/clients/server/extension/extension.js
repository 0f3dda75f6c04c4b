import { execFileSync } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { newFolder } from "../support/new-folder.js";
import { waitFor } from "../support/wait-for.js";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Builds the example for an extension in a new folder, from packed packages, and returns the folder of the result. */
export function buildExtension() {
  const folder = newFolder("extension");
  const run = (program, args, cwd) => execFileSync(program, args, { cwd, stdio: "pipe" });
  cpSync(join(ROOT, "docs/examples/extension"), folder, { recursive: true });
  run(process.execPath, [join(ROOT, "checks/release/pack.js"), folder, "@x/client"], ROOT);
  const files = readdirSync(join(folder, "packed"))
    .filter((file) => file.endsWith(".tgz"))
    .map((file) => `./packed/${file}`);
  run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...files], folder);
  run(process.execPath, [join(ROOT, "node_modules/vite/bin/vite.js"), "build"], folder);
  return join(folder, "dist");
}

/** A Chromium with the extension. Every host below `.test` resolves to this computer. */
export async function chromiumWithExtension({ path, extension }) {
  const profile = newFolder("chromium");
  const browser = await puppeteer.launch({
    executablePath: path,
    headless: true,
    // Chromium loads extensions this way only over a pipe.
    pipe: true,
    enableExtensions: [extension],
    userDataDir: profile,
    args: [
      // The sandbox does not work for root, and CI runs as root.
      "--no-sandbox",
      "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      "--disable-features=HttpsUpgrades,LocalNetworkAccessChecks",
    ],
  });
  const isWorker = (target) => target.type() === "service_worker";
  const { host } = new URL((await browser.waitForTarget(isWorker)).url());
  const origin = `chrome-extension://${host}`;
  const page = await browser.newPage();

  /** The title of the tab's page, and whether it is still loading or being checked. */
  const titleAndState = () =>
    page
      .evaluate(() => {
        const isChecking = document.title === "Checking this page";
        return [document.title, document.readyState !== "complete" || isChecking];
      })
      // While a page is replaced, nothing can be read.
      .catch(() => [null, true]);

  return {
    page,
    origin,

    /** Saves settings on the options page, and waits until its status matches the pattern. */
    async configure(settings, pattern) {
      const options = await browser.newPage();
      await options.goto(`${origin}/options.html`);
      await options.waitForFunction(() => document.forms[0].elements.server.value !== "");
      await options.evaluate((values) => {
        for (const [name, value] of Object.entries(values)) {
          document.forms[0].elements[name].value = value;
        }
        document.querySelector("button").click();
      }, settings);
      await options.waitForFunction(
        (source) => new RegExp(source).test(document.querySelector("#state").textContent),
        { timeout: 30_000 },
        pattern.source,
      );
      await options.close();
    },

    /** Opens a URL, and returns the title of the page that the tab finally shows. */
    async open(url) {
      // The extension may leave the page before it is loaded.
      await page.goto(url).catch(() => {});
      return waitFor("a page", async () => {
        const [title, isWaiting] = await titleAndState();
        return isWaiting ? null : title;
      });
    },

    /** Waits until the tab shows a page with a title. */
    sees: (title) => waitFor(title, async () => (await titleAndState())[0] === title),

    /** Waits until the extension's button has a mark and a title in the tab. */
    mark: (text, title) =>
      waitFor(`the mark "${text}"`, async () => {
        const target = await browser.waitForTarget(isWorker);
        const found = await (await target.worker()).evaluate(async () => {
          const [{ id: tabId }] = await chrome.tabs.query({ url: "http://*/*" });
          return [
            await chrome.action.getBadgeText({ tabId }),
            await chrome.action.getTitle({ tabId }),
          ];
        });
        return found[0] === text && found[1] === title;
      }),

    textOf: (selector) => page.$eval(selector, (element) => element.textContent),

    /** Stops the service worker, as Chromium does after half a minute without work. */
    async stopWorker() {
      const target = await browser.waitForTarget(isWorker);
      const gone = new Promise((resolve) => {
        browser.on("targetdestroyed", (other) => other === target && resolve());
      });
      await (await target.worker()).close();
      await gone;
    },

    /** The bytes of memory that the service worker uses, after a garbage collection. */
    async workerMemory() {
      const session = await (await browser.waitForTarget(isWorker)).createCDPSession();
      await session.send("HeapProfiler.collectGarbage");
      return session.send("Runtime.getHeapUsage");
    },

    close: () => browser.close(),
  };
}

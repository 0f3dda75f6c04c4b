import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startServer } from "../dist/server/start-server.js";
import { packagedChromium } from "../test/browser/packaged-chromium.js";

/*
 * Takes the pictures of the built page: docs/page.png for the README, and pictures/preview.png for links to the page.
 */

const EXAMPLE = `#url?u=${encodeURIComponent("HTTP://login.AZUKISHOP.live\\@www.wikipedia.org:80/wiki/%2555RL#top")}`;

const PICTURES = [
  ["../../../docs/page.png", { width: 1280, height: 800 }, 1],
  ["./preview.png", { width: 1000, height: 525 }, 1.2],
];

const server = await startServer({ port: 0 });
const browser = await chromium.launch({
  executablePath: process.env["CHROME_PATH"] ?? (await packagedChromium()),
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--headless=shell"],
});
try {
  for (const [file, viewport, deviceScaleFactor] of PICTURES) {
    const options = { viewport, deviceScaleFactor, colorScheme: "light" };
    const page = await (await browser.newContext(options)).newPage();
    await page.goto(server.url + EXAMPLE);
    await page.locator('[data-pending="0"] .verdict.listed').waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: fileURLToPath(new URL(file, import.meta.url)) });
  }
} finally {
  await browser.close();
  await server.stop(0);
}

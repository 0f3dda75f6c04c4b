import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import puppeteer from "puppeteer-core";
import { newFolder } from "../server/support/new-folder.js";
import { program } from "../server/support/required-programs.js";
import { urlListServer } from "../server/support/url-list-server.js";
import { clientPage } from "./support/client-page.js";

const PLACES = ["page", "page, with lists built in a worker", "worker", "service worker"];
const BROWSERS = [
  ["chrome", program("chromium"), ["--no-sandbox"]],
  ["firefox", program("firefox-esr"), []],
];

for (const [kind, { path, skip }, args] of BROWSERS) {
  describe(`@x/client in ${kind}`, { skip, timeout: 600_000 }, () => {
    const profile = newFolder(kind);
    let server;
    let site;
    let browser;
    let page;
    before(async () => {
      server = await urlListServer();
      await server.publish({ malware: ["http://evil.test/bad/", "http://worse.test/"] });
      await server.start();
      site = await clientPage(server.origin);
      browser = await puppeteer.launch({
        browser: kind,
        executablePath: path,
        headless: true,
        userDataDir: profile,
        args,
      });
      page = await browser.newPage();
      await page.goto(site.origin);
      await page.waitForFunction(() => document.title === "ready");
    });
    after(async () => {
      await browser?.close();
      await site?.close();
      await server?.remove();
    });

    for (const place of PLACES) {
      test(`keeps what it stores, and checks with it, in a ${place}`, async () => {
        const found = await page.evaluate((name) => window.places[name](), place);
        assert.equal(found.error, undefined);
        assert.equal(found.passed.length, 5);
        assert.deepEqual(found.client, {
          before: "not-loaded",
          size: 2,
          loaded: 2,
          unlisted: "safe",
          listed: ["unsafe", true],
          updates: 0,
          lookUps: [
            ["unsafe", "safe"],
            ["unsafe", "safe"],
          ],
        });
      });
    }
  });
}

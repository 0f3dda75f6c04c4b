import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { webServer } from "../support/web-server.js";
import { buildExtension, chromiumWithExtension } from "./extension.js";

const { path, skip } = program("chromium");

/** The limit for the gzipped scripts of docs/examples/extension, in bytes. */
const BUDGET = 78_500;

describe("docs/examples/extension in Chromium", { skip, timeout: 600_000 }, () => {
  let server;
  let web;
  let extension;
  let browser;
  before(async () => {
    server = await urlListServer();
    web = await webServer();
    await server.publish({
      malware: ["http://evil.test/bad/", "http://gone.test/"],
      "social-engineering": ["http://phish.test/"],
    });
    await server.start();
    extension = buildExtension();
    browser = await chromiumWithExtension({ path, extension });
  });
  after(async () => {
    await browser?.close();
    await server?.remove();
    await web?.close();
  });

  test("has less than 78.5 kB of script, gzipped", (context) => {
    const scripts = readdirSync(extension).filter((name) => name.endsWith(".js"));
    assert.deepEqual(scripts.sort(), ["blocked.js", "options.js", "service-worker.js"]);
    const lengths = scripts.map(
      (name) => gzipSync(readFileSync(join(extension, name)), { level: 9 }).length,
    );
    const length = lengths.reduce((sum, each) => sum + each);
    context.diagnostic(`${length} bytes`);
    assert.ok(length < BUDGET, `${length} bytes`);
  });

  test("opens pages with a mark while it has no list", async () => {
    await browser.configure(
      { server: "http://127.0.0.1:9", lists: "mw-4b" },
      /^mw-4b: not-loaded; The server/,
    );
    assert.equal(await browser.open(web.url("evil.test/bad/page")), "page");
    await browser.mark("?", "This page could not be checked: not-loaded");
  });

  test("blocks listed pages once it has the lists, and opens others", async () => {
    const settings = { server: server.origin, lists: "mw-4b se-4b" };
    await browser.configure(settings, /^mw-4b: 2 entries; se-4b: 1 entries$/);
    assert.equal(await browser.open(web.url("fine.test/before")), "page");
    await browser.mark("", "URL lists");

    const listed = web.url("evil.test/bad/page");
    assert.equal(await browser.open(listed), "Dangerous page blocked");
    assert.equal(await browser.textOf("#url"), listed);
    assert.equal(await browser.textOf("#reason"), "This page may install malicious software.");
    assert.equal(await browser.textOf("#details"), "On the list mw-4bevil.test/bad/");
    assert.equal(await browser.open(web.url("phish.test/")), "Dangerous page blocked");
    assert.match(await browser.textOf("#reason"), /trick you/);
  });

  test("goes back to the page before", async () => {
    const fine = web.url("fine.test/before");
    assert.equal(await browser.open(fine), "page");
    assert.equal(await browser.open(web.url("evil.test/bad/page")), "Dangerous page blocked");
    // If a page opened before it was blocked, "Go back" passes it and it is blocked again, perhaps under the same URL.
    let isLeft = false;
    const onNavigated = (frame) => {
      if (frame === browser.page.mainFrame()) isLeft = false;
    };
    const goBack = () => {
      const isBlocked = document.title === "Dangerous page blocked";
      if (isBlocked) document.querySelector("#back").click();
      return isBlocked;
    };
    browser.page.on("framenavigated", onNavigated);
    await waitFor("the page before", async () => {
      if (browser.page.url() === fine) return true;
      if (isLeft) return false;
      isLeft = true;
      // While a page is replaced, nothing can be read.
      isLeft = (await browser.page.evaluate(goBack).catch(() => false)) && isLeft;
      return false;
    });
    browser.page.off("framenavigated", onNavigated);
  });

  test("blocks pages with a listed frame, and listed pages behind a redirect", async () => {
    assert.equal(await browser.open(web.url("fine.test/")), "page");
    await browser.page.evaluate((url) => {
      document.body.append(Object.assign(document.createElement("iframe"), { src: url }));
    }, web.url("evil.test/bad/frame"));
    await browser.sees("Dangerous page blocked");
    assert.match(await browser.textOf("#reason"), /^A part of this page/);

    const redirected = `/redirect?to=${encodeURIComponent(web.url("phish.test/"))}`;
    await browser.open(web.url(`fine.test${redirected}`));
    await browser.sees("Dangerous page blocked");
    assert.equal(await browser.textOf("#url"), web.url("phish.test/"));
  });

  for (const method of ["pushState", "replaceState"]) {
    test(`blocks a page whose script moves it to a listed URL with ${method}`, async () => {
      assert.equal(await browser.open(web.url("evil.test/fine")), "page");
      const move = (name, url) => history[name](null, "", url);
      const listed = web.url(`evil.test/bad/${method}`);
      // While a page is replaced, nothing can be read.
      await browser.page.evaluate(move, method, listed).catch(() => {});
      await browser.sees("Dangerous page blocked");
      assert.equal(await browser.textOf("#url"), listed);
    });
  }

  test("opens a page that the server no longer lists", async () => {
    await server.publish({ malware: ["http://evil.test/bad/"] });
    const url = web.url("gone.test/");
    await browser.open(url);
    await browser.sees("page");
    assert.equal(browser.page.url(), url);
  });

  test("blocks from the stored list when its worker was stopped and the server is gone", async () => {
    await browser.stopWorker();
    await server.stop();
    assert.equal(await browser.open(web.url("fine.test/after")), "page");
    await browser.open(web.url("evil.test/bad/other"));
    await browser.sees("Page blocked to be safe");
    assert.match(await browser.textOf("#details"), /evil\.test\/bad\/.*cannot be reached/);
    await server.start();
    await browser.page.click("#again");
    await browser.sees("Dangerous page blocked");
  });
});

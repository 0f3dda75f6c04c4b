import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { firefox } from "../firefox/firefox.js";
import { settings } from "../support/commands.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { webServer } from "../support/web-server.js";
import { webRiskClient } from "../web-risk/web-risk.js";

const { path, skip } = program("firefox-esr");
const HOSTS = ["evil.test", "good.test", "added.test"];
const FILLER = Array.from({ length: 50 }, (_, i) => `http://filler${i}.test/`);
const HOUR = 3_600_000;
const UNAVAILABLE = 503;

// A publisher publishes for server A, server B keeps the list of A over v5, and clients ask B.
describe("a chain of two servers", { skip, timeout: 600_000 }, () => {
  let a;
  let b;
  let clock;
  let web;
  let browser;
  let google;
  before(async () => {
    a = await urlListServer();
    b = await urlListServer();
    web = await webServer();
    await a.publish({ malware: [...FILLER, "http://evil.test/bad/"] });
    await a.start();
    const upstream = `{ server: ${a.origin}, lists: [mw-4b], grace: 1h }`;
    appendFileSync(join(b.folder, "urlhash-server.yaml"), `upstreams: { a: ${upstream} }\n`);
    clock = join(b.folder, "clock");
    writeFileSync(clock, "0");
    const { CLOCK_SHIFT, NODE_OPTIONS } = process.env;
    process.env.CLOCK_SHIFT = clock;
    process.env.NODE_OPTIONS = `--import ${new URL("../support/shifted-clock.js", import.meta.url)}`;
    try {
      await b.start(...settings({ cache: "1s" }));
    } finally {
      restore({ CLOCK_SHIFT, NODE_OPTIONS });
    }
    await waitFor("the list of A", async () => (await ready()).status === 200);
    google = webRiskClient(b);
    browser = await firefox({ path, origin: b.origin, protocol: "v5", hosts: HOSTS });
  });
  after(async () => {
    await browser?.remove();
    await google?.stop();
    await b?.remove();
    await a?.remove();
    await web?.close();
  });

  async function ready() {
    const response = await fetch(`${b.origin}/readyz`);
    return { status: response.status, text: await response.text() };
  }

  /** Whether a URL is listed according to Google's client, or the code of the error. */
  async function ask(uri) {
    const request = { uri, threatTypes: ["MALWARE"] };
    const asked = google.client.searchUris(request, { retry: null });
    return asked.then(
      ([{ threat }]) => threat !== null,
      (error) => error.code,
    );
  }

  /** Tells B to update its lists, and waits until Google's client gets the expected result for a URL. */
  function waitUntil(uri, expected) {
    b.signal("SIGHUP");
    return waitFor(`${uri} to be ${expected}`, async () => (await ask(uri)) === expected);
  }

  test("a URL that A's publisher lists is blocked by clients of B", async () => {
    assert.equal(await ask("http://evil.test/bad/page"), true);
    assert.equal(await ask("http://evil.test/good"), false);
    await browser.start();
    await browser.waitUntil(web.url("evil.test/bad/page.html"), "malware");
    assert.equal(await browser.open(web.url("good.test/")), "page");
    await browser.stop();
  });

  test("a change arrives", async () => {
    await a.publish({ malware: [...FILLER, "http://added.test/"] });
    await waitUntil("http://added.test/", true);
    assert.equal(await ask("http://evil.test/bad/page"), false);
  });

  test("while A is gone, B goes on for its grace period, and says so; then it answers with errors", async () => {
    assert.equal(await a.stop(), 0);
    b.signal("SIGHUP");
    await waitFor("B to notice", async () => (await ready()).status === 503);
    assert.match(
      (await ready()).text,
      /^The list malware of a is not being updated: its server does not answer; the version that is served is \d+ (?:second|minute)s? old\.\n$/,
    );
    assert.equal(await ask("http://good.test/"), false);
    // B has an earlier answer of A only for URLs that were checked before.
    assert.equal(await ask("http://filler7.test/"), UNAVAILABLE);
    // The next update is due after half an hour, so it is overdue after two.
    writeFileSync(clock, String(2 * HOUR));
    await waitFor("the grace period to end", async () => /is too old/.test((await ready()).text));
    assert.equal(await ask("http://good.test/"), UNAVAILABLE);
    assert.equal(await ask("http://added.test/"), UNAVAILABLE);
    await a.start();
    await waitUntil("http://added.test/", true);
    assert.equal((await ready()).status, 200);
  });

  test("a withdrawal arrives when B's operator has accepted it", async () => {
    await a.withdraw("malware");
    b.signal("SIGHUP");
    await waitFor("B to hold it back", async () =>
      /its new version is not accepted/.test((await ready()).text),
    );
    const settings = join(b.folder, "urlhash-server.yaml");
    const before = readFileSync(settings, "utf8");
    writeFileSync(settings, before.replace("grace: 1h", "grace: 1h, max-removed: 100%"));
    b.signal("SIGHUP");
    await waitFor("B to accept it", async () => (await ready()).status === 200);
    await waitFor("answers to end", async () => (await ask("http://added.test/")) === false);
    await browser.start();
    await browser.waitUntil(web.url("evil.test/bad/page.html"), "page");
    assert.equal(await browser.open(web.url("added.test/")), "page");
  });
});

function restore(variables) {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

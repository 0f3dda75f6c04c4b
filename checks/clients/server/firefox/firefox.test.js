import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { webServer } from "../support/web-server.js";
import { firefox } from "./firefox.js";

const { path, skip } = program("firefox-esr");

const HOSTS = [
  "evil.test",
  "good.test",
  "stays.test",
  "phish.test",
  ...[1, 2, 3, 4].map((i) => `marker${i}.test`),
];
const FILLER = Array.from({ length: 50 }, (_, i) => `http://filler${i}.test/`);

// Firefox refuses its fifth update within an hour, so it is restarted for each update, with the same profile. Firefox
// asks for updates from the version that it accepted last, so a partial update shows that Firefox accepted the one
// before.
for (const protocol of ["v5", "v4"]) {
  describe(`Firefox over ${protocol}`, { skip, timeout: 600_000 }, () => {
    let server;
    let web;
    let browser;
    before(async () => {
      server = await urlListServer();
      web = await webServer();
      await server.publish({
        malware: [...FILLER, "http://evil.test/bad/", "http://stays.test/"],
        "social-engineering": ["http://phish.test/"],
      });
      await server.start();
      browser = await firefox({ path, origin: server.origin, protocol, hosts: HOSTS });
    });
    after(async () => {
      await browser?.remove();
      await server?.remove();
      await web?.close();
    });

    /** Publishes, starts Firefox again, and waits until it blocks a new marker, which is on the new list. */
    async function publishAndUpdate(urls, marker) {
      await browser.stop();
      await server.publish({
        malware: [...FILLER, "http://stays.test/", ...urls, `http://${marker}/`],
      });
      const mark = server.log.length;
      await browser.start();
      await browser.waitUntil(web.url(`${marker}/`), "malware");
      return server.updates("malware", mark);
    }

    test("blocks a listed URL, and loads its sibling", async () => {
      await browser.start();
      await browser.waitUntil(web.url("stays.test/"), "malware");
      assert.equal(await browser.open(web.url("evil.test/bad/page.html")), "malware");
      assert.equal(await browser.open(web.url("evil.test/good/page.html")), "page");
      assert.equal(await browser.open(web.url("good.test/")), "page");
      assert.equal(await browser.open(web.url("phish.test/")), "phishing");
      assert.deepEqual(await server.updates("malware"), ["full"]);
    });

    test("unblocks what was removed", async () => {
      const updates = await publishAndUpdate([], "marker1.test");
      assert.equal(await browser.open(web.url("evil.test/bad/page.html")), "page");
      assert.equal(await browser.open(web.url("stays.test/")), "malware");
      assert.deepEqual(updates, ["partial"]);
    });

    test("blocks what was added", async () => {
      const updates = await publishAndUpdate(["http://good.test/"], "marker2.test");
      assert.equal(await browser.open(web.url("good.test/")), "malware");
      assert.equal(await browser.open(web.url("marker1.test/")), "page");
      assert.deepEqual(updates, ["partial"]);
    });

    test("blocks what was added again", async () => {
      const updates = await publishAndUpdate(["http://evil.test/bad/"], "marker3.test");
      assert.equal(await browser.open(web.url("evil.test/bad/page.html")), "malware");
      assert.equal(await browser.open(web.url("good.test/")), "page");
      assert.deepEqual(updates, ["partial"]);
    });

    test("keeps what it has while the server is gone, and its token is good afterwards", async () => {
      assert.equal(await browser.open(web.url("stays.test/")), "malware");
      assert.equal(await server.stop(), 0);
      assert.equal(await browser.open(web.url("stays.test/")), "malware");
      assert.equal(await browser.open(web.url("good.test/")), "page");
      await browser.stop();
      await server.start();
      const mark = server.log.length;
      await browser.start();
      await browser.waitUntil(web.url("stays.test/"), "malware");
      assert.equal(await browser.open(web.url("evil.test/bad/page.html")), "malware");
      assert.ok((await server.updates("malware", mark)).every((kind) => kind === "none"));
    });

    test("unblocks everything when the list is withdrawn", async () => {
      await browser.stop();
      await server.withdraw("malware");
      const mark = server.log.length;
      await browser.start();
      await browser.waitUntil(web.url("stays.test/"), "page");
      assert.equal(await browser.open(web.url("evil.test/bad/page.html")), "page");
      assert.equal(await browser.open(web.url("phish.test/")), "phishing");
      assert.deepEqual(await server.updates("malware", mark), ["partial"]);

      // The answer "none" shows that Firefox has accepted the update.
      const last = server.log.length;
      await browser.stop();
      await browser.start();
      assert.deepEqual(await server.updates("malware", last), ["none"]);
    });
  });
}

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { webServer } from "../support/web-server.js";
import { chromium, tlsFront } from "./chromium.js";

const { path, skip: noChromium } = program("chromium");
const { path: certutil, skip: noCertutil } = program("certutil");

/** The URLs and texts with which the rule of @x/interop was measured. IP addresses cannot be opened here. */
const VECTORS = new URL("../../../../packages/interop/test/vectors/chromium.json", import.meta.url);
const CASES = JSON.parse(readFileSync(VECTORS, "utf8")).cases.filter(
  ({ input }) => !input.includes("["),
);

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

// Chromium asks for its first update at a random time from one to five minutes after it starts. Nothing makes it ask
// sooner, so these tests run beside the others.
describe("Chromium", {
  skip: noChromium || noCertutil,
  concurrency: true,
  timeout: 600_000,
}, () => {
  let server;
  let web;
  let front;
  before(async () => {
    server = await urlListServer();
    web = await webServer();
    await server.publish({ malware: ["http://evil.test/bad/"] });
    // A source of hashes alone is refused, because they could be hashes of files.
    const hashes = CASES.map(({ expected }) => sha256(expected));
    await server.publish({ "social-engineering": hashes }, "--input", "hex");
    await server.start();
    front = await tlsFront(server.port);
  });
  after(async () => {
    await front?.close();
    await server?.remove();
    await web?.close();
  });

  for (const protocol of ["v5", "v4"]) {
    test(`blocks listed URLs over ${protocol}, and reads them by the rule of @x/interop`, async () => {
      const browser = await chromium({ path, certutil, front, protocol });
      try {
        const listed = web.url("evil.test/bad/page.html");
        await waitFor(
          `Chromium to block over ${protocol}`,
          async () => (await browser.open(listed)) === "blocked",
          400,
        );
        assert.equal(await browser.open(web.url("evil.test/good/page.html")), "page");
        for (const { input, expected } of CASES) {
          const url = web.url(input.replace("http://", ""));
          assert.equal(await browser.open(url), "blocked", `${input}, as ${expected}`);
        }
      } finally {
        await browser.stop();
      }
    });
  }
});

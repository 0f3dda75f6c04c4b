import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { program } from "../support/required-programs.js";
import { pageInFirefox } from "./page.js";

const { path, skip } = program("firefox-esr");

const EXAMPLE = "HTTP://login.AZUKISHOP.live\\@www.wikipedia.org:80/wiki/%2555RL#top";

// The page's own tests use Chromium, so this test opens each screen once in Firefox.
describe("The page in Firefox", { skip, timeout: 600_000 }, () => {
  let firefox;
  let screen;
  before(async () => {
    firefox = await pageInFirefox({ path });
  });
  after(() => firefox?.stop());
  afterEach(async () => {
    assert.deepEqual(screen.troubles, []);
    await screen.close();
  });

  test("URL: the start, and a message with links", async () => {
    screen = await firefox.open("");
    await screen.see(".invitation h2", /^Where does this link really go\?$/);
    await screen.see(".example", /Opens azukishop\.live\./);
    await screen.type(".entry textarea", "See https://azukishop.live/a or https://good.example/b");
    await screen.see(".sentence", /^Do not open 1 of these 2 links$/);
  });

  test("URL: the verdict, and the expressions with their hashes", async () => {
    screen = await firefox.open(`#url?u=${encodeURIComponent(EXAMPLE)}&tab=hashes`);
    await screen.see(
      ".sentence",
      /^Looks like wikipedia\.org\. Opens login\.azukishop\.live\.\s*$/,
    );
    await screen.see(".verdict", /^Listed/);
    await screen.see("#detail-hashes", /As browsers read the link/);
    assert.deepEqual(await screen.textsOf(".hashes .tag"), ["metamask-crypto-phishing"]);
  });

  test("URL: pasted lines as a list, and the focus after Clear", async () => {
    const lines = "evil.example\nother.example";
    screen = await firefox.open(`#url?u=${encodeURIComponent(lines)}`);
    await screen.see(".sentence", /^None of these 2 links is listed$/);
    await screen.click(".answer > .row:last-child button");
    await screen.see(".invitation h2", /^Where does this link really go\?$/);
    await screen.type(".entry textarea", "http://x.evil.example/");
    await screen.see(".verdict", /^Listed/);
    await screen.click(".entry .field-actions button:last-child");
    await screen.see(".invitation h2", /^Where does this link really go\?$/);
    assert.equal(await screen.evaluate(() => document.activeElement.tagName), "TEXTAREA");
  });

  test("URL: lines, a filter, and a page of 10 000 lines", async () => {
    const lines = ["http://azukishop.live/", "http://3279880203/blah", "https://a.example/"];
    screen = await firefox.open(`#url?u=${encodeURIComponent(lines.join("\n"))}`);
    await screen.see(".sentence", /^Do not open 2 of these 3 links$/);
    await screen.click(".verdict-bar .listed");
    await screen.see(".found-links", /^listedhttp:\/\/azukishop\.live\/azukishop\.live\/ is on /);
    await screen.close();
    screen = await firefox.open("");
    await screen.evaluate(() => {
      const text = Array.from({ length: 10_000 }, (_, i) => `http://h${i}.example/`).join("\n");
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "urls.txt"));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      document.querySelector("main").dispatchEvent(new DragEvent("drop", options));
    });
    await screen.see(".sentence", /^None of these 10,000 links is listed/);
    await screen.see(".pager", /^1–100 of 10,000/);
  });

  test("URN: its parts and the comparison", async () => {
    screen = await firefox.open("#urn");
    await screen.see(".facts", /NIDISBN/);
    await screen.see(".facts", /urn:isbn/);
    await screen.see(".tag.match", /^Equivalent$/);
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readAs } from "../../../../packages/interop/dist/index.js";
import { clamavLookups, sha256 } from "../clamav/clamav-lookups.js";
import { firefoxScripts } from "../firefox/firefox-scripts.js";
import { oddUrls } from "../support/odd-urls.js";
import { program } from "../support/required-programs.js";
import { committedTable, interopTable } from "./table.js";

const firefox = program("firefox-esr");
const clamscan = program("clamscan");

describe("the rules of @x/interop", { timeout: 600_000 }, () => {
  test("Firefox reads 5 000 URLs according to them", { skip: firefox.skip }, async () => {
    const urls = oddUrls(5000, 1);
    const browser = await firefoxScripts(firefox);
    try {
      const keys = await browser.keys(urls);
      // Firefox's key keeps a question mark without a query, and expressions do not.
      const exact = keys.map((key) => key?.replace(/^([^?]*)\?$/, "$1") ?? null);
      assert.deepEqual(
        exact,
        urls.map((url) => readAs("firefox", url).exact),
      );
      assert.ok(exact.filter((text) => text !== null).length > 4500);
      assert.ok(exact.filter((text) => text === null).length > 50);
    } finally {
      await browser.stop();
    }
  });

  test("ClamAV looks up 400 URLs according to them", { skip: clamscan.skip }, async () => {
    // The rules do not cover how HTML and character sets change links.
    const urls = oddUrls(900, 2)
      .filter((url) => /^[!#-&(-;=?-~]*$/.test(url))
      .slice(0, 400);
    const found = await clamavLookups(clamscan.path, urls);
    let crashes = 0;
    for (const [i, url] of urls.entries()) {
      if (found[i] === null) {
        crashes++;
        continue;
      }
      const texts = readAs("clamav", url).texts.map((text) => sha256(Buffer.from(text, "latin1")));
      assert.deepEqual([...found[i]].sort(), [...new Set(texts)].sort(), url);
    }
    assert.equal(urls.length, 400);
    // ClamAV aborts for some links that end in a slash after dot segments.
    assert.ok(crashes < 10, `${crashes} crashes`);
  });

  test("docs/interop.md shows what the clients do now", {
    skip: firefox.skip || clamscan.skip,
  }, async () => {
    assert.equal(await interopTable(), committedTable());
  });
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operator, urlhashServer } from "../support/commands.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { rspamd } from "./rspamd.js";

const { path, skip } = program("rspamd");

describe("rspamd with the rule of docs/examples/rspamd", { skip, timeout: 600_000 }, () => {
  let server;
  let mail;
  before(async () => {
    server = await urlListServer();
    await server.publish({
      malware: ["http://evil.test/bad/", "http://stays.test/"],
      phishing: ["http://phish.test/"],
    });
    await server.start();
    mail = await rspamd({ path, origin: server.origin });
  });
  after(async () => {
    await mail?.stop();
    await server?.remove();
  });

  test("flags a message with a listed link, and names the list and the link", async () => {
    const links = ["http://evil.test/bad/x?y", "http://good.test/", "https://a.phish.test/"];
    const { URLHASH_LISTED: listed, ...others } = await mail.scan(links);
    assert.deepEqual(listed.options.sort(), [`malware ${links[0]}`, `phishing ${links[2]}`]);
    assert.equal(listed.score, 9);
    assert.deepEqual(others, {});
  });

  test("rejects a message with a listed link, and says whom to ask", async () => {
    const forced = await urlhashServer("blocked-page", "rspamd", ...operator("Example Ltd"));
    const strict = await rspamd({ path, origin: server.origin, forced });
    try {
      assert.deepEqual(await strict.judge(["http://stays.test/"]), {
        action: "reject",
        message:
          "A link in this message is on a blocklist of Example Ltd. Is this a mistake? lists@example.com",
      });
      assert.equal((await strict.judge(["http://good.test/"])).action, "no action");
    } finally {
      await strict.stop();
    }
  });

  test("does not flag a message whose links are not listed, nor one without links", async () => {
    assert.deepEqual(await mail.scan(["http://evil.test/good/", "http://good.test/bad/"]), {});
    assert.deepEqual(await mail.scan([]), {});
  });

  test("sends links as they are written, so that both readings of them are looked up", async () => {
    const urls = [
      "http://good.test\\@phish.test/",
      "http://user:word@evil.test:8080/bad/",
      "http://evil.test/%62ad/",
      "http://evil.test/bad/\u00e9",
      "http://evil.test/bad%2Fx",
      "http://[2001:db8::1]/",
    ];
    assert.deepEqual(await mail.blocks(urls), [true, true, true, true, true, false]);
  });

  test("all 1020 links of a message are looked up, in two requests", async () => {
    const links = Array.from({ length: 1020 }, (_, i) => `http://host${i}.test/`);
    const mark = server.log.length;
    const { URLHASH_LISTED: listed, URLHASH_FAIL: failed } = await mail.scan([
      ...links.slice(1),
      "http://phish.test/",
    ]);
    assert.deepEqual(listed.options, ["phishing http://phish.test/"]);
    assert.equal(failed, undefined);
    // Earlier lookups, of fewer links, may still arrive in the log.
    await waitFor("the log of two requests", () => {
      const asked = server.log
        .slice(mark)
        .flatMap((line) => (line.asked >= 20 ? [line.asked] : []));
      return asked.sort().join() === "1000,20";
    });
  });

  test("a message with more links than rspamd shows a rule is marked as not checked", async () => {
    const links = Array.from({ length: 2500 }, (_, i) => `http://host${i}.test/`);
    const { URLHASH_FAIL: failed } = await mail.scan(links);
    assert.match(failed.options[0], /^rspamd showed \d+ links of 2500$/);
  });

  test("follows an addition and a removal", async () => {
    await server.publish({ malware: ["http://new.test/", "http://stays.test/"] });
    const urls = ["http://new.test/", "http://evil.test/bad/", "http://stays.test/"];
    assert.deepEqual(await mail.blocks(urls), [true, false, true]);
  });

  test("with the server gone, mail gets the score of URLHASH_FAIL, until it is back", async () => {
    await server.stop();
    const { URLHASH_FAIL: failed, URLHASH_LISTED: listed } = await mail.scan([
      "http://stays.test/",
    ]);
    assert.equal(failed.options.length, 1);
    assert.equal(failed.score, 6);
    assert.equal(listed, undefined);
    await server.start();
    assert.deepEqual(await mail.blocks(["http://stays.test/"]), [true]);
  });
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operator, settings, urlhashServer } from "../support/commands.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { nginxAuth } from "./nginx-auth.js";

const { path, skip } = program("nginx");

describe("nginx with the sites of docs/examples/nginx", { skip, timeout: 600_000 }, () => {
  let server;
  let nginx;
  const status = async (...request) => (await nginx.get(...request)).status;
  before(async () => {
    server = await urlListServer();
    await server.publish({ malware: ["http://evil.test/bad/", "http://stays.test/"] });
    await server.start(...settings({ "behind-proxy": true }));
    const blockedPage = await urlhashServer("blocked-page", "nginx", ...operator("Example Ltd"));
    nginx = await nginxAuth({ path, origin: server.origin, blockedPage });
  });
  after(async () => {
    await nginx?.stop();
    await server?.remove();
  });

  test("keeps listed pages from visitors, and shows others", async () => {
    assert.equal(await status("evil.test", "/bad/page?x"), 403);
    assert.equal(await status("EVIL.test:80", "/%62ad/"), 403);
    const { status: shown, text } = await nginx.get("evil.test", "/good/?a=%20b");
    assert.deepEqual([shown, text], [200, "evil.test /good/?a=%20b"]);
  });

  test("shows people who are blocked whom to ask", async () => {
    for (const [method, target] of [
      ["GET", "/bad/page"],
      ["POST", "/bad/page"],
      ["GET", `/leave?url=${encodeURIComponent("http://evil.test/bad/")}`],
    ]) {
      const { status: refused, headers, text } = await nginx.get("evil.test", target, {}, method);
      assert.equal(refused, 403);
      assert.equal(headers["content-type"], "text/html; charset=utf-8");
      assert.match(text, /Example Ltd/);
      assert.match(text, /href="mailto:lists@example\.com/);
    }
    assert.equal(await status("evil.test", "/.urlhash/blocked"), 404);
  });

  test("keeps visitors from listed links, and passes others on", async () => {
    const leave = async (url) => status("site.example", `/leave?url=${encodeURIComponent(url)}`);
    assert.equal(await leave("http://evil.test/bad/?a=b&c=d"), 403);
    assert.equal(await leave("http://evil.test/good/?a=b&c=d"), 200);
    assert.equal(await leave("http://good.test\\@stays.test/"), 403);
  });

  test("does not pass on what it cannot check", async () => {
    const stays = encodeURIComponent("http://stays.test/");
    for (const target of [
      "/leave",
      "/leave?url=",
      `/leave?url=http://good.test/&url=${stays}`,
      `/leave?url=http://good.test/;url=${stays}`,
      `/leave?url=${stays}&lists=other`,
      `/leave?to=${stays}`,
      "/leave?url=mailto:x",
      `/leave?url=http://good.test/#&url=${stays}`,
      `/leave/?url=http://good.test/`,
      `/Leave?url=http://good.test/`,
      `/x/../leave?url=http://good.test/`,
      `/leave?url=%5C%5Cgood.test/`,
      "/#/../page",
    ]) {
      assert.ok((await status("site.example", target)) >= 400, target);
    }
  });

  test("refuses invalid hosts, and a URL in a body", async () => {
    assert.equal(await status("good.test", "/"), 200);
    for (const host of ["good.test?", "good.test#", "a@good.test", "_", "good.test\\a"]) {
      assert.equal(await status(host, "/"), 400, host);
    }
    assert.equal(await status("site.example", "/leave?url=http://good.test/"), 200);
    assert.equal(await status("site.example", "/leave?url=http://good.test/", {}, "POST"), 405);
  });

  test("looks up what is requested, whatever headers a visitor sends", async () => {
    const headers = { "X-Original-URL": "http://good.test/", "X-Goog-Api-Key": "k" };
    assert.equal(await status("evil.test", "/bad/", headers), 403);
    assert.equal(await status("evil.test", "/good/", headers), 200);
    assert.equal(await status("site.example", "/.urlhash/page", headers), 404);
  });

  test("follows an addition and a removal", async () => {
    await server.publish({ malware: ["http://new.test/", "http://stays.test/"] });
    const urls = ["http://new.test/", "http://evil.test/bad/", "http://stays.test/"];
    assert.deepEqual(await nginx.blocks(urls), [true, false, true]);
    assert.equal(await status("new.test", "/"), 403);
    assert.equal(await status("evil.test", "/bad/"), 200);
  });

  test("looks up nothing for others", async () => {
    assert.equal(await status("lists.example", "/lookup/status?url=good.test"), 404);
    assert.equal(await status("lists.example", "/lookup"), 404);
    assert.equal(await status("lists.example", "/metrics"), 404);
  });

  test("with the server gone, nothing passes, and updates come from the cache", async () => {
    const update = "/v5/hashLists:batchGet?key=k&names=mw-4b&version=";
    const before = await nginx.get("lists.example", update);
    assert.equal(before.status, 200);
    await server.stop();
    assert.deepEqual(await nginx.blocks(["http://stays.test/", "http://good.test/"]), [true, true]);
    assert.equal(await status("good.test", "/"), 500);
    const kept = await nginx.get("lists.example", update);
    assert.deepEqual([kept.status, kept.text], [200, before.text]);
    await server.start(...settings({ "behind-proxy": true }));
    assert.deepEqual(await nginx.blocks(["http://stays.test/", "http://good.test/"]), [
      true,
      false,
    ]);
  });
});

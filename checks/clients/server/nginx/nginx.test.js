import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { settings } from "../support/commands.js";
import { withValues } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { nginxSite } from "./nginx-site.js";

const { path, skip } = program("nginx");

const SERVING = new URL("../../../../docs/serving.md", import.meta.url);

/** The cache of docs/serving.md, with the paths and ports of the test. It also says how it got each answer. */
function site(folder, port, origin) {
  const [, block] = /```nginx\n(.*?)```/s.exec(readFileSync(SERVING, "utf8"));
  return withValues(block, {
    "/var/cache/nginx": folder,
    "listen 80;": `listen 127.0.0.1:${port};`,
    "http://127.0.0.1:8080": origin,
    "proxy_cache lists;": "proxy_cache lists; add_header X-Cache $upstream_cache_status always;",
  });
}

const sha256 = (text) => createHash("sha256").update(text);
/** A search for an expression, answered with its full hash as JSON if it is listed. */
const searchFor = (expression) => {
  const prefix = sha256(expression).digest().subarray(0, 4).toString("base64");
  return `/v5/hashes:search?alt=json&hashPrefixes=${encodeURIComponent(prefix)}`;
};
const KEY = "the key of a reader";

describe("nginx as a cache in front", { skip, timeout: 600_000 }, () => {
  let server;
  let nginx;
  let base;
  const get = async (target, init = {}) => {
    const response = await fetch(base + target, init);
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, cache: response.headers.get("x-cache"), body };
  };
  const update = "/v5/hashLists:batchGet?names=mw-4b&names=se-4b&version=&version=";
  const search = "/v5/hashes:search?hashPrefixes=AAAAAA%3D%3D";

  before(async () => {
    server = await urlListServer();
    await server.publish({
      malware: ["http://evil.test/"],
      "unwanted-software": ["http://secret.test/"],
    });
    await server.start(
      ...settings({
        "behind-proxy": true,
        "readers.us.key-sha256": sha256(KEY).digest("hex"),
        "readers.us.lists": "unwanted-software",
      }),
    );
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const folder = join(server.folder, "nginx");
    nginx = await nginxSite({ path, folder, port, site: site(folder, port, server.origin) });
  });
  after(async () => {
    await nginx?.stop();
    await server?.remove();
  });

  test("keeps updates and searches, but no errors and nothing about the server itself", async () => {
    for (const target of [update, search]) {
      assert.equal((await get(target)).cache, "MISS");
      assert.equal((await get(target)).cache, "HIT");
    }
    for (const target of [
      "/healthz",
      "/metrics",
      "/",
      "/v5/nothing",
      "/v5/hashes:search?hashPrefixes=x",
    ]) {
      await get(target);
      assert.notEqual((await get(target)).cache, "HIT", target);
    }
  });

  test("keeps nothing for one client, and no whole URLs", async () => {
    const isListed = ({ status, body }) => status === 200 && /fullHash"/.test(body);
    const secret = searchFor("secret.test/");
    const headers = { "X-Goog-Api-Key": KEY };
    for (const [target, init] of [
      [secret, { headers }],
      [`${secret}&key=${encodeURIComponent(KEY)}`, {}],
    ]) {
      for (let i = 0; i < 2; i++) {
        const answer = await get(target, init);
        assert.ok(isListed(answer), `${answer.body}`);
        assert.notEqual(answer.cache, "HIT");
      }
    }
    const ofOthers = [await get(secret), await get(secret)];
    assert.deepEqual(
      ofOthers.map((answer) => [isListed(answer), answer.cache]),
      [
        [false, "MISS"],
        [false, "HIT"],
      ],
    );
    assert.ok(isListed(await get(secret, { headers })));

    const json = { "Content-Type": "application/json" };
    const urls = ["http://evil.test/"];
    const threatInfo = {
      threatTypes: ["MALWARE"],
      platformTypes: ["ANY_PLATFORM"],
      threatEntryTypes: ["URL"],
      threatEntries: [{ url: urls[0] }],
    };
    for (const [target, init] of [
      ["/v5/urls:search?urls=evil.test", {}],
      ["/v1/uris:search?uri=http://evil.test/&threatTypes=MALWARE", {}],
      ["/lookup/status?url=good.test", {}],
      ["/lookup", { method: "POST", headers: json, body: JSON.stringify({ urls }) }],
      [
        "/v4/threatMatches:find",
        { method: "POST", headers: json, body: JSON.stringify({ threatInfo }) },
      ],
    ]) {
      for (let i = 0; i < 2; i++) {
        const { status, cache } = await get(target, init);
        assert.equal(status, 200, target);
        assert.ok(cache === null || cache === "MISS", `${target}: ${cache}`);
      }
    }
    const kept = readdirSync(join(server.folder, "nginx/lists"), {
      recursive: true,
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
    assert.ok(kept.length > 0);
    assert.doesNotMatch(kept.join(""), /evil\.test|good\.test/);
  });

  test("asks the server once for many who search for the same at once", async () => {
    const target = searchFor("popular.test/");
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(target)));
    assert.equal(answers.filter(({ cache }) => cache === "MISS").length, 1);
    assert.equal(answers.filter(({ cache }) => cache === "HIT").length, 49);
  });

  test("answers an update while the server is stopped", async () => {
    const before = await get(update);
    await server.stop();
    const { status, cache, body } = await get(update);
    assert.deepEqual({ status, cache }, { status: 200, cache: "HIT" });
    assert.deepEqual(body, before.body);
    assert.equal((await get(`${update}&size=1`)).status, 502);
  });

  test("answers an update while the server is stopped, even when it has expired in the cache", async () => {
    await server.start(...settings({ "behind-proxy": true, cache: "1s" }));
    const target = "/v5/hashLists:batchGet?names=mw-4b&version=";
    const before = await get(target);
    await server.stop();
    let answer = null;
    await waitFor("an expired answer", async () => {
      answer = await get(target);
      return answer.cache === "STALE";
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, before.body);
  });

  test("asks the server again when an answer has expired, and then has new entries", async () => {
    await server.start(...settings({ "behind-proxy": true, cache: "1s" }));
    const target = searchFor("new.test/");
    const before = await get(target);
    assert.equal(before.cache, "MISS");
    await server.publish({ malware: ["http://evil.test/", "http://new.test/"] });
    let after = null;
    await waitFor("an answer after the first one has expired", async () => {
      after = await get(target);
      return after.cache === "EXPIRED";
    });
    assert.match(`${after.body}`, /fullHash"/);
    assert.doesNotMatch(`${before.body}`, /fullHash"/);
  });
});

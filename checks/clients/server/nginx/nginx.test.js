import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { settings } from "../support/commands.js";
import { freePort } from "../support/free-port.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { nginxSite } from "./nginx-site.js";

const { path, skip } = program("nginx");

/** The cache of docs/serving.md, with the paths and ports of the test. */
const site = (folder, port, origin) => `
proxy_cache_path ${folder}/cache keys_zone=lists:1m inactive=1d;
server {
  listen 127.0.0.1:${port};
  location / {
    proxy_pass ${origin};
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_cache lists;
    proxy_cache_revalidate on;
    proxy_cache_use_stale error timeout;
    add_header X-Cache $upstream_cache_status always;
  }
}
`;

describe("nginx as a cache in front", { skip, timeout: 600_000 }, () => {
  let server;
  let nginx;
  let base;
  const get = async (target, headers = {}) => {
    const response = await fetch(base + target, { headers });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, cache: response.headers.get("x-cache"), body };
  };
  const update = "/v5/hashLists:batchGet?key=k&names=mw-4b&names=se-4b&version=&version=";
  const search = "/v5/hashes:search?key=k&hashPrefixes=AAAAAA%3D%3D";

  before(async () => {
    server = await urlListServer();
    await server.publish({ malware: ["http://evil.test/"] });
    await server.start(...settings({ "behind-proxy": true }));
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
    const target = "/v5/hashLists:batchGet?key=k&names=mw-4b&version=";
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
});

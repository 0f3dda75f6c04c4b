import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "../support/free-port.js";
import { urlhashServer, urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { webRiskClient } from "./web-risk.js";

const SERVER_FOLDER = new URL("../../../../apps/server/", import.meta.url);
const COMMAND = fileURLToPath(new URL("bin/urlhash-server.js", SERVER_FOLDER));
const [CERT, KEY] = ["cert", "key"].map((name) =>
  fileURLToPath(new URL(`test/support/tls/test-only.${name}.pem`, SERVER_FOLDER)),
);
const UNAVAILABLE = 14;

const sha256 = (text) => createHash("sha256").update(text).digest();
const prefixOf = (expression) => sha256(expression).subarray(0, 4);

/** Serves a store over gRPC with TLS, until it is stopped. */
async function serveWithTls(store, port) {
  const args = ["--store", store, "--port", "0", "--grpc-port", port, "--poll", "1s"];
  const child = spawn(
    process.execPath,
    [COMMAND, "serve", ...args, "--tls-cert", CERT, "--tls-key", KEY],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let said = "";
  child.stderr.on("data", (data) => {
    said += data;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await waitFor("the server to serve gRPC", () => said.includes(`over gRPC at https://`));
  return () => {
    child.kill("SIGTERM");
    return ended;
  };
}

/** The compression that each database asks for. */
const COMPRESSIONS = { gRPC: "RICE", "gRPC with TLS": "RICE", REST: "RAW" };

for (const [over, compression] of Object.entries(COMPRESSIONS)) {
  describe(`@google-cloud/web-risk over ${over}`, { timeout: 600_000 }, () => {
    let server;
    let port;
    let google;
    let stop;
    const start = async () => {
      if (over === "gRPC with TLS") {
        stop = await serveWithTls(join(server.folder, "lists"), port);
      } else {
        await server.start(...(over === "gRPC" ? ["--grpc-port", port] : []));
        stop = () => server.stop();
      }
    };
    const publish = (...urls) => server.publish({ malware: urls });
    before(async () => {
      server = await urlListServer();
      port = over === "REST" ? server.port : await freePort();
      await publish("http://evil.test/bad/", "http://other.test/");
      await start();
      google = webRiskClient({ port, over, ca: readFileSync(CERT) });
    });
    after(async () => {
      await google?.stop();
      await stop?.();
      await server?.remove();
    });

    test("finds listed URLs, and not their siblings", async () => {
      const urls = [
        "http://evil.test/bad/page?q",
        "http://evil.test/good",
        "other.test",
        "https://sub.other.test:8443/a b%20c",
        "http://[::1]/",
        "http://",
      ];
      assert.deepEqual(await google.blocks(urls), [true, false, true, true, false, false]);
      assert.deepEqual([...google.refusals.keys()], ["http://"]);
      assert.match(google.refusals.get("http://"), /a readable URL/);
    });

    test("finds full hashes", async () => {
      const search = async (expression) => {
        const hashPrefix = prefixOf(expression);
        const [found] = await google.client.searchHashes({ hashPrefix, threatTypes: ["MALWARE"] });
        return found;
      };
      const { threats } = await search("other.test/");
      assert.deepEqual(
        threats.map(({ threatTypes, hash }) => ({ threatTypes, hash: Buffer.from(hash) })),
        [{ threatTypes: ["MALWARE"], hash: sha256("other.test/") }],
      );
      assert.ok(Number(threats[0].expireTime.seconds) > Date.now() / 1000);
      const { threats: none, negativeExpireTime } = await search("good.test/");
      assert.deepEqual(none, []);
      assert.ok(Number(negativeExpireTime.seconds) > Date.now() / 1000);
    });

    test("judges 1000 URLs in seconds", async () => {
      const urls = Array.from({ length: 1000 }, (_, i) =>
        i % 2 === 0 ? `http://other.test/${i}` : `http://good.test/${i}`,
      );
      assert.deepEqual(
        await google.blocks(urls),
        urls.map((_, i) => i % 2 === 0),
      );
    });

    test(`keeps a database: RESET, nothing new, DIFF, and DIFF after a restart (${compression})`, async () => {
      const many = Array.from({ length: 300 }, (_, i) => `http://${compression}-${i}.test/`);
      const has = (name) => database.has(prefixOf(`${name}.test/`));
      const database = google.database("MALWARE", compression);
      await publish("http://evil.test/bad/", "http://other.test/", ...many);
      await waitFor("the list to be served", async () => {
        await database.update();
        return has(`${compression.toLowerCase()}-7`);
      });
      assert.equal((await google.database("MALWARE", compression).update()).responseType, "RESET");
      const same = await database.update();
      assert.deepEqual([same.responseType, same.additions, same.removals], ["DIFF", null, null]);
      assert.ok(Number(same.recommendedNextDiff.seconds) > Date.now() / 1000 + 60);

      await publish("http://evil.test/bad/", "http://new.test/", ...many);
      await stop();
      await start();
      const next = await waitFor("the difference", async () => {
        const diff = await database.update();
        return diff.additions === null ? null : diff;
      });
      assert.equal(next.responseType, "DIFF");
      assert.equal(next.additions.riceHashes !== null, compression === "RICE");
      assert.deepEqual([has("new"), has("other")], [true, false]);
      await publish("http://evil.test/bad/", "http://other.test/");
    });

    test("gets an empty RESET for a list that the store does not have", async () => {
      const database = google.database("SOCIAL_ENGINEERING_EXTENDED_COVERAGE", "RAW");
      const diff = await database.update();
      assert.deepEqual([diff.responseType, diff.additions], ["RESET", null]);
    });

    test("follows an addition and a removal at its next call", async () => {
      const urls = ["http://other.test/", "http://added.test/"];
      await waitFor("the list", async () => (await google.blocks(urls))[0]);
      await publish("http://evil.test/bad/", "http://added.test/");
      await waitFor("the change", async () => (await google.blocks(urls))[1]);
      assert.deepEqual(await google.blocks(urls), [false, true]);
    });

    test("gets an error while the server is gone, so that the program decides; then it goes on", async () => {
      await stop();
      const request = { uri: "http://added.test/", threatTypes: ["MALWARE"] };
      // Without `retry: null`, Google's client tries again for a minute.
      const error = await google.client
        .searchUris(request, { retry: null })
        .catch((reason) => reason);
      if (over === "REST") assert.match(error.message, /ECONNREFUSED/);
      else assert.equal(error.code, UNAVAILABLE);
      await start();
      const [isListed] = await waitFor("the connection", () =>
        google.blocks(["http://added.test/"]).catch(() => null),
      );
      assert.equal(isListed, true);
    });
  });
}

test("opens a private list to the API key in the metadata", async () => {
  const server = await urlListServer();
  const port = await freePort();
  const printed = await urlhashServer("key", "malware");
  const [, key, line] = /\n {2}(\S+)\n[\s\S]*\n {2}(\S+ malware)\n/.exec(printed);
  const keys = join(server.folder, "keys");
  writeFileSync(keys, `${line}\n`);
  await server.publish({ malware: ["http://evil.test/"] });
  await server.start("--grpc-port", port, "--keys", keys);
  const clients = [webRiskClient({ port }), webRiskClient({ port: server.port, over: "REST" })];
  try {
    for (const { client } of clients) {
      const request = { uri: "http://evil.test/", threatTypes: ["MALWARE"] };
      await assert.rejects(client.searchUris(request), /One of the lists is private/);
      const headers = { "x-goog-api-key": key };
      const [{ threat }] = await client.searchUris(request, { otherArgs: { headers } });
      assert.deepEqual(threat.threatTypes, ["MALWARE"]);
    }
  } finally {
    for (const each of clients) await each.stop();
    await server.remove();
  }
});

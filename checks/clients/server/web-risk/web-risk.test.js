import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { urlhashServer } from "../support/commands.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { webRiskClient } from "./web-risk.js";

const sha256 = (text) => createHash("sha256").update(text).digest();
const prefixOf = (expression) => sha256(expression).subarray(0, 4);

describe("@google-cloud/web-risk over REST", { timeout: 600_000 }, () => {
  let server;
  let google;
  const publish = (...urls) => server.publish({ malware: urls });
  before(async () => {
    server = await urlListServer();
    await publish("http://evil.test/bad/", "http://other.test/");
    await server.start();
    google = webRiskClient(server);
  });
  after(async () => {
    await google?.stop();
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

  for (const compression of ["RAW", "RICE"]) {
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
      await server.stop();
      await server.start();
      const next = await waitFor("the difference", async () => {
        const diff = await database.update();
        return diff.additions === null ? null : diff;
      });
      assert.equal(next.responseType, "DIFF");
      assert.equal(next.additions.riceHashes !== null, compression === "RICE");
      assert.deepEqual([has("new"), has("other")], [true, false]);
      await publish("http://evil.test/bad/", "http://other.test/");
    });
  }

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
    await server.stop();
    const request = { uri: "http://added.test/", threatTypes: ["MALWARE"] };
    // Without `retry: null`, Google's client tries again for a minute.
    const error = await google.client
      .searchUris(request, { retry: null })
      .catch((reason) => reason);
    assert.match(error.message, /ECONNREFUSED/);
    await server.start();
    const [isListed] = await waitFor("the connection", () =>
      google.blocks(["http://added.test/"]).catch(() => null),
    );
    assert.equal(isListed, true);
  });
});

test("opens a private list to an API key in the headers of a call", async () => {
  const server = await urlListServer();
  const printed = await urlhashServer("key", "malware");
  const [, key, readers] = /\n {2}(\S+)\n[\s\S]*\n(readers:\n[\s\S]*)$/.exec(printed);
  appendFileSync(join(server.folder, "urlhash-server.yaml"), readers);
  await server.publish({ malware: ["http://evil.test/"] });
  await server.start();
  const google = webRiskClient(server);
  try {
    const request = { uri: "http://evil.test/", threatTypes: ["MALWARE"] };
    await assert.rejects(google.client.searchUris(request), /One of the lists is private/);
    const headers = { "x-goog-api-key": key };
    const [{ threat }] = await google.client.searchUris(request, { otherArgs: { headers } });
    assert.deepEqual(threat.threatTypes, ["MALWARE"]);
  } finally {
    await google.stop();
    await server.remove();
  }
});

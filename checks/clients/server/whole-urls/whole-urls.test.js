import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fromBinary } from "@bufbuild/protobuf";
import { safebrowsing } from "@googleapis/safebrowsing";
import { readSchemas } from "../../../../packages/wire/test/oracle/schemas.js";
import { urlListServer } from "../support/url-list-server.js";

const run = promisify(execFile);
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

describe("clients that send whole URLs", () => {
  let server;
  const urls = ["http://www.evil.test/bad/page?x", "http://evil.test/", "http://phish.test/a"];
  before(async () => {
    server = await urlListServer();
    await server.publish({
      malware: ["http://evil.test/bad/"],
      "social-engineering": ["http://phish.test/"],
    });
    await server.start();
  });
  after(() => server?.remove());

  test("@googleapis/safebrowsing, v5, in JSON", async () => {
    const rootUrl = `${server.origin}/`;
    const google = safebrowsing({
      version: "v5",
      rootUrl,
      auth: "any-key",
      params: { alt: "json" },
    });
    const { data } = await google.urls.search({ urls });
    assert.deepEqual(data, {
      threats: [
        { url: "evil.test/bad/", threatTypes: ["MALWARE"] },
        { url: "phish.test/", threatTypes: ["SOCIAL_ENGINEERING"] },
      ],
      cacheDuration: "300s",
    });
    const nothing = await google.urls.search({ urls: ["http://good.test/"] });
    assert.deepEqual(nothing.data, { cacheDuration: "300s" });
    await assert.rejects(google.urls.search({ urls: ["http://"] }), { status: 400 });
  });

  test("protobuf-es, from the definition of the messages", async () => {
    const query = urls.map((url) => `urls=${encodeURIComponent(url)}`).join("&");
    const response = await fetch(`${server.origin}/v5/urls:search?key=any-key&${query}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { threats, cacheDuration } = fromBinary(readSchemas("v5").SearchUrlsResponse, bytes);
    assert.deepEqual(
      threats.map(({ url, threatTypes }) => [url, ...threatTypes]),
      [
        ["evil.test/bad/", 1],
        ["phish.test/", 2],
      ],
    );
    assert.deepEqual([cacheDuration.seconds, cacheDuration.nanos], [300n, 0]);
  });

  test("safe-browse-url-lookup and google-safe-browsing, which have Google's address built in", async () => {
    const args = ["--import", beside("at-google.js"), beside("npm-clients.js"), ...urls];
    const env = { ...process.env, PORT: String(server.port) };
    const { stdout } = await run(process.execPath, args, { env });
    const listed = [urls[0], urls[2]];
    assert.deepEqual(JSON.parse(stdout), {
      "safe-browse-url-lookup": listed,
      "google-safe-browsing": listed,
    });
  });
});

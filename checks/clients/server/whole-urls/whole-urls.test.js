import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fromBinary } from "@bufbuild/protobuf";
import { safebrowsing } from "@googleapis/safebrowsing";
import { createLookup } from "../../../../packages/client/dist/index.js";
import { exactExpression } from "../../../../packages/expressions/dist/index.js";
import { readAs } from "../../../../packages/interop/dist/index.js";
import { checker } from "../../../../packages/lookup/dist/index.js";
import { prefixList } from "../../../../packages/prefix-list/dist/index.js";
import { fullHash } from "../../../../packages/sha256-prefix/dist/index.js";
import { SearchUrlsResponseSchema } from "../../../../packages/wire/test/oracle/safe-browsing-v5-urls_pb.js";
import { makeUrls } from "../../../support/url-corpus.js";
import { oddUrls } from "../support/odd-urls.js";
import { urlListServer } from "../support/url-list-server.js";

/* Programs that send whole URLs, or ask about a single one: every way to ask gives the same verdict. */

const run = promisify(execFile);
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

let server;
before(async () => {
  server = await urlListServer();
});
after(() => server?.remove());

describe("clients that nobody here wrote", () => {
  const urls = ["http://www.evil.test/bad/page?x", "http://evil.test/", "http://phish.test/a"];
  before(async () => {
    await server.publish({
      malware: ["http://evil.test/bad/"],
      "social-engineering": ["http://phish.test/"],
    });
    await server.start();
  });
  after(() => server.stop());

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

  test("protobuf-es, generated from the definition of the messages", async () => {
    const query = urls.map((url) => `urls=${encodeURIComponent(url)}`).join("&");
    const response = await fetch(`${server.origin}/v5/urls:search?key=any-key&${query}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { threats, cacheDuration } = fromBinary(SearchUrlsResponseSchema, bytes);
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

const COUNT = Number(process.env.VERDICT_URLS ?? 2000);
const SEED = Number(process.env.VERDICT_SEED ?? 46);

/** Four fifths of the URLs are like those that people visit, and a fifth are unusual. */
function urlsToCheck() {
  const isOpened = (url) => readAs("browser-reading", url).exact !== null && !/[\t\r\n]/.test(url);
  const odd = oddUrls(COUNT, SEED)
    .filter(isOpened)
    .slice(0, Math.floor(COUNT / 5));
  return [...new Set([...odd, ...makeUrls(2 * COUNT)])].slice(0, COUNT);
}

/** Entries for a tenth of the URLs, by different expressions: for a whole host, a folder or a page. */
function entriesFor(urls) {
  const entries = urls
    .filter((_, i) => i % 10 === 0)
    .map((url, i) => {
      const { texts } = readAs(i % 2 === 0 ? "both-readings" : "browser-reading", url);
      return texts[i % texts.length];
    });
  return [...new Set(entries)].filter(
    (text) => exactExpression(`http://${text}`) === text && !/["<>\\\s]/.test(text),
  );
}

function partsOf(items, size) {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

async function answerTo(path, body) {
  const headers = { "Content-Type": "application/json" };
  const init = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(server.origin + path, init);
  assert.equal(response.status, 200, path);
  return response;
}

/** All ways to ask. Each function returns whether each URL is listed. */
const WAYS = {
  async "urls:search, one URL at a time"(urls) {
    const listed = [];
    for (const url of urls) {
      const response = await answerTo(`/v5/urls:search?urls=${encodeURIComponent(url)}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      listed.push(fromBinary(SearchUrlsResponseSchema, bytes).threats.length > 0);
    }
    return listed;
  },
  async "urls:search, 50 at a time, by the expressions in the answer"(urls) {
    const listed = [];
    for (const part of partsOf(urls, 50)) {
      const query = part.map((url) => `urls=${encodeURIComponent(url)}`).join("&");
      const { threats = [] } = await (await answerTo(`/v5/urls:search?alt=json&${query}`)).json();
      const found = new Set(threats.map(({ url }) => url));
      for (const url of part) {
        listed.push(readAs("both-readings", url).texts.some((text) => found.has(text)));
      }
    }
    return listed;
  },
  async "/lookup"(urls) {
    const listed = [];
    for (const part of partsOf(urls, 1000)) {
      const { verdicts } = await (await answerTo("/lookup", { urls: part })).json();
      listed.push(...verdicts.map((verdict) => verdict.listed));
    }
    return listed;
  },
  async "v4 threatMatches:find"(urls) {
    const listed = [];
    for (const part of partsOf(urls, 500)) {
      const threatInfo = {
        threatTypes: ["MALWARE"],
        platformTypes: ["ANY_PLATFORM"],
        threatEntryTypes: ["URL"],
        threatEntries: part.map((url) => ({ url })),
      };
      const answer = await (await answerTo("/v4/threatMatches:find", { threatInfo })).json();
      const found = new Set((answer.matches ?? []).map(({ threat }) => threat.url));
      listed.push(...part.map((url) => found.has(url)));
    }
    return listed;
  },
  async "Web Risk uris:search"(urls) {
    const listed = [];
    for (const url of urls) {
      const path = `/v1/uris:search?threatTypes=MALWARE&uri=${encodeURIComponent(url)}`;
      listed.push((await (await answerTo(path)).json()).threat !== undefined);
    }
    return listed;
  },
  "createLookup, with hash prefixes": (urls) => lookUp(urls, "hash-prefixes"),
  "createLookup, with URLs": (urls) => lookUp(urls, "urls"),
};

async function lookUp(urls, sends) {
  const listed = [];
  for await (const { url, verdict, error } of createLookup({
    server: server.origin,
    sends,
  }).checkMany(urls)) {
    assert.notEqual(verdict, "unsure", `${url}: ${error}`);
    listed.push(verdict === "unsafe");
  }
  return listed;
}

describe(`one verdict on each of ${COUNT} URLs`, { timeout: 600_000 }, () => {
  const urls = urlsToCheck();
  const entries = entriesFor(urls);
  const list = prefixList(entries.map((text) => fullHash(text)));
  const { check } = checker(list);
  const expected = urls.map((url) => check(url).length > 0);
  before(async () => {
    const malware = entries.map((text) => `http://${text}`);
    await server.publish({ malware }, "--set", "allow-broad=true"); // co.uk is among them
    await server.start();
  });

  test("a tenth is listed, and more by entries of others", (t) => {
    const listed = expected.filter(Boolean).length;
    t.diagnostic(`${entries.length} entries, ${listed} URLs are listed`);
    assert.ok(listed >= 0.09 * COUNT);
    assert.ok(listed < COUNT / 2);
  });

  for (const [name, ask] of Object.entries(WAYS)) {
    test(name, async () => {
      const listed = await ask(urls);
      const texts = (values) => urls.map((url, i) => `${values[i]} ${url}`);
      assert.deepEqual(texts(listed), texts(expected));
    });
  }
});

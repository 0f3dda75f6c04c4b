import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { safebrowsing } from "@googleapis/safebrowsing";
import { urlListServer } from "../support/url-list-server.js";

const sha256 = (text) => createHash("sha256").update(text).digest();
const LISTED = sha256("evil.test/bad/");
const PREFIX = LISTED.subarray(0, 4).toString("base64");

let server;
before(async () => {
  server = await urlListServer();
  await server.publish({
    malware: ["http://evil.test/bad/", "http://other.test/"],
    intranet: ["http://inside.test/"],
  });
  await server.start();
});
after(() => server?.remove());

describe("@googleapis/safebrowsing, v4", () => {
  const client = () =>
    safebrowsing({ version: "v4", rootUrl: `${server.origin}/`, auth: "any-key" });
  const info = (threatEntries) => ({
    threatTypes: ["MALWARE", "SOCIAL_ENGINEERING"],
    platformTypes: ["ANY_PLATFORM"],
    threatEntryTypes: ["URL"],
    threatEntries,
  });
  const update = async (state) => {
    const { data } = await client().threatListUpdates.fetch({
      requestBody: {
        client: { clientId: "checks", clientVersion: "1" },
        listUpdateRequests: [
          {
            threatType: "MALWARE",
            platformType: "LINUX",
            threatEntryType: "URL",
            state,
            constraints: { supportedCompressions: ["RAW"] },
          },
          { threatType: "UNWANTED_SOFTWARE", platformType: "LINUX", threatEntryType: "URL" },
        ],
      },
    });
    return data;
  };

  test("lists the lists", async () => {
    const { data } = await client().threatLists.list();
    assert.deepEqual(data.threatLists, [
      { threatType: "MALWARE", platformType: "ANY_PLATFORM", threatEntryType: "URL" },
    ]);
  });

  test("updates: full, then nothing, then partial", async () => {
    const first = await update();
    const [list, unknown] = first.listUpdateResponses;
    const { prefixSize, rawHashes } = list.additions[0].rawHashes;
    const hashes = Buffer.from(rawHashes, "base64");
    assert.equal(list.responseType, "FULL_UPDATE");
    assert.equal(list.platformType, "LINUX");
    assert.equal(prefixSize, 4);
    assert.equal(hashes.length, 8);
    assert.equal(list.checksum.sha256, createHash("sha256").update(hashes).digest("base64"));
    assert.equal(unknown.responseType, "FULL_UPDATE");
    assert.equal(first.minimumWaitDuration, "1800s");

    const same = (await update(list.newClientState)).listUpdateResponses[0];
    assert.equal(same.responseType, "PARTIAL_UPDATE");
    assert.equal(same.additions, undefined);
    assert.equal(same.newClientState, list.newClientState);

    await server.publish({ malware: ["http://evil.test/bad/", "http://new.test/"] });
    const next = (await update(list.newClientState)).listUpdateResponses[0];
    assert.equal(next.responseType, "PARTIAL_UPDATE");
    assert.equal(next.removals[0].rawIndices.indices.length, 1);
    assert.equal(
      next.additions[0].rawHashes.rawHashes,
      sha256("new.test/").subarray(0, 4).toString("base64"),
    );
  });

  test("finds full hashes", async () => {
    const { data } = await client().fullHashes.find({
      requestBody: { threatInfo: info([{ hash: PREFIX }]) },
    });
    assert.equal(data.matches.length, 1);
    assert.equal(data.matches[0].threatType, "MALWARE");
    assert.equal(data.matches[0].threat.hash, LISTED.toString("base64"));
    assert.equal(data.negativeCacheDuration, "300s");
  });

  test("finds URLs", async () => {
    const find = (urls) =>
      client().threatMatches.find({
        requestBody: { threatInfo: info(urls.map((url) => ({ url }))) },
      });
    const urls = ["http://evil.test/bad/page?q", "http://evil.test/good"];
    const { data } = await find(urls);
    assert.deepEqual(
      data.matches.map(({ threat }) => threat.url),
      [urls[0]],
    );
    // The answer has no field for the error of a single URL.
    await assert.rejects(find([...urls, "not a url"]), { status: 400 });
  });
});

describe("@googleapis/safebrowsing, v5", () => {
  // The v5 methods of this client request no format, so the server answers in protobuf.
  const client = () =>
    safebrowsing({
      version: "v5",
      rootUrl: `${server.origin}/`,
      auth: "any-key",
      params: { alt: "json" },
    });

  test("lists the lists, including one of our own", async () => {
    const { data } = await client().hashLists.list();
    assert.deepEqual(
      data.hashLists.map(({ name }) => name),
      ["intranet-4b", "mw-4b"],
    );
  });

  test("gets one list and several", async () => {
    const one = (await client().hashList.get({ name: "mw-4b" })).data;
    assert.equal(one.partialUpdate ?? false, false);
    assert.equal(one.additionsFourBytes.entriesCount, 1);
    const { data } = await client().hashLists.batchGet({
      names: ["gc-32b", "mw-4b"],
      version: ["", one.version],
    });
    assert.deepEqual(
      data.hashLists.map(({ name }) => name),
      ["gc-32b", "mw-4b"],
    );
    assert.equal(data.hashLists[1].partialUpdate, true);
    assert.equal(data.hashLists[1].additionsFourBytes, undefined);
  });

  test("searches hashes", async () => {
    const { data } = await client().hashes.search({ hashPrefixes: [PREFIX] });
    assert.deepEqual(data.fullHashes, [
      { fullHash: LISTED.toString("base64"), fullHashDetails: [{ threatType: "MALWARE" }] },
    ]);
    assert.equal(data.cacheDuration, "300s");
    const nothing = (await client().hashes.search({ hashPrefixes: ["AAAAAA=="] })).data;
    assert.equal(nothing.fullHashes, undefined);
  });
});

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { createLookup } from "../../../packages/client/dist/index.js";
import { throughRelay } from "../../../packages/client/dist/ohttp/index.js";
import {
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
} from "../../../packages/ohttp/dist/binary-http.js";
import {
  createGateway,
  decodeKeyConfigs,
  encapsulateRequest,
  encodeKeyConfig,
  generateGatewayKey,
} from "../../../packages/ohttp/dist/index.js";
import { encodeMessage } from "../../../packages/wire/dist/index.js";
import { searchHashes } from "../../../packages/wire/dist/v5/index.js";
import { firefoxScripts } from "../server/firefox/firefox-scripts.js";
import { randomNumbers } from "../server/support/odd-urls.js";
import { program } from "../server/support/required-programs.js";

const { path, skip } = program("firefox-esr");

/**
 * The start of each script. A window of the browser keeps objects that cannot be sent, such as keys, between two
 * scripts.
 */
const START = `
  const oblivious = Cc["@mozilla.org/network/oblivious-http;1"].getService(Ci.nsIObliviousHttp);
  const binary = Cc["@mozilla.org/network/binary-http;1"].getService(Ci.nsIBinaryHttp);
  const kept = (Services.wm.getMostRecentWindow(null).kept ??= {});
  const ofRequest = ({ method, scheme, authority, path, headers, content }) => ({
    method, scheme, authority, path, content,
    headerNames: headers.map(([name]) => name), headerValues: headers.map(([, value]) => value),
    QueryInterface: ChromeUtils.generateQI(["nsIBinaryHttpRequest"]),
  });
  const ofResponse = ({ status, headers, content }) => ({
    status, content,
    headerNames: headers.map(([name]) => name), headerValues: headers.map(([, value]) => value),
    QueryInterface: ChromeUtils.generateQI(["nsIBinaryHttpResponse"]),
  });
  const fields = (message) => message.headerNames.map((name, i) => [name, message.headerValues[i]]);`;

/** Firefox as the client: encrypts a request, and keeps the context that decrypts the answer. */
const ENCAPSULATE = `${START}
  const [config, request] = args;
  const { encRequest, response } = oblivious.encapsulateRequest(config, binary.encodeRequest(ofRequest(request)));
  kept.response = response;
  return Array.from(encRequest);`;

const OPEN_ANSWER = `${START}
  const read = binary.decodeResponse(kept.response.decapsulate(args[0]));
  return { status: read.status, headers: fields(read), content: Array.from(read.content) };`;

/** Firefox as the gateway. */
const MAKE_KEY = `${START}
  kept.server = oblivious.server();
  return Array.from(kept.server.encodedConfig);`;

const OPEN_REQUEST = `${START}
  const [message, answer] = args;
  const opened = kept.server.decapsulate(message);
  const read = binary.decodeRequest(opened.request);
  const { method, scheme, authority, path } = read;
  const request = { method, scheme, authority, path, headers: fields(read), content: Array.from(read.content) };
  return { request, answer: Array.from(opened.encapsulate(binary.encodeResponse(ofResponse(answer)))) };`;

const bytes = (numbers) => Uint8Array.from(numbers);

/** A message without trailers, which Firefox does not support, and with content that can be sent as JSON. */
function plain({ content = [], trailers: _, informational: __, ...others }) {
  return { headers: [], ...others, content: [...content] };
}

const SIZES = [0, 1, 63, 64, 16_383, 16_384, 70_000];

/** Requests and responses with sizes around those at which the encoding of a length changes (RFC 9000 §16). */
function exchanges() {
  const random = randomNumbers(20_261_127);
  const data = (size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256));
  return SIZES.map((size, i) => ({
    request: {
      method: i % 2 === 0 ? "GET" : "POST",
      scheme: "https",
      authority: "lists.example:8443",
      path: `/v5/hashes:search?hashPrefixes=${"A".repeat(i * 20)}`,
      headers: [
        ["accept", "application/x-protobuf"],
        ["x-long", "v".repeat(size % 5000)],
      ],
      content: data(i % 2 === 0 ? 0 : size),
    },
    response: { status: 200 + i, headers: [["content-type", "text/plain"]], content: data(size) },
  }));
}

describe("Oblivious HTTP with Firefox", { skip, timeout: 600_000 }, () => {
  let firefox;
  before(async () => {
    firefox = await firefoxScripts({ path });
  });
  after(() => firefox?.stop());

  test("what Firefox's client sends, our gateway opens, and Firefox reads the answer", async () => {
    const key = await generateGatewayKey(3);
    const gateway = await createGateway([key]);
    const config = [...encodeKeyConfig(key.config)];
    for (const { request, response } of exchanges()) {
      const message = bytes(await firefox.run(ENCAPSULATE, config, plain(request)));
      const opened = await gateway.openRequest(message);
      assert.deepEqual(plain(decodeRequest(opened.request)), plain(request));
      const answer = await opened.sealResponse(encodeResponse(response));
      assert.deepEqual(await firefox.run(OPEN_ANSWER, [...answer]), plain(response));
    }
  });

  test("what our client sends, Firefox's gateway opens, and we read the answer", async () => {
    const made = await firefox.run(MAKE_KEY);
    const [config] = decodeKeyConfigs(bytes([0, made.length, ...made]));
    for (const aead of [1, 3]) {
      const chosen = {
        ...config,
        algorithms: config.algorithms.filter((one) => one.aead === aead),
      };
      for (const { request, response } of exchanges()) {
        const sent = await encapsulateRequest(chosen, encodeRequest(request));
        const read = await firefox.run(OPEN_REQUEST, [...sent.message], plain(response));
        assert.deepEqual(read.request, plain(request));
        const answer = decodeResponse(await sent.openResponse(bytes(read.answer)));
        assert.deepEqual(plain(answer), plain(response));
      }
    }
  });

  test("what createLookup sends through a relay, Firefox's gateway opens, and the verdict is that of its answer", async () => {
    const config = bytes(await firefox.run(MAKE_KEY));
    const keys = Uint8Array.of(config.length >> 8, config.length & 255, ...config);
    const content = encodeMessage(searchHashes.response, {
      fullHashes: [
        {
          fullHash: createHash("sha256").update("evil.example/").digest(),
          fullHashDetails: [{ threatType: "MALWARE", attributes: [] }],
        },
      ],
      cacheDuration: 300_000,
    });
    const headers = [["content-type", "application/x-protobuf"]];
    const asked = [];
    const sent = [];
    const lookup = createLookup({
      server: "https://lists.example",
      key: "a-key",
      ohttp: throughRelay({ relay: "https://relay.example/", keys }),
      async fetch(url, { body }) {
        sent.push(url);
        const answer = plain({ status: 200, headers, content });
        const read = await firefox.run(OPEN_REQUEST, [...body], answer);
        asked.push(read.request);
        return new Response(bytes(read.answer), {
          headers: { "content-type": "message/ohttp-res" },
        });
      },
    });
    const { verdict, matches } = await lookup.check("http://evil.example/");
    assert.deepEqual([verdict, matches[0]?.expression], ["unsafe", "evil.example/"]);
    assert.deepEqual(sent, ["https://relay.example/"]);
    const [{ method, scheme, authority, path }] = asked;
    assert.deepEqual([method, scheme, authority], ["GET", "https", "lists.example"]);
    assert.match(path, /^\/v5\/hashes:search\?/);
    assert.match(path, /key=a-key/);
  });
});

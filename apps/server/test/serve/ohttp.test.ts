import { generateSigningKey, memoryStorage, publish, signerOf } from "@x/list-store";
import { decodeKeyConfigs, encapsulateRequest, generateGatewayKey } from "@x/ohttp";
import { type BinaryRequest, decodeResponse, encodeRequest } from "@x/ohttp/binary-http";
import { fullHash } from "@x/sha256-prefix";
import { decodeMessage } from "@x/wire";
import { searchHashes } from "@x/wire/v5";
import { afterAll, describe, expect, test } from "vitest";
import {
  formatOhttpKeys,
  openOhttpKeys,
  parseOhttpKeys,
  withNewKey,
} from "../../src/serve/ohttp/ohttp-keys.ts";
import { startLoggedServer } from "../support/logged-server.ts";

const DAY = 86_400_000;
const keys = await withNewKey([], Date.parse("2026-11-01T00:00:00Z"), DAY);
const signer = await signerOf(await generateSigningKey("test"));
const storage = memoryStorage();
const entry = fullHash("evil.example/");
const publication = { storage, signer, publicKeys: [signer.publicKey], lifetime: 30 * DAY };
await publish({ ...publication, list: "malware", fullHashes: [entry] });
const server = await startLoggedServer(storage, signer, { ohttp: await openOhttpKeys(keys) });
const { host } = new URL(server.origin);
const gateway = `${server.origin}/.well-known/ohttp-gateway`;
afterAll(() => server.stop());

const prefix = Buffer.from(entry.subarray(0, 4)).toString("base64url");
const SEARCH = {
  method: "GET",
  scheme: "http",
  authority: host,
  path: `/v5/hashes:search?hashPrefixes=${prefix}`,
};

async function publishedKey() {
  const response = await fetch(gateway);
  expect(response.headers.get("content-type")).toBe("application/ohttp-keys");
  return decodeKeyConfigs(new Uint8Array(await response.arrayBuffer()))[0]!;
}

function send(message: Uint8Array, type = "message/ohttp-req"): Promise<Response> {
  const body = new Uint8Array(message);
  return fetch(gateway, { method: "POST", body, headers: { "content-type": type } });
}

async function ask(request: BinaryRequest | Uint8Array) {
  const bytes = request instanceof Uint8Array ? request : encodeRequest(request);
  const { message, openResponse } = await encapsulateRequest(await publishedKey(), bytes);
  const response = await send(message);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("message/ohttp-res");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const opened = await openResponse(new Uint8Array(await response.arrayBuffer()));
  expect(opened.length % 128).toBe(0);
  return decodeResponse(opened);
}

describe("the gateway", () => {
  test("answers a search as the server itself does", async () => {
    const { status, headers, content } = await ask(SEARCH);
    const direct = await fetch(`${server.origin}${SEARCH.path}`);
    expect(status).toBe(200);
    expect(content).toEqual(new Uint8Array(await direct.arrayBuffer()));
    expect(Object.fromEntries(headers)["content-type"]).toBe("application/x-protobuf");
    const { fullHashes } = decodeMessage(searchHashes.response, content);
    expect(fullHashes.map(({ fullHash: hash }) => hash)).toEqual([entry]);
  });

  test("answers with a whole list, and a POST", async () => {
    const list = await ask({ ...SEARCH, path: "/v5/hashList/malware" });
    expect(list.status).toBe(200);
    const headers = [["content-type", "application/json"]] as const;
    const content = Buffer.from("{}");
    const path = "/v4/threatListUpdates:fetch";
    const posted = await ask({ ...SEARCH, method: "POST", path, headers, content });
    expect(posted.status).toBe(200);
  });

  test.each([
    [404, { path: "/healthz" }],
    [404, { path: "/metrics" }],
    [404, { path: "/.well-known/ohttp-gateway" }],
    [404, { path: "/" }],
    [404, { path: "/v5/../metrics" }],
    [421, { authority: "other.example" }],
    [421, { authority: "" }],
    [421, { scheme: "ftp" }],
    [421, { authority: "", headers: [["host", "other.example"]] }],
    [405, { method: "DELETE" }],
    [405, { method: "CONNECT", path: "" }],
  ] as const)("refuses with %i inside: %j", async (status, change) => {
    expect((await ask({ ...SEARCH, ...change })).status).toBe(status);
  });

  test("takes the host from the field, and no port that the scheme has anyway", async () => {
    const headers = [["host", host]] as const;
    expect((await ask({ ...SEARCH, authority: "", headers })).status).toBe(200);
    expect((await ask({ ...SEARCH, authority: host.toUpperCase() })).status).toBe(200);
  });

  test("says inside that the message is not a request", async () => {
    const { status, content } = await ask(Uint8Array.of(1, 2, 3));
    expect(status).toBe(400);
    expect(JSON.parse(Buffer.from(content).toString()).error.message).toContain("framing-unknown");
  });

  test("refuses what it cannot decrypt, and names the problem when another key is needed", async () => {
    const other = await generateGatewayKey(200);
    const { message } = await encapsulateRequest(other.config, encodeRequest(SEARCH));
    const unknown = await send(message);
    expect(unknown.status).toBe(400);
    expect(unknown.headers.get("content-type")).toBe("application/problem+json");
    expect((await unknown.json()).type).toBe(
      "https://iana.org/assignments/http-problem-types#ohttp-key",
    );
    const { message: good } = await encapsulateRequest(await publishedKey(), encodeRequest(SEARCH));
    good[good.length - 1]! ^= 1;
    expect((await send(good)).status).toBe(400);
    expect((await send(Uint8Array.of(1))).status).toBe(400);
    expect((await send(good, "application/json")).status).toBe(415);
  });

  test("answers a request again, and answers with nothing from outside the encryption", async () => {
    const { message, openResponse } = await encapsulateRequest(
      await publishedKey(),
      encodeRequest(SEARCH),
    );
    const bodies = [];
    for (const response of [await send(message), await send(message)]) {
      const body = new Uint8Array(await response.arrayBuffer());
      expect(Buffer.from(body).includes(Buffer.from(entry))).toBe(false);
      bodies.push(decodeResponse(await openResponse(body)).content);
    }
    expect(bodies[0]).toEqual(bodies[1]);
  });

  test("logs neither the prefix nor the key", async () => {
    await ask(SEARCH);
    const secret = Buffer.from(keys[0]!.privateKey).toString("base64url");
    const log = server.log();
    expect(log).toContain('"inner":"v5.hashes.search"');
    for (const text of [prefix, secret]) expect(log).not.toContain(text);
  });
});

describe("the file of keys", () => {
  test("is read as it was written", () => {
    expect(parseOhttpKeys(formatOhttpKeys(keys), "keys")).toEqual(keys);
  });

  test("old keys stay until they have been replaced for the overlap", async () => {
    const [first] = keys;
    const start = first!.created;
    const second = await withNewKey(keys, start + DAY, 7 * DAY);
    expect(second.map(({ config }) => config.keyId)).toEqual([1, 0]);
    const third = await withNewKey(second, start + 7 * DAY, 7 * DAY);
    expect(third.map(({ config }) => config.keyId)).toEqual([2, 1, 0]);
    const fourth = await withNewKey(third, start + 8 * DAY, 7 * DAY);
    expect(fourth.map(({ config }) => config.keyId)).toEqual([3, 2, 1]);
    const last = { ...first!, config: { ...first!.config, keyId: 255 } };
    expect((await withNewKey([last], start + DAY, DAY)).map(({ config }) => config.keyId)).toEqual([
      0, 255,
    ]);
  });

  test.each([
    ["", "keys has no key"],
    ["# nothing\n", "keys has no key"],
    ["1 x y z\n", "keys: line 1 is not a key"],
    [`${formatOhttpKeys([keys[0]!])}${formatOhttpKeys([keys[0]!])}`, "keys: line 6 is not a key"],
    [formatOhttpKeys([keys[0]!]).replace(/^0 /m, "256 "), "keys: line 3 is not a key"],
  ])("%j is refused without repeating it", (text, message) => {
    expect(() => parseOhttpKeys(text, "keys")).toThrow(new Error(message));
  });
});

import { get } from "node:http";
import { generateSigningKey, memoryStorage, publish, signerOf } from "@x/list-store";
import { decodeKeyConfigs, encapsulateRequest, generateGatewayKey } from "@x/ohttp";
import { type BinaryRequest, decodeResponse, encodeRequest } from "@x/ohttp/binary-http";
import { fullHash } from "@x/sha256-prefix";
import { sampleSize } from "@x/test-support/sample-size";
import { decodeMessage } from "@x/wire";
import { searchHashes } from "@x/wire/v5";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import {
  formatOhttpKeys,
  openOhttpKeys,
  parseOhttpKeys,
  withNewKey,
} from "../../src/serve/ohttp/gateway.ts";
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

/** Sends a GET request to the server with exactly this path. */
function plainGet(path: string): Promise<{ status: number | undefined; body: Buffer }> {
  const { hostname, port } = new URL(server.origin);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path }, async (answer) => {
      resolve({ status: answer.statusCode, body: Buffer.concat(await answer.toArray()) });
    }).on("error", reject);
  });
}

async function ask(request: BinaryRequest | Uint8Array) {
  const bytes = request instanceof Uint8Array ? request : encodeRequest(request);
  const { message, openResponse } = await encapsulateRequest(await publishedKey(), bytes);
  const response = await send(message);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("message/ohttp-res");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const opened = await openResponse(new Uint8Array(await response.arrayBuffer()));
  expect(opened.length % 1024).toBe(0);
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

describe("the gateway reaches nothing but the API of its server", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** Returns the requests that the gateway itself sends during an action. */
  async function sentWhile(act: () => Promise<void>): Promise<string[]> {
    const sent: string[] = [];
    const platform = fetch;
    vi.stubGlobal("fetch", (input: string, init?: RequestInit) => {
      if (String(input) !== gateway) sent.push(String(input));
      return platform(input, init);
    });
    await act();
    return sent;
  }

  test.each([
    ["/lookup"],
    ["/lookup/status?url=http://evil.example/"],
    ["/readyz"],
    ["/openapi.json"],
    ["//other.example/"],
    ["//metrics"],
    ["/v5/%2e%2e/metrics"],
    ["/http://other.example/v5/hashList/malware"],
    ["/v5/hashes:search/../../metrics"],
    ["/%6detrics"],
    ["/metrics;/v5/hashes:search"],
    ["/\\metrics"],
    ["/@other.example/"],
    ["/v5/hashes:search HTTP/1.1"],
  ])("not %s", async (path) => {
    const sent = await sentWhile(async () => {
      const asked = path.includes(" ")
        ? ask(
            encodeRequest({ ...SEARCH, path: path.replace(" ", "_") }).map((byte) =>
              byte === 0x5f ? 0x20 : byte,
            ),
          )
        : ask({ ...SEARCH, path });
      const { status, content } = await asked;
      expect(status).toBeGreaterThanOrEqual(400);
      expect(Buffer.from(content).includes(Buffer.from(entry))).toBe(false);
    });
    expect(sent).toEqual([]);
  });

  test.each([
    ["other.example", []],
    ["other.example", [["host", host]]],
    [`user@${host}`, null],
    [`${host}.other.example`, []],
    ["127.0.0.1", []],
    ["", []],
    [
      "",
      [
        ["host", host],
        ["host", "other.example"],
      ],
    ],
    ["", [["host", `${host}, ${host}`]]],
  ] as readonly [string, [string, string][] | null][])(
    "not for the host %j with the fields %j",
    async (authority, headers) => {
      if (headers === null) {
        expect(() => encodeRequest({ ...SEARCH, authority })).toThrow("authority-wrong");
        return;
      }
      expect((await ask({ ...SEARCH, authority, headers })).status).toBe(421);
    },
  );

  test.each([
    ["transfer-encoding", "chunked"],
    ["content-length", "5"],
    ["connection", "upgrade"],
    ["upgrade", "h2c"],
    ["forwarded", "for=192.0.2.1;host=other.example"],
    ["x-forwarded-host", "other.example"],
    ["x-original-url", "/metrics"],
    ["x-http-method-override", "DELETE"],
    ["expect", "100-continue"],
    ["range", "bytes=0-1"],
    ["content-encoding", "gzip"],
  ] as const)(
    "the field %s: %s changes neither where a request ends nor where it goes",
    async (...field) => {
      const plain = await ask(SEARCH);
      const content = Buffer.from("0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
      const alone = await ask({ ...SEARCH, headers: [field] });
      const smuggled = await ask({ ...SEARCH, headers: [field], content });
      for (const answer of [alone, smuggled]) {
        if (answer.status < 400) expect(answer.content).toEqual(plain.content);
        else expect(Buffer.from(answer.content).includes(Buffer.from(entry))).toBe(false);
      }
    },
  );

  test("not in a request inside a request", async () => {
    const { message } = await encapsulateRequest(await publishedKey(), encodeRequest(SEARCH));
    const nested = { ...SEARCH, method: "POST", path: "/.well-known/ohttp-gateway" };
    const headers = [["content-type", "message/ohttp-req"]] as const;
    expect((await ask({ ...nested, headers, content: message })).status).toBe(404);
  });

  test.each([
    ["content", { method: "POST", content: new Uint8Array(2 ** 20) }],
    ["path", { path: `${SEARCH.path}&x=${"a".repeat(2 ** 20)}` }],
    ["field", { headers: [["x", "a".repeat(2 ** 20)]] }],
  ] as [string, Partial<BinaryRequest>][])("refuses an endless %s", async (_, change) => {
    const bytes = encodeRequest({ ...SEARCH, ...change });
    const { message } = await encapsulateRequest(await publishedKey(), bytes);
    expect((await send(message)).status).toBe(413);
    expect((await ask(SEARCH)).status).toBe(200);
  });

  test("refuses more fields than a request has", async () => {
    const headers = Array.from({ length: 201 }, (_, i) => [`x${i}`, ""] as const);
    expect((await ask({ ...SEARCH, headers })).status).toBe(400);
    expect((await ask({ ...SEARCH, headers: headers.slice(1) })).status).toBe(200);
  });

  test("whatever the path is, a good answer is that of the API to the same path", {
    tags: "deep",
  }, async () => {
    const words = [
      ...["/", "//", "/v5", "/v4", "/v1", "/hashes:search", "?hashPrefixes=", prefix, "&", "?"],
      ...["/..", "/.", "/%2e%2e", "%2F", "\\", ":", "@", ";", "other.example", "http:", "/metrics"],
      ...["/hashList/malware", "/hashLists", "/lookup", "=", "%00", "key", "alt=json", "*", "'"],
    ];
    const { method, scheme, authority } = SEARCH;
    let good = 0;
    const paths = fc.oneof(
      fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((all) => `/${all.join("")}`),
      fc
        .array(fc.constantFrom(...words), { maxLength: 3 })
        .map((all) => `/v5/hashes:search?hashPrefixes=${prefix}${all.join("")}`),
    );
    await fc.assert(
      fc.asyncProperty(paths, async (path) => {
        const { status, content } = await ask({ method, scheme, authority, path });
        if (status !== 200) return;
        good++;
        expect(path).toMatch(/^\/(?:v4|v5|v1)\//);
        const direct = await plainGet(path);
        expect([direct.status, Uint8Array.from(direct.body)]).toEqual([
          200,
          Uint8Array.from(content),
        ]);
      }),
      { numRuns: sampleSize(2000), seed: 7 },
    );
    expect(good).toBeGreaterThan(10);
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

test("the length of an answer does not say whether a search found something, or failed", {
  tags: "deep",
}, async () => {
  const storage = memoryStorage();
  const names = [
    "malware",
    "social-engineering",
    ...Array.from({ length: 40 }, (_, i) => `own-${i}`),
  ];
  for (const list of names) {
    await publish({
      ...publication,
      storage,
      list,
      fullHashes: [entry, fullHash(`${list}.example/`)],
    });
  }
  const many = await startLoggedServer(storage, signer, { ohttp: await openOhttpKeys(keys) });
  const config = await publishedKey();
  async function lengthOf(path: string): Promise<number> {
    const request = encodeRequest({ ...SEARCH, authority: new URL(many.origin).host, path });
    const { message } = await encapsulateRequest(config, request);
    const response = await fetch(many.origin + new URL(gateway).pathname, {
      ...{ method: "POST", body: new Uint8Array(message) },
      headers: { "content-type": "message/ohttp-req" },
    });
    return (await response.arrayBuffer()).byteLength;
  }
  const hosts = [...names.map((list) => `${list}.example/`), "evil.example/", "good.example/"];
  const hash = fc.constantFrom(...hosts).map((text) => {
    const bytes = fullHash(text).subarray(0, 4);
    return `hashPrefixes=${Buffer.from(bytes).toString("base64url")}`;
  });
  const search = fc
    .array(hash, { minLength: 1, maxLength: 8 })
    .map((prefixes) => `/v5/hashes:search?${prefixes.join("&")}`);
  const wrong = fc.constantFrom(
    "/v5/hashes:search",
    "/v5/hashes:search?hashPrefixes=AA",
    "/nothing",
  );
  const missed = await lengthOf("/v5/hashes:search?hashPrefixes=AAAAAA");
  await fc.assert(
    fc.asyncProperty(fc.oneof(search, wrong), async (path) => {
      expect(await lengthOf(path)).toBe(missed);
    }),
    { numRuns: sampleSize(1000), seed: 1 },
  );
  await many.stop();
});

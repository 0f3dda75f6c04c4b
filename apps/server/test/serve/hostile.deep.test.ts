import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { memoryStorage } from "@x/list-store";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  DAY,
  newSigner,
  publisher,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import { createHttpServer } from "../../src/serve/http/http-server.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import { field } from "../support/plain-messages.ts";

const SECRET = "very-secret-word";
let server: LoggedServer;
const folder = mkdtempSync(join(tmpdir(), "server-"));

beforeAll(async () => {
  const signer = await newSigner();
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["a.example/"]);
  server = await startLoggedServer(storage, signer, {
    seenFile: join(folder, "seen"),
    poll: 1000,
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends bytes unchanged, and returns everything that the server sends until it closes the connection. */
function send(...pieces: (string | Uint8Array)[]): Promise<string> {
  return sendTo(Number(new URL(server.origin).port), ...pieces);
}

function sendTo(port: number, ...pieces: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.on("data", (data) => {
      received += data.toString("latin1");
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server that refuses a request may close the connection before the whole request has been sent.
      if (error.code === "ECONNRESET" || error.code === "EPIPE") resolve(received);
      else reject(error);
    });
    socket.on("close", () => resolve(received));
  });
}

const request = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, "Host: a", "Connection: close", ...headers, "", ""].join("\r\n");
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const post = (target: string, type: string, body: Uint8Array) => [
  request(`POST ${target}`, `Content-Type: ${type}`, `Content-Length: ${body.length}`),
  body,
];

test("an ordinary request is answered", async () => {
  expect(statusOf(await send(request("GET /v5/hashList/mw-4b")))).toBe(200);
  expect(await send(request("HEAD /v5/hashList/mw-4b"))).toMatch(
    /Content-Length: \d+\r\n[\s\S]*\r\n\r\n$/,
  );
});

test("a connection is kept open for the next request, but not after a body that nobody read", async () => {
  const get = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
  const client = connect(Number(new URL(server.origin).port), "127.0.0.1");
  for (let i = 0; i < 3; i++) {
    client.write(get);
    const [answer] = await once(client, "data");
    expect(String(answer)).toMatch(/200 OK/);
  }
  client.destroy();
  const withBody = `GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n`;
  expect(await send(withBody, get)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close/);
});

const PREFIX = "hashPrefixes=AQIDBA%3D%3D";
const many = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `hashPrefixes=${Buffer.from([1, 2, i >> 8, i]).toString("base64url")}`,
  ).join("&");

test.each([
  ["another method", request(`DELETE /v5/hashList/${SECRET}`), 405],
  ["the wrong method", request(`POST /v5/hashes:search?${PREFIX}&x=${SECRET}`), 405],
  ["a GET where a POST belongs", request(`GET /v4/fullHashes:find?x=${SECRET}`), 405],
  ["an unknown path", request(`GET /${SECRET}`), 404],
  ["a path upwards", request(`GET /v5/hashList/../../../etc/${SECRET}`), 404],
  // The path names a list that no store has. No file is read by that name.
  ["an escaped path upwards", request(`GET /v5/hashList/..%2f..%2fetc%2f${SECRET}`), 200],
  ["a broken escape", request(`GET /v5/%ff${SECRET}`), 404],
  // RFC 9112 §3.2.2
  ["a whole URL as target", request(`GET http://${SECRET}.example/v5/hashLists`), 200],
  ["a whole URL without a path", request(`GET HTTPS://${SECRET}.example:8080?x=${SECRET}`), 200],
  ["a whole URL of nothing that is here", request(`GET http://a.example/${SECRET}`), 404],
  ["a whole URL in a path", request("GET /http://a.example/v5/hashLists"), 404],
  ["a whole URL without a host", request("GET http:///v5/hashLists"), 400],
  ["a whole URL of another scheme", request("GET ftp://a.example/v5/hashLists"), 400],
  ["a target that is no path", request(`GET ${SECRET}`), 400],
  ["two Host headers", request("GET /v5/hashLists", `Host: ${SECRET}`), 400],
  ["no Host header", `GET /v5/hashLists HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
  ["no Host header in HTTP/1.0", "GET /v5/hashLists HTTP/1.0\r\n\r\n", 200],
  ["two Host headers in HTTP/1.0", "GET /v5/hashLists HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", 400],
  ["a header that is none", request("GET /v5/hashLists", SECRET), 400],
  [
    "conflicting lengths",
    request("POST /v4/fullHashes:find", "Content-Length: 5", "Transfer-Encoding: chunked"),
    400,
  ],
  ["headers of 100 kB", request("GET /v5/hashLists", `X: ${SECRET.repeat(7000)}`), 431],
  ["no prefixes", request("GET /v5/hashes:search"), 400],
  ["1000 prefixes", request(`GET /v5/hashes:search?${many(1000)}`), 200],
  ["1001 prefixes", request(`GET /v5/hashes:search?${many(1001)}`), 400],
  ["a prefix of three bytes", request("GET /v5/hashes:search?hashPrefixes=AQID"), 400],
  ["a prefix that is not base64", request(`GET /v5/hashes:search?hashPrefixes=${SECRET}!`), 400],
  ["no names", request("GET /v5/hashLists:batchGet"), 400],
  ["a format that is not written", request(`GET /v5/hashLists?alt=${SECRET}`), 400],
  ["a list page far away", request("GET /v5/hashLists?pageToken=999999&pageSize=1"), 200],
  ["a page token of another server", request("GET /v5/hashLists?pageToken=x1"), 400],
])("%s", async (_, text, status) => {
  expect(statusOf(await send(text))).toBe(status);
});

const hash = field(1, Buffer.from([1, 2, 3, 4]));
const info = (count: number) =>
  field(
    3,
    Buffer.concat([
      field(1, 1),
      field(2, 6),
      field(4, 1),
      ...Array.from({ length: count }, () => field(3, hash)),
    ]),
  );

test.each([
  ["1000 hashes", info(1000), 200],
  ["10 000 hashes", info(10_000), 400],
  ["a message that is cut off", Buffer.from([0x1a, 0x7f, 1]), 400],
  ["a length of two gigabytes", Buffer.from([0x1a, 0xff, 0xff, 0xff, 0xff, 0x07]), 400],
  ["bytes that are no message", Buffer.alloc(1000, 0xff), 400],
  ["an empty message", Buffer.alloc(0), 400],
])("protobuf: %s", async (_, body, status) => {
  const answer = await send(...post("/v4/fullHashes:find", "application/x-protobuf", body));
  expect(statusOf(answer)).toBe(status);
});

test.each([
  ["not JSON", `{"${SECRET}`, 400],
  ["an array", "[]", 400],
  ["a very deep one", "[".repeat(100_000), 400],
  [
    "URLs that are none",
    JSON.stringify({
      threatInfo: {
        threatTypes: ["MALWARE"],
        threatEntryTypes: ["URL"],
        threatEntries: [{ url: SECRET }, { url: "http://[" }],
      },
    }),
    400,
  ],
  [
    "501 URLs",
    JSON.stringify({
      threatInfo: { threatEntries: Array(501).fill({ url: `http://${SECRET}/` }) },
    }),
    400,
  ],
])("JSON: %s", async (_, text, status) => {
  const answer = await send(
    ...post("/v4/threatMatches:find", "application/json", Buffer.from(text)),
  );
  expect(statusOf(answer)).toBe(status);
});

describe("bodies", () => {
  test("that are too long are not read", async () => {
    const head = request("POST /v4/fullHashes:find", `Content-Length: ${2 ** 31}`);
    expect(statusOf(await send(head))).toBe(413);
  });

  test("that grow too long are cut off", async () => {
    const head = request("POST /v4/fullHashes:find", "Transfer-Encoding: chunked");
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    expect(statusOf(await send(head, ...Array(20).fill(chunk)))).toBe(413);
  });

  const chunks = (size: number, count: number) =>
    `${size.toString(16)}\r\n${" ".repeat(size)}\r\n`.repeat(count);
  const inChunks = (target: string, type: string) =>
    request(`POST ${target}`, `Content-Type: ${type}`, "Transfer-Encoding: chunked");
  test.each([
    ["/v4/threatMatches:find", "application/json"],
    ["/lookup", "text/plain"],
  ])("in pieces of a few bytes are cut off, and in longer ones read: %s", async (target, type) => {
    const head = inChunks(target, type);
    const few = `${chunks(1, 1000)}2\r\n{}\r\n0\r\n\r\n`;
    expect(await send(head, few)).toMatch(/\}/);
    expect(await send(head, `${chunks(8, 5000)}2\r\n{}\r\n0\r\n\r\n`)).toMatch(/\}/);
    // The body never ends, so only the server can end the connection.
    expect(await send(head, chunks(4, 5000))).not.toMatch(/\}/);
    expect(await send(head, chunks(1, 200_000))).not.toMatch(/\}/);
    expect(statusOf(await send(request("GET /healthz")))).toBe(200);
  });

  const url = `http://a.example/${"a".repeat(1980)}`;
  const urls = (count: number) => Array.from({ length: count }, () => ({ url }));
  const lists = Array.from({ length: 100 }, (_, i) => ({
    ...{ threatType: "MALWARE", platformType: "WINDOWS", threatEntryType: 1000 + i, state: "" },
    constraints: {
      ...{ maxUpdateEntries: 2048, maxDatabaseEntries: 4096, region: "US" },
      supportedCompressions: ["RAW", "RICE"],
    },
  }));
  const hashes = Array.from({ length: 1000 }, (_, i) => ({
    hash: Buffer.from(String(i).padStart(4, "0")).toString("base64"),
  }));
  const types = { threatTypes: ["MALWARE"], platformTypes: ["WINDOWS"], threatEntryTypes: ["URL"] };
  test.each([
    ["/v4/threatMatches:find", { threatInfo: { ...types, threatEntries: urls(500) } }],
    ["/v4/fullHashes:find", { threatInfo: { ...types, threatEntries: hashes } }],
    ["/v4/threatListUpdates:fetch", { listUpdateRequests: lists }],
    ["/lookup", { urls: urls(500).map(({ url }) => url) }],
    ["/lookup", { urls: Array.from({ length: 1000 }, (_, i) => `http://a.example/${i}`) }],
  ])("of the longest honest requests are answered: %s, %#", async (target, message) => {
    const body = Buffer.from(JSON.stringify(message));
    expect(await send(...post(target, "application/json", body))).toMatch(/^HTTP\/1\.1 200/);
  });

  const MEBIBYTE = 2 ** 20;
  const filled = (unit: string) => unit.repeat((MEBIBYTE - 100) / unit.length);
  const keys = Array.from({ length: 70_000 }, (_, i) => `"${i}":0`).join();
  test.each([
    ["brackets", `{"urls":${filled("[")}`],
    ["empty objects", `{"urls":[${filled("{},")}{}]}`],
    ["different keys", `{${keys}}`],
    ["numbers", `{"urls":[${filled("0,")}0]}`],
  ])("of a mebibyte of %s are not even parsed", async (_, body) => {
    const parse = vi.spyOn(JSON, "parse");
    for (const target of ["/v4/threatMatches:find", "/v4/threatListUpdates:fetch", "/lookup"]) {
      const answer = await send(...post(target, "application/json", Buffer.from(body)));
      expect(statusOf(answer)).toBe(400);
      expect(answer).toMatch(/a message with fewer fields and elements|at most 1000 URLs/);
    }
    // Files of the store are parsed with `JSON.parse`, too, but they are short.
    expect(parse.mock.calls.filter(([text]) => text.length > 2 ** 16)).toEqual([]);
    parse.mockRestore();
  });

  test.each([
    ["lists", [0x1a, 0]],
    ["parts of the client", [0x0a, 0]],
    ["unknown fields", [0x78, 0]],
  ])("of many %s in protobuf are refused", async (_, field) => {
    const body = Buffer.alloc(200_000, Buffer.from(field));
    const answer = await send(
      ...post("/v4/threatListUpdates:fetch", "application/x-protobuf", body),
    );
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain("a message with fewer fields and elements");
  });

  test("and compressed ones are refused, not unpacked", async () => {
    const head = request("POST /v4/fullHashes:find", "Content-Encoding: gzip", "Content-Length: 3");
    expect(statusOf(await send(head, "abc"))).toBe(400);
  });
});

test.each([
  ["headers", "GET /v5/hashLists HTTP/1.1\r\nHost: a\r\n"],
  ["body", `${request("POST /v4/fullHashes:find", "Content-Length: 1000")}x`],
])("a client that never finishes its %s is told so, and cut off", async (_, start) => {
  const http = createHttpServer({
    tls: null,
    answer: () => Promise.reject(new Error("nothing to answer")),
    onReply() {},
    onError() {},
    requestTimeout: 300,
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  expect(statusOf(await sendTo(port, start))).toBe(408);
  http.close();
});

test.each([
  [16, 200],
  [17, 400],
])("%i updates of one list in one answer: %i", async (count, status) => {
  const listUpdateRequests = Array.from({ length: count }, (_, i) => ({
    threatType: "MALWARE",
    platformType: i + 1,
    threatEntryType: "URL",
  }));
  const body = Buffer.from(JSON.stringify({ listUpdateRequests }));
  const answer = await send(...post("/v4/threatListUpdates:fetch", "application/json", body));
  expect(statusOf(answer)).toBe(status);
});

test.each([
  ["", "sends nothing"],
  ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "sends plain HTTP"],
  ["\x16\x03\x01", "stops in the middle"],
])("a client that begins TLS with %j is cut off: it %s", async (start) => {
  const file = (name: string) =>
    readFileSync(new URL(`../support/tls/test-only.${name}.pem`, import.meta.url));
  const https = createHttpServer({
    tls: { cert: file("cert"), key: file("key") },
    answer: () => Promise.reject(new Error("nothing to answer")),
    onReply() {},
    onError() {},
    requestTimeout: 300,
  });
  await new Promise<void>((resolve) => https.listen(0, "127.0.0.1", resolve));
  expect(await sendTo((https.address() as AddressInfo).port, start)).not.toContain("HTTP/");
  const openConnections = promisify(https.getConnections.bind(https));
  await expect.poll(openConnections).toBe(0);
  https.close();
});

test("no header is dropped, however many there are", async () => {
  const others = Array(3000).fill("A: b");
  const url = "X-Original-URL: http://a.example/";
  const answer = await send(request("GET /lookup/status", ...others, url));
  expect(statusOf(answer)).toBe(403);
});

test("requests behind another one on their connection are not answered, and end it", async () => {
  const answered: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const http = createHttpServer({
    tls: null,
    answer: async ({ target }) => {
      answered.push(target);
      if (target === "/slow") await released;
      return { route: target, status: 200, headers: {}, body: Buffer.from(`<${target}>`) };
    },
    onReply() {},
    onError: (error) => expect(error).toBeNull(),
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const post = "POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345";
  const all = sendTo(port, get("/slow") + post + get("/behind").repeat(2000));
  await expect.poll(() => answered.length).toBe(1);
  // Clients on other connections do not wait.
  expect(await sendTo(port, request("GET /other"))).toContain("</other>");
  release();
  expect((await all).match(/<.*?>/g)).toEqual(["</slow>"]);
  expect(answered).toEqual(["/slow", "/other"]);
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

test("a client that reads no answer is cut off", async () => {
  const http = createHttpServer({
    tls: null,
    answer: () => ({ route: "a", status: 200, headers: {}, body: Buffer.alloc(2 ** 26) }),
    onReply() {},
    onError() {},
    requestTimeout: 300,
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const client = connect(port, "127.0.0.1").pause();
  const [connection] = await once(http, "connection");
  client.write("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(connection, "close");
  // Data that was already on its way still arrives, but nothing more.
  let received = 0;
  client.on("data", (piece) => {
    received += piece.length;
  });
  client.on("error", () => {});
  const closed = new Promise((resolve) => client.once("close", resolve));
  client.resume();
  await closed;
  expect(received).toBeLessThan(2 ** 26);
  http.close();
});

test("a list is not served after it has expired, however seldom the store is looked at", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const signer = await newSigner();
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["a.example/"], { lifetime: 10 * DAY });
  const other = await startLoggedServer(storage, signer, { poll: 20 * DAY });
  const status = async (path: string) => (await fetch(other.origin + path)).status;
  // Later answers to the same request come from the cache.
  const paths = ["/readyz", "/v5/hashList/mw-4b", `/v5/hashes:search?${PREFIX}`];
  for (const path of [...paths, ...paths]) expect(await status(path)).toBe(200);
  vi.setSystemTime(Date.now() + 10 * DAY);
  for (const path of paths) await expect.poll(() => status(path)).toBe(503);
  await other.stop();
});

test("a time between polls that is too long for a timer does not become the shortest one", async () => {
  const signer = await newSigner();
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["a.example/"], { lifetime: 365 * DAY });
  const list = vi.spyOn(storage, "list");
  const other = await startLoggedServer(storage, signer, { poll: 60 * DAY });
  list.mockClear();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(list).not.toHaveBeenCalled();
  await other.stop();
});

test("a list that only the API keys name is an error in the log", async () => {
  const other = await startLoggedServer(memoryStorage(), await newSigner(), {
    keys: `${hashApiKey("a-key")} intrnaet`,
  });
  await other.stop();
  expect(other.log()).toContain("The API keys name the list intrnaet, which is not in the store.");
});

test("nothing of what was sent is in the log, but every request is", () => {
  expect(server.log()).not.toContain(SECRET);
  expect(server.log()).not.toContain("AQID");
  expect(server.log()).not.toContain("127.0.0.1");
  const routes = server
    .log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).route);
  expect(routes.filter((route) => route === "v5.hashes.search").length).toBeGreaterThan(0);
  expect(routes.filter((route) => route === "http").length).toBeGreaterThan(0);
});

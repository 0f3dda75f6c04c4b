import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { memoryStorage } from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { plainList } from "../../../../packages/list-store/test/support/plain-list.ts";
import {
  hashesOf,
  newSigner,
  publisher,
  randomNumbers,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import {
  createGrpcServer,
  type GrpcOptions,
  type GrpcServer,
} from "../../src/serve/grpc/grpc-server.ts";
import { webRiskService } from "../../src/serve/grpc/web-risk-service.ts";
import { unreadAnswers } from "../../src/serve/http/answer-memory.ts";
import { largeBodyOf } from "../../src/serve/http/large-answer.ts";
import type { Reply } from "../../src/serve/http/reply.ts";
import type { ServerOptions } from "../../src/serve/server.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import { webRiskGrpcClient } from "../support/plain-client.ts";
import { frame, GRPC_HEADERS, PATH, type PlainGrpc, plainGrpc } from "../support/plain-grpc.ts";
import { bytesAt, field, messagesAt, numberAt, readFields } from "../support/plain-messages.ts";
import { testServer } from "../support/serving.ts";
import { turnCounter } from "../support/turns.ts";

const signer = await newSigner();
const MALWARE = 1;
const SECRET = "very-secret-word";
const KEY = "a-key";
const OK = 0;
const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNIMPLEMENTED = 12;
const DEADLINE_EXCEEDED = 4;
/** The error code CANCEL of HTTP/2. */
const CANCELLED_STREAM = 8;
const INTERNAL = 13;
const UNAVAILABLE = 14;

const text = (value: string) => Buffer.from(value);
const uriRequest = (uri: string) => Buffer.concat([field(1, text(uri)), field(2, MALWARE)]);
const hashRequest = (prefix: Uint8Array) => Buffer.concat([field(1, prefix), field(2, MALWARE)]);
const diffRequest = (threatType: number) => field(1, threatType);

/** Makes a gRPC server with these answers and without a log. */
function grpcServer(options: Pick<GrpcOptions, "answer"> & Partial<GrpcOptions>): GrpcServer {
  return createGrpcServer({ tls: null, onReply() {}, onError() {}, ...options });
}

/** Lets a server listen on a free port, and returns its origin. */
async function listening(server: GrpcServer): Promise<string> {
  await new Promise<void>((resolve) => server.server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

describe("answers", () => {
  let now = 1_000_000;
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  const rest = testServer(storage, [signer.publicKey], { now: () => now });
  const grpc = grpcServer({
    answer: webRiskService(rest.calls),
  });
  let client: PlainGrpc;
  beforeAll(async () => {
    await publish("malware", ["evil.example/", "other.example/"], { now: () => now });
    await rest.refresh();
    client = plainGrpc(await listening(grpc));
  });
  afterAll(async () => {
    client.close();
    await grpc.drain(1000);
  });

  const prefix = fullHash("evil.example/").subarray(0, 4);
  const base64 = encodeURIComponent(Buffer.from(prefix).toString("base64"));
  test.each([
    ["ComputeThreatListDiff", diffRequest(MALWARE), "threatLists:computeDiff?threatType=MALWARE"],
    ["ComputeThreatListDiff", diffRequest(4), "threatLists:computeDiff?threatType=4"],
    ["SearchHashes", hashRequest(prefix), `hashes:search?threatTypes=1&hashPrefix=${base64}`],
    ["SearchUris", uriRequest("evil.example/a"), "uris:search?threatTypes=1&uri=evil.example/a"],
    ["SearchUris", uriRequest("good.example"), "uris:search?threatTypes=1&uri=good.example"],
  ])("of %s are those of REST", async (method, message, target) => {
    const { code, body } = await client.call(method, message);
    expect(code).toBe(OK);
    const reply = await rest.get(`/v1/${target}&alt=proto`);
    expect(reply.status).toBe(200);
    expect(Buffer.from(body).toString("hex")).toBe(Buffer.from(reply.body).toString("hex"));
  });

  test("say what was found, until when", async () => {
    now = 5_000_000;
    const { body } = await client.call("SearchUris", uriRequest("http://evil.example/now"));
    const [threat] = messagesAt(readFields(body), 1);
    expect(bytesAt(threat!, 1)).toEqual(Uint8Array.of(MALWARE));
    expect(numberAt(messagesAt(threat!, 2)[0]!, 1)).toBe(5_000 + 300);
  });

  test("let a client follow a random history", async () => {
    const random = randomNumbers(7);
    const followers = ["a", "b"].map((name) =>
      webRiskGrpcClient(async (method, message) => {
        const { code, body } = await client.call(method, message, { "user-agent": name });
        expect(code).toBe(OK);
        return body;
      }, MALWARE),
    );
    const kinds: string[] = [];
    let entries = new Set(Array.from({ length: 300 }, (_, i) => `${i}.example/`));
    for (let version = 0; version < 40; version++) {
      entries = new Set([...entries].filter(() => random() > 0.03));
      for (let i = 0; i < 8; i++) entries.add(`${Math.floor(random() * 1000)}.example/`);
      await publish("malware", entries, { now: () => now });
      await rest.refresh();
      for (const [i, follower] of followers.entries()) {
        if (i === 0 || random() < 0.3) kinds.push(await follower.update(random() < 0.1));
      }
    }
    for (const follower of followers) {
      await follower.update();
      expect(follower.list()).toEqual(plainList(hashesOf(entries)));
      expect(await follower.update()).toBe("none");
    }
    expect(kinds.filter((kind) => kind === "partial").length).toBeGreaterThan(20);
    expect(kinds.filter((kind) => kind === "full").length).toBeGreaterThan(2);
  });
});

describe("a server", () => {
  const folder = mkdtempSync(join(tmpdir(), "server-"));
  const [cert, key] = ["cert", "key"].map((name) =>
    readFileSync(new URL(`../support/tls/test-only.${name}.pem`, import.meta.url)),
  );
  let server: LoggedServer;
  let client: PlainGrpc;
  const consoleError = vi.spyOn(console, "error");

  async function started(tls: ServerOptions["tls"], grpcPort = 0): Promise<LoggedServer> {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["evil.example/"]);
    await publish("unwanted-software", ["private.example/"]);
    return startLoggedServer(storage, signer, {
      keys: `${hashApiKey(KEY)} unwanted-software`,
      poll: 1000,
      grpcPort,
      tls,
    });
  }

  beforeAll(async () => {
    server = await started(null);
  });
  beforeEach(() => {
    client = plainGrpc(server.grpcOrigin!);
  });
  afterEach(() => client.session.destroy());
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function expectNoSecret({ log }: LoggedServer): void {
    for (const secret of [SECRET, "example", KEY, "127.0.0.1"]) expect(log()).not.toContain(secret);
  }

  test("answers over TLS, too", async () => {
    const secure = await started({ cert: cert!, key: key!, expires: 0 });
    expect(secure.grpcOrigin).toMatch(/^https:/);
    const overTls = plainGrpc(secure.grpcOrigin!, { ca: cert! });
    expect((await overTls.call("SearchUris", uriRequest("evil.example"))).code).toBe(OK);
    overTls.close();
    await secure.stop();
    expectNoSecret(secure);
  });

  test("does not start without its port, and lets the other one go", async () => {
    const taken = Number(new URL(server.grpcOrigin!).port);
    await expect(started(null, taken)).rejects.toThrow(/EADDRINUSE/);
  });

  test("opens private lists to API keys in the metadata", async () => {
    const request = diffRequest(3);
    const closed = await client.call("ComputeThreatListDiff", request);
    expect(closed).toMatchObject({ code: PERMISSION_DENIED, body: new Uint8Array(0) });
    const wrong = await client.call("ComputeThreatListDiff", request, { "x-goog-api-key": SECRET });
    expect(wrong.code).toBe(PERMISSION_DENIED);
    const opened = await client.call("ComputeThreatListDiff", request, { "x-goog-api-key": KEY });
    expect(opened.code).toBe(OK);
  });

  test.each([
    ["no threat type", "ComputeThreatListDiff", new Uint8Array(0), INVALID_ARGUMENT],
    ["an unknown threat type", "ComputeThreatListDiff", diffRequest(99), INVALID_ARGUMENT],
    ["a prefix of three bytes", "SearchHashes", hashRequest(Buffer.alloc(3)), INVALID_ARGUMENT],
    ["no threat types", "SearchUris", field(1, text(`http://${SECRET}.example`)), INVALID_ARGUMENT],
    ["a URI that cannot be read", "SearchUris", uriRequest("http://"), INVALID_ARGUMENT],
    ["an undecided host", "SearchUris", uriRequest("ev\u2065il.example"), INVALID_ARGUMENT],
    ["text that is not UTF-8", "SearchUris", field(1, Buffer.alloc(9, 0xff)), INVALID_ARGUMENT],
    ["a message that is cut off", "SearchUris", Uint8Array.of(0x0a, 0x7f, 1), INTERNAL],
    ["bytes that are no message", "SearchUris", Buffer.alloc(999, 0xff), INTERNAL],
    ["a group that never ends", "SearchUris", Buffer.alloc(60_000, 0x0b), INTERNAL],
    ["a message of 100 kB", "SearchUris", uriRequest(SECRET.repeat(7000)), RESOURCE_EXHAUSTED],
    [
      "10 000 threat types",
      "SearchUris",
      Buffer.from("0801".repeat(10_000), "hex"),
      INVALID_ARGUMENT,
    ],
    ["a page that is reported", "SubmitUri", uriRequest("http://a.example"), UNIMPLEMENTED],
    ["a submission", "CreateSubmission", new Uint8Array(0), UNIMPLEMENTED],
    ["a method that is none", SECRET, new Uint8Array(0), UNIMPLEMENTED],
  ])("refuses %s", async (_, method, message, code) => {
    const answer = await client.call(method, message);
    expect(answer).toMatchObject({ code, body: new Uint8Array(0) });
    expect(answer.message).not.toBe("");
    expect(answer.message).not.toContain(SECRET);
  });

  const path = `${PATH}SearchUris`;
  const good = frame(uriRequest("evil.example"));
  const bomb = gzipSync(uriRequest("a".repeat(50_000_000)));
  test.each([
    ["a GET", { ":method": "GET" }, [], { status: 415 }],
    ["no content type", { "content-type": undefined }, [good], { status: 415 }],
    ["JSON", { "content-type": "application/grpc+json" }, [frame(text("{}"))], { status: 415 }],
    ["gRPC-Web", { "content-type": "application/grpc-web" }, [good], { status: 415 }],
    ["a form", { "content-type": `text/${SECRET}` }, [good], { status: 415 }],
    ["no message", {}, [], { code: UNIMPLEMENTED }],
    ["two messages", {}, [good, good], { code: UNIMPLEMENTED }],
    ["a frame that is cut off", {}, [good.subarray(0, 9)], { code: INVALID_ARGUMENT }],
    [
      "a frame of four gigabytes",
      {},
      [frame(text("x"), 0, 2 ** 32 - 1)],
      { code: RESOURCE_EXHAUSTED },
    ],
    ["a compressed bomb", { "grpc-encoding": "gzip" }, [frame(bomb, 1)], { code: UNIMPLEMENTED }],
    ["a bomb that hides", {}, [frame(bomb.subarray(0, 60_000), 1)], { code: INTERNAL }],
    ["a timeout that is none", { "grpc-timeout": SECRET }, [good], { code: INVALID_ARGUMENT }],
  ])("refuses %s", async (_, headers, pieces, expected) => {
    const sent = { ...GRPC_HEADERS, ":path": path, ...headers };
    const known = Object.fromEntries(
      Object.entries(sent).filter(([, value]) => value !== undefined),
    );
    const answer = await client.send(known, pieces);
    expect(answer.code).not.toBe(OK);
    expect(answer.body).toHaveLength(0);
    expect(answer).toMatchObject(expected);
    // The connection and the server still work.
    expect((await client.call("SearchUris", uriRequest("evil.example"))).code).toBe(OK);
  });

  test.each(["10S", "99999S", "99999999S", "99999999M", "99999999H"])(
    "answers within the deadline %s",
    async (timeout) => {
      const headers = { "grpc-timeout": timeout };
      const { code } = await client.call("SearchUris", uriRequest("evil.example"), headers);
      expect(code).toBe(OK);
    },
  );

  test("answers whatever the host in a call is", async () => {
    const headers = { ":authority": "[[[" };
    const { code } = await client.call("SearchUris", uriRequest("evil.example"), headers);
    expect(code).toBe(OK);
  });

  test("does not answer conditional requests with nothing", async () => {
    const headers = { "if-none-match": "*", "x-http-method-override": "POST", accept: "text/html" };
    const { code, body } = await client.call("SearchUris", uriRequest("evil.example"), headers);
    expect({ code, isEmpty: body.length === 0 }).toEqual({ code: OK, isEmpty: false });
  });

  test("outlives clients who hang up, and bytes that are not HTTP/2", async () => {
    const { port } = new URL(server.grpcOrigin!);
    for (const bytes of [`GET /${SECRET} HTTP/1.1\r\n\r\n`, Buffer.alloc(10_000, 0xff), ""]) {
      await new Promise((resolve) => {
        const socket = connect(Number(port), "127.0.0.1", () => socket.end(bytes));
        socket
          .on("error", () => {})
          .on("close", resolve)
          .resume();
      });
    }
    for (let i = 0; i < 20; i++) {
      const other = plainGrpc(server.grpcOrigin!);
      const answer = other.call("SearchUris", uriRequest(`http://${SECRET}.example/`));
      const partial = other.send({ ...GRPC_HEADERS, ":path": path }, [good.subarray(0, 7)], false);
      if (i % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
      other.session.destroy();
      await Promise.all([answer, partial]);
    }
    expect((await client.call("SearchUris", uriRequest("evil.example"))).code).toBe(OK);
  });

  test("logs and counts each call, and nothing of what was sent", async () => {
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    expect(metrics).toMatch(
      /urlhash_http_requests_total\{route="webRisk.uris.search",status="200"\} \d+/,
    );
    expect(metrics).toMatch(/urlhash_http_requests_total\{route="grpc",status="400"\} \d+/);
    const lines = server
      .log()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const calls = lines.filter(({ method }) => method === "gRPC");
    expect(calls).toContainEqual(
      expect.objectContaining({ route: "webRisk.uris.search", status: 200, asked: 1, found: 1 }),
    );
    expect(calls).toContainEqual(
      expect.objectContaining({
        route: "webRisk.threatLists.computeDiff",
        status: 200,
        updates: ["unwanted-software:full"],
      }),
    );
    expectNoSecret(server);
    expect(consoleError).not.toHaveBeenCalled();
  });
});

/** A message with one field of this many bytes, at most 128 MiB. */
function largeMessage(bytes: number): Uint8Array {
  const length = [0, 7, 14].map((shift) => ((bytes >> shift) & 127) | 128);
  return Buffer.concat([Uint8Array.from([10, ...length, bytes >> 21]), Buffer.alloc(bytes)]);
}

describe("limits", () => {
  const reply = (bytes: number): Reply => ({
    route: "test",
    status: 200,
    headers: {},
    body: field(1, Buffer.alloc(bytes)),
  });

  test("a call that never arrives is cancelled, and does not keep the server from stopping", async () => {
    const routes: string[] = [];
    const server = grpcServer({
      answer: () => Promise.resolve(reply(1)),
      onReply: ({ route }) => routes.push(route),
      requestTimeout: 200,
    });
    const client = plainGrpc(await listening(server));
    const headers = { ...GRPC_HEADERS, ":path": `${PATH}SearchUris` };
    const answer = await client.send(headers, [Uint8Array.of(0)], false);
    expect(answer).toMatchObject({ status: 0, reset: CANCELLED_STREAM });
    expect(routes).toEqual(["grpc"]);
    client.close();
    await server.drain(10_000);
  });

  test("answers under way are finished at the end, and new calls are refused", async () => {
    let answerNow: (reply: Reply) => void;
    let onAsked: () => void;
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const server = grpcServer({
      answer() {
        onAsked();
        return new Promise((resolve) => {
          answerNow = resolve;
        });
      },
    });
    const client = plainGrpc(await listening(server));
    const first = client.call("SearchUris", uriRequest("a.example"));
    await asked;
    const goaway = new Promise((resolve) => client.session.once("goaway", resolve));
    const drained = server.drain(10_000);
    await goaway;
    answerNow!(reply(1));
    expect((await first).code).toBe(OK);
    await drained;
  });

  test("an error of the server is told as such, without its message", async () => {
    const errors: unknown[] = [];
    const server = grpcServer({
      answer: () => Promise.reject(new Error(SECRET)),
      onError: (error) => errors.push(error),
    });
    const client = plainGrpc(await listening(server));
    const answer = await client.call("SearchUris", uriRequest("a.example"));
    expect(answer).toMatchObject({ code: INTERNAL, message: "The server failed." });
    expect(errors).toHaveLength(1);
    client.close();
    await server.drain(1000);
  });

  test("an answer after the client's deadline is none", async () => {
    const server = grpcServer({
      answer: () => new Promise((resolve) => setTimeout(resolve, 50, reply(0))),
    });
    const client = plainGrpc(await listening(server));
    const message = uriRequest("a.example");
    const { code } = await client.call("SearchUris", message, { "grpc-timeout": "1m" });
    expect(code).toBe(DEADLINE_EXCEEDED);
    expect((await client.call("SearchUris", message, { "grpc-timeout": "9S" })).code).toBe(OK);
    client.close();
    await server.drain(1000);
  });

  test("answers that nobody reads do not fill the memory", async () => {
    const large: Reply = { ...reply(0), body: largeMessage(100 * 2 ** 20) };
    const server = grpcServer({
      answer: () => Promise.resolve(large),
      // The clock stands still, so no answer counts as stalled.
      unread: unreadAnswers({ now: () => 0 }),
    });
    const origin = await listening(server);
    const idle = [plainGrpc(origin), plainGrpc(origin)];
    for (const { session } of idle) {
      const stream = session.request({ ...GRPC_HEADERS, ":path": `${PATH}SearchUris` });
      stream.on("error", () => {}).end(frame(uriRequest("a.example")));
      await new Promise((resolve) => stream.once("response", resolve));
    }
    const client = plainGrpc(origin);
    const ask = async () => (await client.call("SearchUris", uriRequest("a.example"))).code;
    expect(await ask()).toBe(RESOURCE_EXHAUSTED);
    for (const { session } of idle) session.destroy();
    await expect.poll(ask).toBe(OK);
    client.close();
    await server.drain(1000);
  });

  test("calls that come at once begin one at a time, and no more than so many are under way", async () => {
    const order: string[] = [];
    const turns = turnCounter();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const server = grpcServer({
      answer: async ({ network }) => {
        order.push(network());
        turns.note();
        await released;
        return reply(1);
      },
      behindProxy: true,
    });
    const origin = await listening(server);
    const clients = [plainGrpc(origin), plainGrpc(origin)];
    await Promise.all(clients.map(({ session }) => once(session, "remoteSettings")));
    const message = uriRequest("a.example");
    const calls = clients.flatMap((client, i) =>
      Array.from({ length: 50 }, () =>
        client.call("SearchUris", message, { "x-forwarded-for": `192.0.2.${i}` }),
      ),
    );
    await expect.poll(() => order.length).toBe(64);
    // Without turns, all calls of one connection would come before the first call of the other.
    expect(new Set(order.slice(20, 40)).size).toBe(2);
    release();
    for (const { code } of await Promise.all(calls)) expect(code).toBe(OK);
    expect(turns.most()).toBeLessThanOrEqual(2);
    turns.stop();
    for (const client of clients) client.close();
    await server.drain(1000);
  });

  test("one client that reads nothing leaves room for the others", async () => {
    const large: Reply = { ...reply(0), body: largeMessage(4 * 2 ** 20) };
    const server = grpcServer({
      answer: () => Promise.resolve(large),
      // The clock stands still, so no answer counts as stalled.
      unread: unreadAnswers({ now: () => 0 }),
      behindProxy: true,
    });
    const origin = await listening(server);
    const message = uriRequest("a.example");
    const rude = [plainGrpc(origin), plainGrpc(origin), plainGrpc(origin)] as const;
    // All addresses belong to one network, because only the first 64 bits count.
    const statuses = Array.from({ length: 90 }, (_, i) => {
      const headers = { ...GRPC_HEADERS, "x-forwarded-for": `2001:db8::${i.toString(16)}:1` };
      const stream = rude[i % 3]!.session.request({ ...headers, ":path": `${PATH}SearchUris` });
      stream.on("error", () => {}).end(frame(message));
      return new Promise((resolve) => stream.once("response", resolve));
    });
    await Promise.all(statuses);
    const client = plainGrpc(origin);
    const ask = async (from: string) =>
      (await client.call("SearchUris", message, { "x-forwarded-for": from })).code;
    expect(await ask("2001:db8::2")).toBe(RESOURCE_EXHAUSTED);
    expect(await ask("2001:db8:1::2")).toBe(OK);
    for (const { session } of rude) session.destroy();
    client.close();
    await server.drain(1000);
  });

  test("an answer in parts is one message, and counts until it is read", async () => {
    const list = new Uint8Array(new SharedArrayBuffer(2 ** 20)).fill(7);
    const message = field(1, list);
    const head = message.subarray(0, message.length - list.length);
    const unread = unreadAnswers();
    const server = grpcServer({
      answer: () => ({
        ...{ route: "test", status: 200, headers: {} },
        large: largeBodyOf([head, list]),
      }),
      unread,
    });
    const client = plainGrpc(await listening(server));
    const { code, body } = await client.call("SearchUris", uriRequest("a.example"));
    expect(code).toBe(OK);
    expect(Buffer.from(body).equals(message)).toBe(true);
    await expect.poll(() => unread.bytes).toBe(0);
    client.close();
    await server.drain(1000);
  });

  test("an answer that is not read is cancelled", async () => {
    const large: Reply = { ...reply(0), body: largeMessage(2 ** 20) };
    const sent: number[] = [];
    const server = grpcServer({
      answer: () => Promise.resolve(large),
      onReply: (_, __, bytes) => sent.push(bytes),
      requestTimeout: 200,
    });
    const client = plainGrpc(await listening(server));
    const stream = client.session.request({ ...GRPC_HEADERS, ":path": `${PATH}SearchUris` });
    stream.end(frame(uriRequest("a.example")));
    stream.on("error", () => {});
    await new Promise((resolve) => stream.once("close", resolve));
    expect(stream.rstCode).toBe(CANCELLED_STREAM);
    // The log has the number of bytes that were passed to the connection.
    expect(sent).toHaveLength(1);
    expect(sent[0]).toBeLessThan(large.body.length);
    client.session.destroy();
    await server.drain(1000);
  });

  test("a client that cancels thousands of calls does not harm another one", async () => {
    const server = grpcServer({
      answer: () => Promise.resolve(reply(1)),
    });
    const origin = await listening(server);
    const rude = plainGrpc(origin);
    const client = plainGrpc(origin);
    for (let i = 0; i < 5000 && !rude.session.destroyed; i++) {
      const stream = rude.session.request({ ...GRPC_HEADERS, ":path": `${PATH}SearchUris` });
      stream.on("error", () => {}).close(CANCELLED_STREAM);
      if (i % 100 === 0) {
        expect((await client.call("SearchUris", uriRequest("a.example"))).code).toBe(OK);
      }
    }
    rude.session.destroy();
    client.close();
    await server.drain(1000);
  });

  test("a call that is cancelled while it is answered harms nobody", async () => {
    const held: (() => void)[] = [];
    const errors: unknown[] = [];
    const server = grpcServer({
      answer: () => new Promise((resolve) => held.push(() => resolve(reply(1)))),
      onError: (error) => errors.push(error),
    });
    const client = plainGrpc(await listening(server));
    for (let i = 0; i < 20; i++) {
      const stream = client.session.request({ ...GRPC_HEADERS, ":path": `${PATH}SearchUris` });
      stream.on("error", () => {}).end(frame(uriRequest("a.example")));
      await expect.poll(() => held.length).toBe(1);
      const closed = once(stream, "close");
      stream.close(CANCELLED_STREAM);
      if (i % 2 === 0) await closed;
      held.pop()!();
      await closed;
    }
    const last = client.call("SearchUris", uriRequest("a.example"));
    await expect.poll(() => held.length).toBe(1);
    held.pop()!();
    expect((await last).code).toBe(OK);
    expect(errors).toEqual([]);
    client.close();
    await server.drain(1000);
  });

  test("answers to clients who hung up do not count as unread", async () => {
    const held: (() => void)[] = [];
    const large: Reply = { ...reply(0), body: largeMessage(100 * 2 ** 20) };
    const server = grpcServer({
      answer: () => new Promise((resolve) => held.push(() => resolve(large))),
    });
    const origin = await listening(server);
    const gone = plainGrpc(origin);
    const calls = [1, 2, 3].map(() => gone.call("SearchUris", uriRequest("a.example")));
    await expect.poll(() => held.length).toBe(3);
    const ended = new Promise((resolve) => {
      server.server.once("session", resolve);
    });
    gone.session.destroy();
    await Promise.all(calls);
    const client = plainGrpc(origin);
    await ended;
    for (const answer of held.splice(0)) answer();
    const last = client.call("SearchUris", uriRequest("a.example"));
    await expect.poll(() => held.length).toBe(1);
    held[0]!();
    expect((await last).code).toBe(OK);
    client.close();
    await server.drain(1000);
  });

  test("a store that cannot be served is UNAVAILABLE", async () => {
    const storage = memoryStorage();
    const seen = new Map([["malware", { version: 2, hash: "0".repeat(64) }]]);
    const rest = testServer(storage, [signer.publicKey], { seen });
    await rest.refresh();
    const server = grpcServer({
      answer: webRiskService(rest.calls),
    });
    const client = plainGrpc(await listening(server));
    const calls = [
      client.call("ComputeThreatListDiff", diffRequest(MALWARE)),
      client.call("SearchUris", uriRequest("a.example")),
      client.call("SearchHashes", hashRequest(Buffer.alloc(4))),
    ];
    for (const { code } of await Promise.all(calls)) expect(code).toBe(UNAVAILABLE);
    client.close();
    await server.drain(1000);
  });
});

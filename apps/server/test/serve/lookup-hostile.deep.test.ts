import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { memoryStorage } from "@x/list-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { createAnswering } from "../../src/serve/answering.ts";
import { NO_API_KEYS } from "../../src/serve/api-keys.ts";
import { createHttpServer } from "../../src/serve/http/http-server.ts";
import type { StreamReply } from "../../src/serve/http/reply.ts";
import { type RequestHead, splitTarget } from "../../src/serve/http/request.ts";
import { NOTHING_FOUND } from "../../src/serve/lists/search-lists.ts";
import type { ServedList, ServedLists } from "../../src/serve/lists/served-lists.ts";
import { createLookup } from "../../src/serve/lookup/lookup.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import { openStream, postLookUp, readStream, rowsOf } from "../support/lookup-server.ts";
import { turnCounter } from "../support/turns.ts";

let server: LoggedServer;
beforeAll(async () => {
  const signer = await newSigner();
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["evil.example/", "bytes.example/%FF"]);
  server = await startLoggedServer(storage, signer);
});
afterAll(() => server.stop());

/** Sends text unchanged, and returns everything that the server sends until it closes the connection. */
function sendRaw(text: string, port = Number(new URL(server.origin).port)): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text, "latin1"));
    socket.on("data", (data) => {
      received += data.toString("latin1");
    });
    socket.on("error", () => resolve(received));
    socket.on("close", () => resolve(received));
  });
}
const rawStatus = async (text: string) =>
  Number(/^HTTP\/1\.1 (\d{3})/.exec(await sendRaw(text))?.[1]);
const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, "Host: a", "Connection: close", ...headers, "", ""].join("\r\n");

describe("POST /lookup", () => {
  test.each([
    ["malformed JSON", '{"urls": [', 400],
    ["nothing", "", 400],
    ["a URL alone", '"http://evil.example/"', 400],
    ["an array", '["http://evil.example/"]', 400],
    ["null", "null", 400],
    ["no URLs", "{}", 400],
    ["another name", '{"url": ["http://evil.example/"]}', 400],
    ["one name more", '{"urls": [], "list": "malware"}', 400],
    ["numbers", '{"urls": [1]}', 400],
    ["null among the URLs", '{"urls": ["http://evil.example/", null]}', 400],
    ["100 000 brackets", "[".repeat(100_000), 400],
    ["100 000 nested arrays", `{"urls": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
    ["1000 URLs", JSON.stringify({ urls: Array(1000).fill("evil.example") }), 200],
    ["1001 URLs", JSON.stringify({ urls: Array(1001).fill("evil.example") }), 400],
    ["10 MB", JSON.stringify({ urls: ["x".repeat(10_000_000)] }), 413],
  ])("%s", async (_, body, status) => {
    const answer = await postLookUp(server, body).catch((error) => error.cause);
    // A client that is still sending may notice the closed connection before it reads the answer.
    expect([status, undefined]).toContain(answer.status);
    if (answer.status === undefined) expect(status).toBe(413);
  });

  test("text that is not UTF-8", async () => {
    const body = Buffer.from('{"urls": ["http://evil.example/\xff"]}', "latin1");
    const response = await fetch(`${server.origin}/lookup`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    expect(response.status).toBe(400);
  });

  test.each([
    ["text/plain", "Content-Encoding: gzip", 415],
    ["text/plain; charset=utf-16", "X: 1", 415],
    ['application/x-ndjson; charset="latin1"', "X: 1", 415],
    ["application/json", "Content-Encoding: br", 415],
    ["text/plain; charset=UTF-8", "Content-Encoding: identity", 200],
  ])("%s with %s", async (type, header, status) => {
    const text = head("POST /lookup", `Content-Type: ${type}`, header, "Content-Length: 13");
    expect(await rawStatus(`${text}good.example\n`)).toBe(status);
  });

  test("half of a surrogate pair is not a URL, or is the URL that browsers open", async () => {
    const { body } = await postLookUp(
      server,
      '{"urls": ["http://evil.example/\\ud800", "\\udfff", "http://\\ud800/"]}',
    );
    expect(body.verdicts[0].listed).toBe(true);
    for (const verdict of body.verdicts.slice(1)) expect(verdict.listed).not.toBe(true);
    expect(body.verdicts[0].url).toBe("http://evil.example/\ud800");
  });

  test("URLs of 1 MB are answered", async () => {
    for (const [start, each] of [
      ["http://evil.example/", "a/"],
      ["http://evil.example/", "%25"],
      ["http://evil.example/?", "\\\\@"],
      ["http://evil.example/", "../"],
      ["http://", "evil.example."],
    ] as const) {
      const url = start + each.repeat(500_000 / each.length);
      const { status, body } = await postLookUp(server, { urls: [url] });
      expect(status).toBe(200);
      expect(body.verdicts.length).toBe(1);
    }
  });

  test.each([
    ["GET", undefined, "GET", 405],
    ["a form", "application/x-www-form-urlencoded", "POST", 415],
    ["protobuf", "application/x-protobuf", "POST", 415],
    ["no content type", undefined, "POST", 415],
    ["an inherited name as content type", "constructor", "POST", 415],
    ["JSON with a character set", "application/json; charset=utf-8", "POST", 200],
  ])("%s", async (_, type, method, status) => {
    const headers = type === undefined ? [] : [`Content-Type: ${type}`];
    const body = method === "POST" ? '{"urls":[]}' : "";
    const text = head(`${method} /lookup`, ...headers, `Content-Length: ${body.length}`) + body;
    expect(await rawStatus(text)).toBe(status);
  });

  test.each([
    ["an unknown list", "?lists=nothing"],
    ["no list", "?lists="],
    ["an unknown parameter", "?list=malware"],
    ["a list named as an inherited property is", "?lists=constructor"],
    ["a key, though no list has one", "?key=k"],
  ])("%s is refused", async (_, query) => {
    expect((await postLookUp(server, { urls: [] }, { query })).status).toBe(400);
    const sent = openStream(server, "text/plain", query);
    const answer = readStream(sent);
    sent.end("good.example\n");
    expect((await answer).status).toBe(400);
    const target = `/lookup/status${query}&url=good.example`;
    expect((await fetch(server.origin + target)).status).toBe(400);
  });
});

describe("GET /lookup/status", () => {
  test.each([
    ["POST", head("POST /lookup/status?url=good.example", "Content-Length: 0"), 405],
    ["an empty header", head("GET /lookup/status", "X-Original-URL:"), 400],
    [
      "two headers, of which the second is listed",
      head(
        "GET /lookup/status",
        "X-Original-URL: http://good.example/",
        "X-Original-URL: http://evil.example/",
      ),
      400,
    ],
    [
      "bytes that are not UTF-8",
      head("GET /lookup/status", "X-Original-URL: http://evil.example/\xff"),
      403,
    ],
    ["escapes that are not UTF-8", head("GET /lookup/status?url=http://evil.example/%ff"), 403],
    ["an escape that is not UTF-8", head("GET /lookup/status?url=http://bytes.example/%ff"), 403],
    ["U+FFFD instead", head("GET /lookup/status?url=http://bytes.example/%EF%BF%BD"), 200],
    ["a URL of 60 kB", head(`GET /lookup/status?url=evil.example/${"a".repeat(60_000)}`), 403],
    ["one of 70 kB", head(`GET /lookup/status?url=evil.example/${"a".repeat(70_000)}`), 431],
    ["a path below", head("GET /lookup/status/x?url=evil.example"), 404],
  ])("%s", async (_, text, status) => {
    expect(await rawStatus(text)).toBe(status);
  });
});

describe("streams", () => {
  test("a line of 3 MB is one row, and so are those around it", async () => {
    for (const type of ["text/plain", "application/x-ndjson"]) {
      const wrap = (url: string) => (type === "text/plain" ? url : JSON.stringify({ url }));
      const sent = openStream(server, type);
      const answer = readStream(sent);
      const lines = ["evil.example", "x".repeat(3_000_000), "good.example"];
      sent.end(lines.map(wrap).join("\n"));
      const rows = rowsOf((await answer).text);
      expect(rows.map(({ listed, error }) => listed ?? error.code)).toEqual([
        true,
        "line-too-long",
        false,
      ]);
    }
  });

  test("bytes that are not UTF-8 stay what they are", async () => {
    const sent = openStream(server, "text/plain");
    const answer = readStream(sent);
    sent.end(Buffer.from("http://evil.example/\xff\nhttp://\xff/\n", "latin1"));
    const [first, second, ...others] = rowsOf((await answer).text);
    expect(first.listed).toBe(true);
    expect(second.listed).not.toBe(true);
    expect(others).toEqual([]);
    const json = openStream(server, "application/x-ndjson");
    const refused = readStream(json);
    json.end(Buffer.from('{"url": "http://evil.example/\xff"}', "latin1"));
    expect(rowsOf((await refused).text)[0].error.code).toBe("row-malformed");
  });

  test("HTTP/1.0, which cannot tell an end from a cut, is refused", async () => {
    const body = "evil.example\n";
    const text = `POST /lookup HTTP/1.0\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await rawStatus(text)).toBe(505);
  });

  test("a broken chunk ends the connection, not the server", async () => {
    const start = head("POST /lookup", "Content-Type: text/plain", "Transfer-Encoding: chunked");
    const answer = await sendRaw(`${start}d\r\nevil.example\n\r\nzzz\r\n`);
    expect(answer).not.toMatch(/0\r\n\r\n$/);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });

  test("clients that leave make room for others", async () => {
    const open = [];
    for (let i = 0; i < 16; i++) {
      const sent = openStream(server, "text/plain");
      sent.on("error", () => {});
      const answered = new Promise((resolve) => sent.once("response", resolve));
      sent.write("good.example\n");
      await answered;
      open.push(sent);
    }
    const status = async () => {
      const sent = openStream(server, "text/plain");
      const answer = readStream(sent);
      sent.end("good.example\n");
      return (await answer).status;
    };
    expect(await status()).toBe(503);
    for (const sent of open) sent.destroy();
    await expect.poll(status).toBe(200);
  });

  test("a client that never reads is not sent more than its connection takes", async () => {
    const start = head("POST /lookup", "Content-Type: text/plain", "Transfer-Encoding: chunked");
    const rows = "good.example\n".repeat(5000);
    const chunk = `${rows.length.toString(16)}\r\n${rows}\r\n`;
    const socket = connect(Number(new URL(server.origin).port), "127.0.0.1");
    socket.pause();
    socket.write(start);
    let taken = 0;
    // The server stops reading when its answers are not read, so that this client cannot write any more.
    for (let still = 0; still < 20; ) {
      if (socket.writableLength < 1_000_000) {
        socket.write(chunk);
        taken += chunk.length;
        still = 0;
      } else {
        still++;
      }
      await pause(10);
      expect(taken).toBeLessThan(100_000_000);
    }
    socket.destroy();
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });

  test.each([
    ["sends nothing more", "d\r\ngood.example\n\r\n"],
    ["sends nothing at all", ""],
  ])("a client that %s is cut off", async (_, start) => {
    async function* echo(body: AsyncIterable<Uint8Array>) {
      for await (const piece of body) yield piece;
    }
    const errors: unknown[] = [];
    const http = createHttpServer({
      tls: null,
      answer: () => Promise.reject(new Error("nothing to answer")),
      answerStream: async (_, body): Promise<StreamReply> => ({
        route: "echo",
        status: 200,
        headers: {},
        stream: echo(body),
      }),
      onReply() {},
      onError: (error) => errors.push(error),
      // The head of a request must arrive within a third of this time.
      requestTimeout: 1500,
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const { port } = http.address() as { port: number };
    const answer = await sendRaw(head("POST /x", "Transfer-Encoding: chunked") + start, port);
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(answer).not.toMatch(/0\r\n\r\n$/);
    expect(errors).toEqual([]);
    http.close();
  });
});

test("a stream does not outlive its connection", async () => {
  let [open, opened] = [0, 0];
  async function* endless() {
    open++;
    opened++;
    try {
      for (;;) yield Buffer.alloc(100_000);
    } finally {
      open--;
    }
  }
  const replies: string[] = [];
  const http = createHttpServer({
    tls: null,
    answer: async ({ target }) => ({ route: target, status: 200, headers: {}, stream: endless() }),
    onReply: ({ route }) => replies.push(route),
    onError: (error) => expect(error).toBeNull(),
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
  while (opened === 0) await pause(1);
  await pause(1);
  expect([open, opened]).toEqual([1, 1]);
  socket.destroy();
  while (open > 0) await pause(1);
  expect(replies).toEqual(["/stream"]);
  await new Promise((resolve) => http.close(resolve));
  expect(opened).toBe(1);
});

function headFrom(network: string): RequestHead {
  return {
    ...{ ...splitTarget("/lookup"), method: "POST", client: () => "", network: () => network },
    headers: {
      get: (name) => (name === "content-type" ? "text/plain" : null),
      getAll: () => [],
    },
  };
}

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function lookUpOf(lists: ServedLists): ReturnType<typeof createLookup> {
  const options = {
    keys: NO_API_KEYS,
    wait: 1,
    cache: 1,
    now: Date.now,
    findFullHashes: () => NOTHING_FOUND,
  };
  return createLookup(createAnswering({ lists, ...options }), () => {});
}

test("one client with many streams leaves room and turns for the others", async () => {
  const { stream: answerStream } = lookUpOf(server.lists);
  let done = 0;
  async function read(reply: unknown): Promise<number> {
    for await (const _ of (reply as StreamReply).stream);
    return done++;
  }
  const statuses: number[] = [];
  const rude: Promise<number>[] = [];
  for (let i = 0; i < 20; i++) {
    const lines = "good.example\n".repeat(6000);
    const reply = (await answerStream(headFrom("rude"), bodyOf(lines)))!;
    statuses.push(reply.status);
    if (reply.status === 200) rude.push(read(reply));
  }
  expect(statuses.filter((status) => status === 503)).toHaveLength(4);
  const one = await answerStream(headFrom("other"), bodyOf("good.example\n".repeat(2000)));
  // Sixteen streams of one client share its turns, so a shorter stream of another client ends first.
  expect(await read(one)).toBe(0);
  await Promise.all(rude);
});

test("blank lines are not looked up, and their rows are short", async () => {
  let checked = 0;
  const answering = createAnswering({
    ...{ lists: server.lists, keys: NO_API_KEYS, wait: 1, cache: 1, now: Date.now },
    findFullHashes: () => NOTHING_FOUND,
  });
  const counting: typeof answering = {
    ...answering,
    checkerOf: (...args) => ({
      ...answering.checkerOf(...args),
      *checkMany(urls) {
        const all = [...urls];
        checked += all.length;
        yield* answering.checkerOf(...args).checkMany(all);
      },
    }),
  };
  const { stream: answerStream } = createLookup(counting, () => {});
  const reply = await answerStream(headFrom("a"), bodyOf(`${"\n".repeat(100_000)}a.example`));
  let bytes = 0;
  for await (const piece of (reply as StreamReply).stream) bytes += piece.length;
  expect(checked).toBe(1);
  expect(bytes / 100_000).toBeLessThan(80);
});

test("of many streams, one at a time goes on, so that others are answered between them", async () => {
  const counter = turnCounter();
  const roundsOfSearches: number[] = [];
  const all = (): readonly ServedList[] => {
    roundsOfSearches.push(counter.turns());
    return server.lists.all();
  };
  const answering = createAnswering({
    lists: { all, expire: () => false, refresh: async () => false },
    ...{ keys: NO_API_KEYS, wait: 1, cache: 1, now: Date.now },
    findFullHashes: () => NOTHING_FOUND,
  });
  const { stream: answerStream } = createLookup(answering, () => {});
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      answerStream(headFrom(`network ${i % 2}`), bodyOf("good.example\n".repeat(5000))),
    ),
  );
  roundsOfSearches.length = 0;
  await Promise.all(
    replies.map(async (reply) => {
      for await (const _ of (reply as StreamReply).stream);
    }),
  );
  counter.stop();
  expect(new Set(roundsOfSearches).size).toBeGreaterThanOrEqual(20 * 5);
});

test("nothing of what was sent is in the log", () => {
  expect(server.log()).not.toContain(".example");
  expect(server.log()).not.toContain('"err"');
});

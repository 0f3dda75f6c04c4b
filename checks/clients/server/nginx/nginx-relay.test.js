import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createLookup } from "../../../../packages/client/dist/index.js";
import { throughRelay } from "../../../../packages/client/dist/ohttp/index.js";
import { settings, urlhashServer } from "../support/commands.js";
import { example } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { listen } from "../support/listen.js";
import { newFolder } from "../support/new-folder.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { nginxSite } from "./nginx-site.js";

const { path, skip } = program("nginx");

const SECRETS = {
  Cookie: "me=1",
  "User-Agent": "Me",
  "X-Forwarded-For": "192.0.2.1",
  Forwarded: "for=192.0.2.1",
  Authorization: "Basic bWU6bWU=",
  "Accept-Language": "tlh",
  "X-Request-Id": "me-1",
  Referer: "http://me.example/",
};
/** Headers that tell clients apart or control nginx. */
const ORDERS = {
  "Set-Cookie": "you=1",
  ETag: '"you-1"',
  "Alt-Svc": 'h2="you.example:443"',
  NEL: '{"report_to":"you"}',
  Location: "http://you.example/",
  "X-Accel-Redirect": "/you",
  "X-Accel-Buffering": "no",
  "Access-Control-Allow-Origin": "https://you.example",
};

/** The headers with which a browser lets a page of any origin send a request and read the answer. */
const PREFLIGHT = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "Content-Type",
  "access-control-max-age": "86400",
};

/** A gateway that keeps the requests that it gets, and answers with headers that a relay must not pass on. */
async function nosyGateway() {
  const got = [];
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    got.push({ url: incoming.url, headers: incoming.rawHeaders, body });
    response.writeHead(200, { "Content-Type": "message/ohttp-res", ...ORDERS }).end("answer");
  });
  return { got, ...(await listen(server)) };
}

/** The relay of docs/examples/nginx, for the gateway at `origin`. */
async function nginxRelay(origin) {
  const folder = newFolder("relay");
  const port = await freePort();
  const site = example("nginx/relay.conf", {
    "listen 80": `listen 127.0.0.1:${port}`,
    "https://lists.example": origin,
    "lists.example": new URL(origin).host,
  });
  const { stop, origin: relay } = await nginxSite({ path, folder, port, site });
  return {
    relay,
    port,
    /** Everything that nginx has written to its files. */
    written: () =>
      readdirSync(folder, { recursive: true })
        .map((name) => join(folder, name))
        .filter((file) => statSync(file).isFile() && !file.endsWith(".conf"))
        .map((file) => readFileSync(file, "latin1"))
        .join("\n"),
    stop,
  };
}

/** Sends a request, and returns the status, the headers and the text of the answer. */
function send(origin, { method = "POST", target = "/", headers = {}, body = "request" } = {}) {
  const type = { "Content-Type": "message/ohttp-req" };
  return new Promise((resolve, reject) => {
    request(origin, { method, path: target, headers: { ...type, ...headers } }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      resolve({ status: answer.statusCode, headers: answer.headers, text });
    })
      .on("error", reject)
      .end(method === "GET" ? undefined : body);
  });
}

describe("nginx as a relay", { skip, timeout: 600_000 }, () => {
  let gateway;
  let nginx;
  before(async () => {
    gateway = await nosyGateway();
    nginx = await nginxRelay(gateway.origin);
  });
  after(async () => {
    await nginx?.stop();
    await gateway?.close();
  });

  test("passes on nothing about the client, and nothing of the answer but the answer", async () => {
    const { status, headers, text } = await send(nginx.relay, { headers: SECRETS });
    assert.deepEqual([status, text], [200, "answer"]);
    assert.deepEqual(gateway.got, [
      {
        url: "/.well-known/ohttp-gateway",
        headers: [
          ...["Host", new URL(gateway.origin).host],
          ...["Content-Type", "message/ohttp-req"],
          ...["Content-Length", "7"],
        ],
        body: "request",
      },
    ]);
    const framing = ["connection", "transfer-encoding", "date", "server"];
    const cors = Object.keys(PREFLIGHT);
    assert.deepEqual(Object.keys(headers).sort(), ["content-type", ...cors, ...framing].sort());
    assert.equal(headers.server, "nginx");
    assert.equal(headers["access-control-allow-origin"], "*");
  });

  test("lets pages of all origins ask", async () => {
    const before = gateway.got.length;
    const { status, headers } = await send(nginx.relay, { method: "OPTIONS", body: "" });
    assert.equal(status, 204);
    for (const [name, value] of Object.entries(PREFLIGHT)) assert.equal(headers[name], value);
    assert.equal(gateway.got.length, before);
  });

  test("refuses other paths, methods, types and lengths", async () => {
    const before = gateway.got.length;
    for (const [expected, asked] of [
      [404, { target: "/other" }],
      [404, { target: "/?a" }],
      [404, { target: "/.well-known/ohttp-gateway" }],
      [405, { method: "GET" }],
      [405, { method: "PUT" }],
      [415, { headers: { "Content-Type": "text/plain" } }],
      [415, { headers: { "Content-Type": "message/ohttp-req, text/plain" } }],
      [413, { body: Buffer.alloc(64 * 1024 + 1) }],
    ]) {
      assert.equal((await send(nginx.relay, asked)).status, expected, JSON.stringify(asked));
    }
    assert.equal(gateway.got.length, before);
    assert.equal((await send(nginx.relay, { body: Buffer.alloc(64 * 1024) })).status, 200);
  });

  test("gives up requests that do not arrive", async () => {
    const socket = connect(nginx.port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {}).resume();
    socket.write(
      "POST / HTTP/1.1\r\nHost: relay.example\r\nContent-Type: message/ohttp-req\r\nContent-Length: 9\r\n\r\nreq",
    );
    await closed;
    assert.ok(gateway.got.every(({ body }) => body !== "req"));
  });

  test("lets nobody send as much as they like", async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, () => send(nginx.relay)));
    const refused = answers.filter(({ status }) => status === 429).length;
    assert.ok(refused > 100, `${refused} refused`);
  });

  test("writes no address of a client anywhere", async () => {
    // nginx would log these requests in its main log, because it refuses them before it knows the site.
    for (const text of [
      "POST\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    ]) {
      const socket = connect(nginx.port, "127.0.0.1").on("error", () => {});
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.resume().write(text);
      await closed;
    }
    const written = nginx.written();
    assert.doesNotMatch(
      written.replaceAll(new URL(gateway.origin).host, ""),
      /127\.0\.0\.1|client/,
    );
  });
});

describe("our client and server with nginx as a relay", { skip, timeout: 600_000 }, () => {
  let server;
  let nginx;
  before(async () => {
    server = await urlListServer();
    await server.publish({ malware: ["http://evil.test/bad/"] });
    const keys = join(server.folder, "gateway");
    await urlhashServer("ohttp-key", keys);
    await server.start(...settings({ "ohttp-keys": keys, "log.requests": "all" }));
    nginx = await nginxRelay(server.origin);
  });
  after(async () => {
    await nginx?.stop();
    await server?.remove();
  });

  test("checks URLs, and the server sees neither who asks nor a direct search", async () => {
    const ohttp = throughRelay({ relay: nginx.relay, gateway: server.origin });
    const lookup = createLookup({ server: server.origin, ohttp });
    assert.equal((await lookup.check("http://evil.test/bad/page")).verdict, "unsafe");
    assert.equal((await lookup.check("http://good.test/")).verdict, "safe");
    const routes = () => server.log.flatMap(({ route }) => route ?? []);
    await waitFor("the log", () => routes().filter((route) => route === "ohttp").length === 2);
    assert.deepEqual(
      routes().filter((route) => route.startsWith("v5")),
      [],
    );
  });
});

import { writeFileSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { fullHash } from "@x/sha256-prefix";
import { runProgram } from "@x/test-support/spawn";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listServer, URLHASH } from "./list-server.ts";

/*
 * Runs `urlhash` against `urlhash-server` through a relay, and records everything that `urlhash` sends.
 */

const KEY = "a-secret-key";
const URLS = ["http://www.evil.example/login?user=me", "http://evil.example/"];

let lists: ReturnType<typeof listServer>;
let server: Awaited<ReturnType<typeof lists.serve>>;
let relay: HttpServer;
let recorder: Awaited<ReturnType<typeof recordingPort>>;

/** A port that passes everything on to another one, and keeps the bytes that clients send. */
async function recordingPort(port: number) {
  const pieces: Buffer[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on("error", () => {});
  };
  const server: Server = createServer((client) => {
    const upstream = keep(connect(port, "127.0.0.1"));
    keep(client).on("data", (piece) => pieces.push(piece));
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => Buffer.concat(pieces),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Passes the body of each request on to a gateway, and the status, the type and the body of its answer back. */
async function relayTo(gateway: string): Promise<HttpServer> {
  const server = createHttpServer(async (request, response) => {
    const answer = await fetch(gateway, {
      method: "POST",
      headers: { "content-type": "message/ohttp-req" },
      body: Buffer.concat(await request.toArray()),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type")! });
    response.end(new Uint8Array(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

beforeEach(async () => {
  lists = listServer();
  lists.publish("malware", ["http://evil.example/"]);
  lists.run("ohttp-key", "gateway");
  server = await lists.serve("--set", "ohttp-keys=gateway", "--set", "log.requests=all");
  const gateway = `${server.origin}/.well-known/ohttp-gateway`;
  relay = await relayTo(gateway);
  recorder = await recordingPort((relay.address() as AddressInfo).port);
  const keys = await fetch(gateway);
  writeFileSync(lists.path("keys"), new Uint8Array(await keys.arrayBuffer()));
  writeFileSync(lists.path("key"), KEY);
});
afterEach(() => {
  recorder.close();
  relay.closeAllConnections();
  relay.close();
});

function check(relay: string, ...argv: string[]) {
  const place = [
    "--server",
    server.origin,
    "--lists",
    "mw-4b",
    "--database",
    lists.path("database"),
  ];
  const through = ["--relay", relay, "--relay-updates", "--key-file", lists.path("key")];
  return runProgram(URLHASH, ["check", ...place, ...through, ...argv]);
}

/** The routes of all requests in a complete log, without the first one, which this test sends. */
const routesIn = (log: string): string[] =>
  [...log.matchAll(/"route":"([^"]+)"/g)].map(([, route]) => route!).slice(1);

test("shows neither the URL nor its prefix nor the API key to anyone on the way", async () => {
  const { status, stdout } = await check(
    recorder.url,
    ...["--relay-keys", lists.path("keys"), "http://good.example/", ...URLS],
  );
  expect([status, stdout.match(/^LISTED/gm)?.length]).toEqual([1, 2]);
  const sent = recorder.sent();
  expect(sent.includes("POST / HTTP/1.1\r\n")).toBe(true);
  expect(sent.includes("message/ohttp-req")).toBe(true);
  const prefix = Buffer.from(fullHash("evil.example/")).subarray(0, 4);
  const secrets = [prefix, prefix.toString("hex"), prefix.toString("base64"), KEY, "evil", "good"];
  const names = ["mw-4b", "hashPrefixes", "/v5/", new URL(server.origin).host];
  for (const secret of [...secrets, ...names, encodeURIComponent(prefix.toString("base64"))]) {
    expect(sent.includes(secret), String(secret)).toBe(false);
  }
  // An update and a search, both through the relay.
  const log = await server.end();
  expect(routesIn(log)).toEqual(["ohttp", "ohttp"]);
  expect(log).toMatch(/"inner":"v5\.hashLists\.batchGet"/);
  expect(log).toMatch(/"inner":"v5\.hashes\.search"/);
});

test("asks nobody else when the relay does not answer, and fetches keys without the relay", async () => {
  const keys = ["--relay-keys", server.origin];
  expect((await check(recorder.url, ...keys, "http://good.example/")).status).toBe(0);
  recorder.close();
  const { status, stdout } = await check(recorder.url, ...keys, ...URLS);
  expect([status, stdout.match(/^unsure/gm)?.length]).toEqual([8, 2]);
  expect(recorder.sent().includes("GET")).toBe(false);
  // The keys and an update in the first run, and only the keys in the second one.
  expect(routesIn(await server.end())).toEqual(["ohttp.keys", "ohttp", "ohttp.keys"]);
});

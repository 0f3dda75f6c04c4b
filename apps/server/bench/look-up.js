// Times POST /lookup against checkMany of @x/lookup: `pnpm --filter @x/server bench:look-up`.
//
// Everything runs in one process and on one thread: the server, its client on a connection over 127.0.0.1, and
// checkMany. The candidates take turns on the same URLs; the fastest time of each run of URLs counts.

import { once } from "node:events";
import { connect } from "node:net";
import { generateSigningKey, memoryStorage, publish, signerOf } from "@x/list-store";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { compare, printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";
import { NO_API_KEYS } from "../dist/serve/api-keys.js";
import { createLog } from "../dist/serve/log.js";
import { startServer } from "../dist/serve/server.js";
import { randomHashes } from "./store.js";

const LIST_SIZE = 1_000_000;
const URLS = 50_000;
const URLS_A_REQUEST = 1000;

// Every 50th URL is listed by its host; the other entries are random hashes.
const urls = makeUrls(URLS);
const hashes = randomHashes(LIST_SIZE);
const listed = urls.filter((url, i) => i % 50 === 0 && URL.canParse(url));
for (const [i, url] of listed.entries()) hashes.set(fullHash(`${new URL(url).hostname}/`), i * 32);

const storage = memoryStorage();
const signer = await signerOf(await generateSigningKey("bench"));
const publicKeys = [signer.publicKey];
const lifetime = 24 * 60 * 60 * 1000;
await publish({ storage, list: "malware", fullHashes: [hashes], signer, publicKeys, lifetime });
const server = await startServer({
  storage,
  publicKeys,
  keys: NO_API_KEYS,
  seen: new Map(),
  seenFile: null,
  host: "127.0.0.1",
  port: 0,
  tls: null,
  window: 1,
  wait: lifetime,
  cache: 0,
  poll: lifetime,
  behindProxy: false,
  log: createLog({ write() {} }),
});

/** Sends requests on one connection, and returns the body of each answer. */
async function connection() {
  const socket = connect(Number(new URL(server.origin).port), "127.0.0.1");
  socket.setNoDelay(true);
  await once(socket, "connect");
  return async (type, body) => {
    const head = `POST /lookup HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    socket.write(head);
    socket.write(body);
    const pieces = [];
    let tail = Buffer.alloc(0);
    for (let end = Number.POSITIVE_INFINITY, bytes = 0; bytes < end; ) {
      const [piece] = await once(socket, "data");
      pieces.push(piece);
      bytes += piece.length;
      if (pieces.length === 1) {
        const start = piece.indexOf("\r\n\r\n") + 4;
        const length = /Content-Length: (\d+)/.exec(piece.latin1Slice(0, start));
        if (length !== null) end = start + Number(length[1]);
      }
      // An answer in chunks ends with an empty one.
      tail = Buffer.concat([tail, piece.subarray(-5)]).subarray(-5);
      if (end === Number.POSITIVE_INFINITY && tail.toString() === "0\r\n\r\n") break;
    }
    return Buffer.concat(pieces);
  };
}

const ask = await connection();
const requests = [];
for (let from = 0; from < urls.length; from += URLS_A_REQUEST) {
  const some = urls.slice(from, from + URLS_A_REQUEST);
  requests.push({
    urls: some,
    json: Buffer.from(JSON.stringify({ urls: some })),
    lines: Buffer.from(`${some.join("\n")}\n`),
  });
}

const rawHashes = new Uint8Array(LIST_SIZE * 4);
for (let i = 0; i < LIST_SIZE; i++) rawHashes.set(hashes.subarray(i * 32, i * 32 + 4), i * 4);
const prefixes = prefixList([{ prefixBytes: 4, rawHashes }]);
const { checkMany } = checker(prefixes);
const candidates = {
  checkMany: ({ urls }) => [...checkMany(urls)].length,
  "POST /lookup, JSON": async ({ json }) => (await ask("application/json", json)).length,
  "POST /lookup, lines": async ({ lines }) => (await ask("text/plain", lines)).length,
};

// Both forms must list what checkMany lists, except for hashes that share only the prefix.
const entries = new Set();
for (let at = 0; at < hashes.length; at += 32) entries.add(toHex(hashes.subarray(at, at + 32)));
let found = 0;
for (const { urls, json, lines } of requests) {
  const expected = [...checkMany(urls)].map(({ matches }) =>
    matches.some(({ hash }) => entries.has(toHex(hash))),
  );
  const answer = (await ask("application/json", json)).toString();
  const { verdicts } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
  const rows = (await ask("text/plain", lines)).toString().match(/^\{.*\}$/gm);
  for (const [name, each] of [
    ["JSON", verdicts],
    ["lines", rows.map((row) => JSON.parse(row))],
  ]) {
    if (each.map((verdict) => verdict.listed ?? false).join() !== expected.join()) {
      throw new Error(`${name} does not agree with checkMany`);
    }
  }
  found += expected.filter(Boolean).length;
}

printMachine();
console.log(`${URLS} URLs, ${found} of them listed, ${URLS_A_REQUEST} in a request\n`);
// The lengths of answers differ between candidates, and must repeat.
const timings = await compare({
  candidates,
  inputs: requests,
  items: URLS,
  rounds: 15,
  mustAgree: false,
});
const [plain] = timings;
printTable(
  ["candidate", "ns per URL", "URLs a second", "ratio"],
  timings.map(({ name, nanoseconds }) => [
    name,
    nanoseconds.toFixed(0),
    Math.round(1e9 / nanoseconds)
      .toLocaleString("en")
      .replaceAll(",", " "),
    (plain.nanoseconds / nanoseconds).toFixed(2),
  ]),
);
await server.stop();
process.exit();

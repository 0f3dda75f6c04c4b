/*
 * What identical browsers behind one address download: all of them ask once in each round, at random moments, and one
 * entry in a hundred is replaced between two rounds.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { readResponse, writeRequest } from "@x/wire";
import { batchGetHashLists } from "@x/wire/v5";
import { randomHashes, replaceSome, temporaryStore } from "./store.js";

const ENTRIES = 200_000;
const BROWSERS = 100;
const ROUNDS = 10;
/** How many ask at the same time. */
const AT_ONCE = 10;

const { store, publish, remove } = await temporaryStore();
let hashes = randomHashes(ENTRIES);
let { manifest } = await publish(hashes);
const server = fork(new URL("measured-server.js", import.meta.url), [store]);
const [port] = await once(server, "message");
const origin = `http://127.0.0.1:${port}`;

/** Asks as one of the browsers does; returns its next token, and what it was sent. */
async function update(token) {
  const message = { names: ["mw-4b"], version: [token] };
  const { target } = writeRequest(batchGetHashLists, message, { format: "protobuf" });
  const response = await fetch(origin + target, { headers: { "User-Agent": "the same" } });
  if (!response.ok) throw new Error(`${response.status}`);
  const body = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get("Content-Type");
  const [list] = readResponse(batchGetHashLists, body, type).hashLists;
  return { token: list.version, bytes: body.length, isFull: !list.partialUpdate };
}

async function served(version) {
  for (;;) {
    const text = await (await fetch(`${origin}/metrics`)).text();
    if (text.includes(`urlhash_list_version{list="malware"} ${version}\n`)) return;
    await pause(100);
  }
}

/** All browsers ask, in a random order. */
async function round(tokens) {
  const order = tokens.map((_, i) => [Math.random(), i]).sort(([a], [b]) => a - b);
  const sum = { bytes: 0, full: 0 };
  const ask = async () => {
    for (let next = order.pop(); next !== undefined; next = order.pop()) {
      const { token, bytes, isFull } = await update(tokens[next[1]]);
      tokens[next[1]] = token;
      sum.bytes += bytes;
      sum.full += isFull ? 1 : 0;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return sum;
}

const kilobytes = (bytes) => (bytes / BROWSERS / 1000).toFixed(1);
const tokens = Array.from({ length: BROWSERS }, () => new Uint8Array(0));
await served(manifest.version);
const first = await round(tokens);
if (first.full !== BROWSERS) throw new Error("the first updates must be full");
const later = { bytes: 0, full: 0 };
for (let i = 0; i < ROUNDS; i++) {
  hashes = replaceSome(hashes, ENTRIES / 100);
  ({ manifest } = await publish(hashes));
  await served(manifest.version);
  const { bytes, full } = await round(tokens);
  later.bytes += bytes;
  later.full += full;
}
console.log(`the first update: ${kilobytes(first.bytes)} kB for each browser`);
console.log(
  `${ROUNDS} rounds later, on average: ${kilobytes(later.bytes / ROUNDS)} kB for each browser, ${later.full} of ${BROWSERS * ROUNDS} updates were full`,
);
server.disconnect();
remove();

// Measures the most expensive requests that a client can send, and how long they make another client wait:
// npx pnpm --filter @x/server bench:dearest
//
// SIZE is the number of entries of the list (1 000 000 by default), and ONLY is a regular expression for the names of
// the requests. The script runs on Linux, because it reads /proc. The table goes to stdout as Markdown.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { decodeKeyConfigs } from "@x/ohttp";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { formatOhttpKeys, withNewKey } from "../dist/serve/ohttp/ohttp-keys.js";
import { dearestRequests } from "./dearest-requests.js";
import { randomHashes, replaceSome, temporaryStore } from "./store.js";

const SIZE = Number(process.env.SIZE ?? 1_000_000);
const ONLY = new RegExp(process.env.ONLY ?? "");
/** Versions before the newest one. Each replaces one entry in a hundred. */
const OLD_VERSIONS = 30;
const CONNECTIONS = 4;
const MILLISECONDS = 1000;
/** How long unfinished requests stay open, in milliseconds. */
const OPEN_FOR = 4000;

const store = await temporaryStore();
const tokens = [];
let hashes = randomHashes(SIZE);
for (let i = 0; i <= OLD_VERSIONS; i++) {
  if (i > 0) hashes = replaceSome(hashes, SIZE / 100);
  const { since, checksum } = (await store.publish(hashes)).manifest.contents;
  tokens.push(`malware.${since}.${checksum.slice(0, 16)}`);
}
hashes = null;
const keyFile = `${store.store}.ohttp`;
writeFileSync(keyFile, formatOhttpKeys(await withNewKey([], Date.now(), 0)));

let [server, probe, port] = [];

async function ask(child, message) {
  child.send(message);
  const [answer] = await once(child, "message");
  return answer;
}

/** Starts a new server, because an answer may be expensive only the first time. */
async function restart() {
  probe?.disconnect();
  server?.disconnect();
  const file = (name) => fileURLToPath(new URL(name, import.meta.url));
  server = fork(file("measured-server.js"), [store.store, keyFile]);
  [port] = await once(server, "message");
  probe = fork(file("dearest-probe.js"), [String(server.pid), String(port), tokens.at(-1)]);
  // Work that is done only once is not part of the cost of a request.
  await ask(probe, "start");
  await wait(500);
  await ask(probe, "stop");
}

/** The processor time of all threads of the server, in milliseconds. */
async function processorTime() {
  const { user, system } = await ask(server, "usage");
  return (user + system) / 1000;
}

/** The server is behind a proxy, which gives the address of its clients. */
const ADDRESS = { "X-Forwarded-For": "192.0.2.1" };
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Sends a request, and reads the whole answer. */
function send({ method = "GET", target, headers, body }) {
  const all = { ...ADDRESS, ...headers };
  const options = { host: "127.0.0.1", port, agent, method, path: target, headers: all };
  return new Promise((resolve, reject) => {
    const sent = request(options, async (response) => {
      const { socket } = response;
      const chunks = await response.toArray().catch(reject);
      resolve({ socket, body: Buffer.concat(chunks ?? []) });
    });
    sent.once("error", reject).end(body);
  });
}

/** Sends requests one after the other on each connection. Returns how many, and their bytes. */
async function load({ request: make, isFew, count = isFew ? 2 : Infinity }) {
  const end = performance.now() + (Number.isFinite(count) ? Infinity : MILLISECONDS);
  let [requests, bytes] = [0, 0];
  const lengths = new Map();
  const connection = async () => {
    while (performance.now() < end && requests < count) {
      const { socket } = await send(make(requests++));
      bytes += socket.bytesWritten - (lengths.get(socket) ?? 0);
      lengths.set(socket, socket.bytesWritten);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return { requests, bytes };
}

/** Opens many connections, and sends a body without its last byte on each. */
async function loadUnfinished({ request: make }) {
  const { method, target, headers, body } = make();
  const open = Array.from({ length: 600 }, () => {
    const options = { host: "127.0.0.1", port, method, path: target };
    const length = { "Content-Length": body.length };
    const all = { ...ADDRESS, ...headers, ...length };
    const sent = request({ ...options, agent: false, headers: all });
    sent.on("error", () => {}).write(body.slice(1));
    return sent;
  });
  await wait(OPEN_FOR);
  for (const each of open) each.destroy();
  return { requests: open.length, bytes: open.length * body.length };
}

async function measure(kind) {
  await restart();
  writeFileSync(`/proc/${server.pid}/clear_refs`, "5");
  await ask(probe, "start");
  const start = performance.now();
  const before = await processorTime();
  const { requests, bytes } = await (kind.isUnfinished ? loadUnfinished(kind) : load(kind));
  await wait(200);
  const after = await processorTime();
  const processor = after - before - ((performance.now() - start) / 1000) * idle;
  const { longest, refused } = await ask(probe, "stop");
  const status = readFileSync(`/proc/${server.pid}/status`, "latin1");
  const memory = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)[1]) / 1024;
  if (refused > 0) console.error(`${kind.name}: ${refused} requests of the other client failed`);
  return { name: kind.name, requests, bytes, processor: Math.max(0, processor), longest, memory };
}

await restart();
const before = await processorTime();
await ask(probe, "start");
await wait(2000);
const alone = await ask(probe, "stop");
/** The processor time that the server uses for the other client, in milliseconds per second. */
const idle = ((await processorTime()) - before) / 2;

const keys = await send({ target: "/.well-known/ohttp-gateway" });
const kinds = await dearestRequests(tokens, decodeKeyConfigs(keys.body)[0]);
const results = [];
for (const kind of kinds) if (ONLY.test(kind.name)) results.push(await measure(kind));
probe.disconnect();
server.disconnect();
await once(server, "exit");
store.remove();

const grouped = (number) => Math.round(number).toLocaleString("en").replaceAll(",", " ");
const short = (number) => (number < 10 ? number.toFixed(1) : grouped(number));
results.sort((a, b) => b.processor / b.requests - a.processor / a.requests);
printMachine();
console.log(
  `${grouped(SIZE)} entries. Alone, the other client waited ${short(alone.longest)} ms at most.\n`,
);
printTable(
  ["request", "bytes sent", "processor, ms", "ns a byte sent", "longest wait, ms", "memory, MB"],
  results.map(({ name, requests, bytes, processor, longest, memory }) => [
    name,
    grouped(bytes / requests),
    short(processor / requests),
    grouped((processor * 1e6) / bytes),
    grouped(longest),
    grouped(memory),
  ]),
);

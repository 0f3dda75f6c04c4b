// Measures requests per second on one core, compared with a bare server that returns the same bytes: npm run bench
import { fork, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { keepAsking } from "./keep-asking.js";
import { randomHashes, replaceSome, temporaryStore } from "./store.js";

const SIZE = Number(process.env.SIZE ?? 1_000_000);
/** Only the kinds of requests whose names match are measured. */
const ONLY = new RegExp(process.env.ONLY ?? "");
/** This many entries are URLs that requests can name. The others are random hashes. */
const URLS = 50_000;
const HASH_BYTES = 32;
const CONNECTIONS = 32;
/** The number of different requests. A round sends fewer. */
const REQUESTS = 50_000;
/** The servers take turns in many short rounds, so that other work on the machine slows all of them down alike. */
const ROUNDS = Number(process.env.ROUNDS ?? 12);
const SECONDS = 0.5;

spawnSync("taskset", ["-a", "-p", "-c", `1-${cpus().length - 1}`, String(process.pid)]);

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const store = await temporaryStore();
const urlOf = (i) => `site-${i}.example/`;
const old = randomHashes(SIZE);
for (let i = 0; i < URLS; i++) {
  old.set(createHash("sha256").update(urlOf(i)).digest(), i * HASH_BYTES);
}
await store.publish(old);
const before = await tokenOfNewest();
const replaced = replaceSome(old, 1000, URLS);
await store.publish(replaced);

/** Returns the token that clients of the newest version have. */
async function tokenOfNewest() {
  const { port, child } = await started("measured-server.js", store.store);
  const response = await fetch(`http://127.0.0.1:${port}/v5/hashList/mw-4b?alt=json`);
  const { version } = await response.json();
  child.disconnect();
  await once(child, "exit");
  return encodeURIComponent(version);
}

/** Starts a server on the first core, if the operating system can do that. The load comes from the other cores. */
async function started(name, ...args) {
  const child = fork(file(name), args);
  spawnSync("taskset", ["-a", "-p", "-c", "0", String(child.pid)]);
  const [port] = await once(child, "message");
  return { child, port };
}

const batch = (version) =>
  `/v5/hashLists:batchGet?key=k&names=se-4b&names=mw-4b&version=&version=${version}`;
let number = 0;
const search = () => {
  // Every other prefix is on the list, and none is searched twice.
  const prefix =
    number++ % 2
      ? hashAt(number).subarray(0, 4)
      : createHash("md5").update(`${number}`).digest().subarray(0, 4);
  return targetOf(prefix);
};
/** Returns an entry. Entries with consecutive numbers are far from each other in the list. */
const hashAt = (i) => {
  const at = ((i * 7919) % SIZE) * HASH_BYTES;
  return old.subarray(at, at + HASH_BYTES);
};
const targetOf = (prefix) =>
  `/v5/hashes:search?key=k&hashPrefixes=${encodeURIComponent(Buffer.from(prefix).toString("base64"))}`;
/** A few of these entries are no longer listed, because {@link replaceSome} has replaced them. */
const searchListed = () => targetOf(hashAt(number++).subarray(0, 4));
const searchUrl = () => `/v5/urls:search?key=k&urls=${urlOf(number++ % URLS)}`;
const lookUp = () =>
  `/lookup/status?url=http%3A%2F%2F${encodeURIComponent(urlOf(number++ % URLS))}`;

/**
 * Throws unless searches and lookups find listed full hashes and URLs, and searches for prefixes return only hashes
 * with the right prefix.
 */
async function checkSearches(port) {
  const get = (target) => fetch(`http://127.0.0.1:${port}${target}`);
  const listed = new Set();
  const current = replaced;
  for (let at = 0; at < current.length; at += HASH_BYTES) {
    if (at % (1000 * HASH_BYTES) < 10 * HASH_BYTES) {
      listed.add(Buffer.from(current.subarray(at, at + HASH_BYTES)).toString("base64"));
    }
  }
  let checked = 0;
  for (const hash of listed) {
    if (++checked % 10 > 0) continue;
    const prefix = Buffer.from(hash, "base64").subarray(0, 4);
    const { fullHashes } = await (await get(`${targetOf(prefix)}&alt=json`)).json();
    const hashes = fullHashes.map(({ fullHash }) => fullHash);
    const isRight = hashes.every((each) =>
      Buffer.from(each, "base64").subarray(0, 4).equals(prefix),
    );
    if (!hashes.includes(hash) || !isRight) throw new Error(`${hash} was not found`);
  }
  for (let i = 0; i < URLS; i += 500) {
    const { threats } = await (await get(`/v5/urls:search?alt=json&urls=${urlOf(i)}`)).json();
    const isListed = (await get(`/lookup/status?url=http://${urlOf(i)}`)).status === 403;
    if (threats?.[0]?.url !== urlOf(i) || !isListed) throw new Error(`${urlOf(i)} was not found`);
  }
}

const popular = Array.from({ length: 5000 }, search);
const searchAgain = () => popular[number++ % popular.length];

/** A request from a client that has not asked before. */
function requestFor(target) {
  const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number++ & 255}`;
  const text = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${address}\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n`;
  return Buffer.from(text, "latin1");
}

/** The processor time, in microseconds, that a server has used so far, including the kernel's. */
async function processorTime(child) {
  child.send("");
  const [{ user, system }] = await once(child, "message");
  return user + system;
}

/**
 * Keeps the connections busy for {@link SECONDS}. Returns the answers per second and the processor time for each
 * answer in microseconds.
 */
async function load({ child, port }, requests) {
  let [isOver, next] = [false, 0];
  const asking = keepAsking(port, CONNECTIONS, () => requests[next++ % requests.length]);
  const processorBefore = await processorTime(child);
  const before = asking.answered();
  const start = performance.now();
  // An answer wakes a sleeping process on the same machine, which costs the server more than the rest of a write.
  // Clients on a network do not cause this cost, so this process stays awake.
  const stayAwake = () => isOver || setImmediate(stayAwake);
  stayAwake();
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  const answered = asking.answered() - before;
  const rate = (answered * 1000) / (performance.now() - start);
  const processor = ((await processorTime(child)) - processorBefore) / answered;
  isOver = true;
  await asking.stop();
  return { rate, processor };
}

/** If nginx is installed, it answers from a file with the bytes that it would have in its cache. */
const hasNginx = spawnSync("nginx", ["-v"]).error === undefined;
const ours = await started("measured-server.js", store.store);
const current = (
  await (await fetch(`http://127.0.0.1:${ours.port}/v5/hashList/mw-4b?alt=json`)).json()
).version;
const cases = [
  ["batchGet, nothing new", () => batch(encodeURIComponent(current))],
  ["batchGet, partial (2 000 changes)", () => batch(before)],
  ["batchGet, full (1 M entries)", () => batch("")],
  ["hashes:search, a prefix nobody asked for before", search],
  ["hashes:search, a prefix of 5 000 that are popular", searchAgain],
  ["hashes:search, a listed prefix", searchListed],
  ["urls:search, a listed URL", searchUrl],
  ["/lookup/status, a listed URL", lookUp],
].filter(([name]) => ONLY.test(name));
await checkSearches(ours.port);
const rows = [];
for (const [name, target] of cases) {
  const response = await fetch(`http://127.0.0.1:${ours.port}${target()}`, {
    headers: { "X-Forwarded-For": "192.0.2.1", "User-Agent": "probe" },
  });
  const body = Buffer.from(await response.arrayBuffer());
  const bodyFile = `${store.store}.body`;
  writeFileSync(bodyFile, body);
  const sent = [...response.headers].filter(
    ([key]) => !["date", "connection", "keep-alive"].includes(key),
  );
  const parts = [JSON.stringify(Object.fromEntries(sent)), bodyFile];
  const bare = await started("bare-server.js", ...parts);
  const nginx =
    hasNginx && response.status === 200 ? await started("nginx-server.js", ...parts) : null;
  const [ofBare, ofOurs, ofNginx] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    // Each request comes from another client, because the server assumes that a client that repeats a request has
    // failed.
    const requests = Array.from({ length: REQUESTS }, () => requestFor(target()));
    ofBare.push(await load(bare, requests));
    ofOurs.push(await load(ours, requests));
    if (nginx !== null) ofNginx.push(await load(nginx, requests));
  }
  bare.child.disconnect();
  nginx?.child.disconnect();
  const rates = [ofBare, ofOurs].map((rounds) => Math.max(...rounds.map(({ rate }) => rate)));
  const times = [ofBare, ofOurs].map((rounds) => Math.min(...rounds.map((each) => each.processor)));
  rows.push([
    name,
    String(body.length),
    ...rates.map((rate) => Math.round(rate).toLocaleString("en").replaceAll(",", " ")),
    (rates[1] / rates[0]).toFixed(2),
    ...times.map((time) => `${time.toFixed(1)} µs`),
    (times[0] / times[1]).toFixed(2),
    nginx === null ? "" : `${Math.min(...ofNginx.map((each) => each.processor)).toFixed(1)} µs`,
  ]);
}
ours.child.disconnect();
await once(ours.child, "exit");
store.remove();

printMachine();
console.log(`Load average of the last minute, with this: ${loadavg()[0].toFixed(1)}\n`);
printTable(
  [
    ...["request", "bytes", "bare, a second", "ours, a second", "ratio"],
    ...["bare, processor", "ours, processor", "ratio", "nginx, processor"],
  ],
  rows,
);

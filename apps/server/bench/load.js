/*
 * How long clients wait for small and large answers, under 1000 connections, while a new version of a long list is loaded:
 * beside nginx and a bare `node:http` that send the same bytes. `npx pnpm --filter @x/server bench:load`.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { exactExpression } from "@x/expressions";
import { fullHash } from "@x/sha256-prefix";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { writeRequest } from "@x/wire";
import { fetchThreatListUpdates } from "@x/wire/v4";
import { batchGetHashLists, searchHashes } from "@x/wire/v5";
import { computeThreatListDiff } from "@x/wire/web-risk";
import { formatToken } from "../dist/serve/updates/update-token.js";
import { generate } from "./load/generate.js";
import { nginxFiles, SEARCH } from "./load/nginx-files.js";
import { randomHashes, replaceSome, temporaryStore } from "./store.js";

const SIZE = Number(process.env.SIZE ?? 10_000_000);
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 1000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const MILLISECONDS = Number(process.env.MILLISECONDS ?? 8000);
/** Half of the prefixes that are searched are on the list. */
const PREFIXES = 1000;
const LISTED_URL = "http://evil.example/";
/** Requests a second of each kind. */
const RATES = {
  "hashes:search": 300,
  "batchGet, nothing new": 100,
  "batchGet, partial": 30,
  "v4, partial": 30,
  "Web Risk, partial": 30,
  "POST /lookup, 10 URLs": 30,
  "batchGet, the whole list": 2,
};

const store = await temporaryStore();
const folder = dirname(store.store);
const versionFile = (version) =>
  join(store.store, "lists/malware/v", String(version).padStart(12, "0"));
const tokens = [];
let hashes = randomHashes(SIZE);
hashes.set(fullHash(exactExpression(LISTED_URL)), 32);
for (let version = 1; version <= 3; version++) {
  const { manifest } = await store.publish(hashes);
  tokens.push(Buffer.from(formatToken("malware", manifest.contents, null), "latin1"));
  if (version === 2) renameSync(join(store.store, "lists/malware/head"), join(folder, "head"));
  if (version < 3) {
    hashes = replaceSome(hashes, SIZE / 100);
    hashes.set(fullHash(exactExpression(LISTED_URL)), 32);
  }
}
/** Hides the third version again. */
function hide() {
  renameSync(versionFile(3), join(folder, "version-3"));
}
/** Publishes the third version: its objects are there, and all that is missing is its manifest. */
function reveal() {
  renameSync(join(folder, "version-3"), versionFile(3));
}
writeFileSync(join(store.store, "lists/malware/head"), readFileSync(join(folder, "head")));
hide();

const request = (written) => ({ ...written, body: written.body ?? "" });
const [old, current] = tokens;
function prefixes() {
  const chosen = [];
  for (let i = 0; i < PREFIXES; i++) {
    const at = Math.floor((i * SIZE) / PREFIXES) * 32;
    chosen.push(i % 2 ? hashes.subarray(at, at + 4) : randomHashes(1).subarray(0, 4));
  }
  return chosen;
}
const batchOf = (version) =>
  writeRequest(batchGetHashLists, { names: ["mw-4b"], version: [version] }, { key: "k" });
const v4 = writeRequest(
  fetchThreatListUpdates,
  {
    client: { clientId: "load", clientVersion: "1" },
    listUpdateRequests: [
      {
        ...{ threatType: "MALWARE", platformType: "LINUX", threatEntryType: "URL", state: old },
        constraints: { supportedCompressions: ["RICE"] },
      },
    ],
  },
  { form: "$req", key: "k" },
);
const urls = Array.from({ length: 9 }, (_, i) => `http://site-${i}.example/a/b?c=d`);
const kinds = Object.entries({
  "hashes:search": prefixes().map((prefix) =>
    writeRequest(searchHashes, { hashPrefixes: [prefix] }),
  ),
  "batchGet, nothing new": [batchOf(current)],
  "batchGet, partial": [batchOf(old)],
  "v4, partial": [v4],
  "Web Risk, partial": [
    writeRequest(computeThreatListDiff, {
      ...{ threatType: "MALWARE", versionToken: old },
      constraints: { supportedCompressions: ["RICE"] },
    }),
  ],
  "POST /lookup, 10 URLs": [
    {
      ...{ method: "POST", target: "/lookup", headers: { "Content-Type": "application/json" } },
      body: JSON.stringify({ urls: [LISTED_URL, ...urls] }),
    },
  ],
  "batchGet, the whole list": [batchOf(new Uint8Array(0))],
}).map(([name, requests]) => ({ name, rate: RATES[name], requests: requests.map(request) }));

async function forked(file, ...args) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const [port] = await once(child, "message");
  const stop = async () => {
    child.disconnect();
    await once(child, "exit");
  };
  return { port, stop };
}
const urlhashServer = () => forked("measured-server.js", store.store);

async function bodyFrom(port, { method, target, headers, body }) {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    ...{
      method,
      headers: { ...headers, "X-Forwarded-For": `192.0.2.${bodyFrom.clients++ % 250}` },
    },
    ...(method === "POST" && { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${response.status} for ${target}: ${bytes}`);
  return bytes;
}
bodyFrom.clients = 0;

// The bytes of all answers, for the other candidates.
const ours = await urlhashServer();
mkdirSync(join(folder, "answers"));
const all = kinds.flatMap(({ requests }) => requests);
const files = [];
for (const [i, each] of all.entries()) {
  const body = await bodyFrom(ours.port, each);
  const [, prefix] = /[?&]hashPrefixes=(.*)$/.exec(each.target) ?? [];
  each.length = body.length;
  each.file = prefix === undefined ? `answers/${i}` : SEARCH + prefix;
  files.push({ target: each.target, file: each.file });
  writeFileSync(join(folder, each.file), body);
}
writeFileSync(join(folder, "requests.json"), JSON.stringify(files));
const others = {
  nginx: await nginxFiles(folder),
  "node:http": await forked("bare-files.js", folder),
};
for (const [name, { port }] of Object.entries({ ...others, ours })) {
  for (const each of all) {
    const expected = readFileSync(join(folder, each.file));
    if ((await bodyFrom(port, each)).equals(expected)) continue;
    throw new Error(`${name} answers ${each.target} with other bytes`);
  }
}
await ours.stop();

async function versionOf(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^urlhash_list_version\{list="malware"\} (\d+)$/m.exec(text)[1]);
}

/** The waits of a candidate, alone and while a server loads the new version. `null` stands for that server itself. */
async function round(other, waits) {
  const server = await urlhashServer();
  const port = other?.port ?? server.port;
  const options = { connections: CONNECTIONS, milliseconds: MILLISECONDS };
  // A new process is slower at first.
  for (const each of all) await bodyFrom(server.port, each);
  await generate(port, kinds, { ...options, isSame: true });
  const quiet = await generate(port, kinds, { ...options, isSame: true });
  let isLoaded = false;
  const loading = generate(port, kinds, {
    ...options,
    isSame: other !== null,
    isOver: () => isLoaded,
  });
  await pause(MILLISECONDS / 16);
  const start = performance.now();
  reveal();
  while ((await versionOf(server.port)) !== 3) await pause(100);
  const seconds = (performance.now() - start) / 1000;
  isLoaded = true;
  const during = await loading;
  hide();
  await server.stop();
  for (const [phase, found] of Object.entries({ quiet, loading: during })) {
    for (const [name, times] of found) {
      const key = `${phase} ${name}`;
      waits.set(key, [...(waits.get(key) ?? []), ...times]);
    }
  }
  return seconds;
}

const candidates = { ...others, "urlhash-server": null };
const waits = new Map(Object.keys(candidates).map((name) => [name, new Map()]));
const loads = [];
for (let i = 0; i < ROUNDS; i++) {
  for (const [name, other] of Object.entries(candidates)) {
    loads.push(await round(other, waits.get(name)));
  }
}
for (const { stop } of Object.values(others)) await stop();
store.remove();
rmSync(folder, { recursive: true, force: true });

/** The median, 99 % and the longest; the last one says how many were refused, if any were. */
function timesOf(times) {
  const sorted = times.filter(Number.isFinite).sort((a, b) => a - b);
  const quantile = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  const shown = [quantile(0.5), quantile(0.99), sorted.at(-1)].map((time) =>
    time < 100 ? time.toFixed(1) : time.toFixed(0),
  );
  const refused = times.length - sorted.length;
  if (refused > 0) shown[2] += ` (${refused} of ${times.length} refused)`;
  return shown;
}

printMachine();
const total = Object.values(RATES).reduce((sum, rate) => sum + rate);
console.log(
  `${SIZE} entries, ${CONNECTIONS} connections, ${total} requests a second. The new version was loaded in ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)} s. Load average of the last minute, with this: ${loadavg()[0].toFixed(1)}\n`,
);
printTable(
  ["request", "bytes", "from", "p50, ms", "p99", "longest", "loading: p50", "p99", "longest"],
  kinds.flatMap(({ name, requests }) =>
    Object.keys(candidates).map((candidate, i) => [
      i === 0 ? name : "",
      i === 0 ? String(requests[0].length) : "",
      candidate,
      ...timesOf(waits.get(candidate).get(`quiet ${name}`)),
      ...timesOf(waits.get(candidate).get(`loading ${name}`)),
    ]),
  ),
);

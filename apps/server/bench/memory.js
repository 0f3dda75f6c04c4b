// Publishes many versions of a list, sends requests of all forms after each, and shows the memory of the server.
// Usage: [VERSIONS=1000] [SIZE=100000] node bench/memory.js
import { fork } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { randomHashes, replaceSome, temporaryStore } from "./store.js";

const VERSIONS = Number(process.env.VERSIONS ?? 1000);
const SIZE = Number(process.env.SIZE ?? 100_000);
/** The number of lines of the table. */
const LINES = 20;
const MEGABYTE = 1e6;
const PER_BLOCK = 10 * MEGABYTE;

const PATHS = [
  "/v5/hashList/mw-4b",
  "/v5/hashLists:batchGet?names=mw-4b&names=mw-8b",
  "/v5/hashes:search?hashPrefixes=AAAAAA==",
  "/v5/urls:search?urls=clean.example/",
  "/v1/threatLists:computeDiff?threatType=MALWARE&constraints.supportedCompressions=RICE",
  "/v1/uris:search?threatTypes=MALWARE&uri=http://clean.example/",
  "/lookup/status?url=http://clean.example/",
  "/export/malware.gdb",
  "/metrics",
  "/readyz",
  "/",
];

const { store, publish, remove } = await temporaryStore();
let hashes = randomHashes(SIZE);
await publish(hashes);
const file = fileURLToPath(new URL("measured-server.js", import.meta.url));
const env = { ...process.env, POLL: "50" };
const server = fork(file, [store], { execArgv: [...process.execArgv, "--expose-gc"], env });
const [port] = await once(server, "message");
const origin = `http://127.0.0.1:${port}`;

async function get(path) {
  const response = await fetch(origin + path);
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status >= 500) throw new Error(`${path}: ${response.status} ${body}`);
  return body;
}

/** Waits until the server has loaded a version. */
async function isServed(version) {
  const line = `urlhash_list_version{list="malware"} ${version}\n`;
  while (!(await get("/metrics")).includes(line)) await wait(20);
}

async function memory() {
  server.send("measure");
  const [{ rss }] = await once(server, "message");
  return rss;
}

try {
  console.log(`${SIZE} entries; memory after a collection`);
  for (let version = 1; version <= VERSIONS; version++) {
    if (version > 1) {
      hashes = replaceSome(hashes, Math.ceil(SIZE / 1000));
      await publish(hashes);
    }
    await isServed(version);
    for (const path of PATHS) await get(path);
    if (version === 1 || version % Math.ceil(VERSIONS / LINES) === 0) {
      const rss = await memory();
      const blocks = "█".repeat(Math.round(rss / PER_BLOCK));
      console.log(
        `${String(version).padStart(5)} ${(rss / MEGABYTE).toFixed(0).padStart(5)} MB ${blocks}`,
      );
    }
  }
} finally {
  server.disconnect();
  remove();
}

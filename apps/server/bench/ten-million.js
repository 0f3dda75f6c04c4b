// Measures what publishing changes, a first update and searches take with ten million entries: npm run bench:large
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { randomHashes, replaceSome, temporaryStore } from "./store.js";

const SIZE = Number(process.env.SIZE ?? 10_000_000);
const CHANGES = SIZE / 100;
const SEARCHES = 2000;

const MEGABYTE = 2 ** 20;
const rows = [];
const inMegabytes = (bytes) =>
  `${Math.round(bytes / MEGABYTE)
    .toLocaleString("en")
    .replaceAll(",", " ")} MB`;

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

const server = await temporaryStore();
const old = randomHashes(SIZE);

/** Publishes hashes from a file in a separate process, whose memory contains nothing else. */
async function publishing(what, hashes) {
  const file = `${server.store}.hashes`;
  writeFileSync(file, hashes);
  const child = fork(fileURLToPath(new URL("measured-publisher.js", import.meta.url)), [
    server.store,
    file,
  ]);
  const [{ seconds, processor, rss }] = await once(child, "message");
  await once(child, "exit");
  rows.push([what, `${seconds.toFixed(1)} s`, `${processor.toFixed(1)} s`, inMegabytes(rss)]);
}

async function started() {
  const file = fileURLToPath(new URL("measured-server.js", import.meta.url));
  const child = fork(file, [server.store], { execArgv: ["--expose-gc"] });
  const [port] = await once(child, "message");
  return { child, origin: `http://127.0.0.1:${port}` };
}

async function memoryOf(child) {
  child.send("");
  const [{ rss }] = await once(child, "message");
  return inMegabytes(rss);
}

async function stopped(child) {
  child.disconnect();
  await once(child, "exit");
}

const update = (version) => `/v5/hashList/mw-4b?version=${encodeURIComponent(version)}`;

await publishing(`publish ${SIZE} entries`, old);
let { child, origin } = await started();
const { version } = await (await fetch(`${origin}/v5/hashList/mw-4b?alt=json`)).json();
await stopped(child);
const changed = replaceSome(old, CHANGES);
await publishing(`publish a change of ${CHANGES} entries`, changed);
await publishing("publish a change of one entry", replaceSome(changed, 1));

const start = performance.now();
({ child, origin } = await started());
const ready = performance.now() - start;
const partial = await fetch(origin + update(version));
const bytes = (await partial.arrayBuffer()).byteLength;
const answered = performance.now() - start;
rows.push(["start the server until it listens", seconds(ready), "", await memoryOf(child)]);
const first = `… and until the first partial update (${bytes} bytes)`;
rows.push([first, seconds(answered), "", ""]);

const times = [];
for (let i = 0; i < SEARCHES; i++) {
  const at = Math.floor((i * SIZE) / SEARCHES) * 32;
  const prefix = encodeURIComponent(Buffer.from(old.subarray(at, at + 4)).toString("base64"));
  const from = performance.now();
  await (await fetch(`${origin}/v5/hashes:search?hashPrefixes=${prefix}`)).arrayBuffer();
  times.push(performance.now() - from);
}
times.sort((a, b) => a - b);
const median = times[SEARCHES / 2].toFixed(1);
const late = times[Math.floor(SEARCHES * 0.99)].toFixed(1);
const searches = `${SEARCHES} searches in all shards: median ${median} ms, 99 % below ${late} ms`;
rows.push([searches, "", "", await memoryOf(child)]);
await stopped(child);
server.remove();

printMachine();
printTable(["what", "time", "processor", "memory"], rows);

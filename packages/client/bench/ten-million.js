// Measures a client with a large list in storage: `node bench/ten-million.js` after a build. Each start is a
// separate process, and the smallest of each figure over several starts counts.
import { spawnSync } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@x/client";
import { directoryStorage } from "@x/client/node";
import { prefixList } from "@x/prefix-list";
import { fullUpdate, writeResponse } from "@x/wire";
import { batchGetHashLists, toHashList } from "@x/wire/v5";

const MIB = 2 ** 20;
const STARTS = 7;

function open(directory, answer) {
  return createClient({
    protocol: "v5",
    server: "https://lists.example",
    lists: ["mw-4b"],
    storage: directoryStorage(directory),
    fetch: async () => answer(),
  });
}

/** Lets a client fetch and store a list of random prefixes. */
async function store(directory, size) {
  const rawHashes = new Uint8Array(size * 4);
  for (let at = 0; at < rawHashes.length; at += 2 ** 24) {
    randomFillSync(rawHashes.subarray(at, at + 2 ** 24));
  }
  const list = prefixList([{ prefixBytes: 4, rawHashes }]);
  const facts = { name: "mw-4b", version: Uint8Array.of(1), minimumWaitDuration: 3_600_000 };
  const hashLists = [toHashList(fullUpdate(list), facts)];
  const answer = { format: "protobuf", enums: "names" };
  const { body, contentType } = writeResponse(batchGetHashLists, { hashLists }, answer);
  const client = open(
    directory,
    () => new Response(body, { headers: { "content-type": contentType } }),
  );
  const start = performance.now();
  await client.update();
  return { update: performance.now() - start };
}

/** The processor time of all threads of this process, in milliseconds. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The time to the first verdict of a client that starts, and the memory that it uses. */
async function load(directory) {
  const before = processorTime();
  const start = performance.now();
  const client = open(directory, () => {
    throw new Error("nothing is fetched");
  });
  await client.load();
  const loaded = performance.now();
  const { verdict, local } = client.checkLocally("http://www.example.com/a?b=1");
  if (verdict !== "safe" && local !== "listed") throw new Error(`The verdict is ${verdict}`);
  const first = performance.now();
  const processor = processorTime() - before;
  globalThis.gc();
  return {
    load: loaded - start,
    first: first - loaded,
    processor,
    rss: process.memoryUsage().rss / MIB,
    peak: process.resourceUsage().maxRSS / 1024,
  };
}

function inProcess(...args) {
  const program = fileURLToPath(import.meta.url);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--expose-gc", program, ...args],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const [, , step, directory, size] = process.argv;
if (step === "store") {
  console.log(JSON.stringify(await store(directory, Number(size))));
} else if (step === "load") {
  console.log(JSON.stringify(await load(directory)));
} else {
  console.log(
    "entries, on disk, update with storing, load, first verdict, processor time of both, RSS after GC, largest RSS",
  );
  for (const entries of [0, 1_000_000, 10_000_000]) {
    const folder = mkdtempSync(join(tmpdir(), "ten-million-"));
    try {
      const { update } = inProcess("store", folder, String(entries));
      const starts = Array.from({ length: STARTS }, () => inProcess("load", folder));
      const least = (figure) => Math.min(...starts.map((each) => each[figure]));
      const bytes = readdirSync(folder).reduce((sum, n) => sum + statSync(join(folder, n)).size, 0);
      const row = [
        entries,
        `${(bytes / MIB).toFixed(1)} MiB`,
        `${update.toFixed(0)} ms`,
        `${least("load").toFixed(0)} ms`,
        `${least("first").toFixed(1)} ms`,
        `${least("processor").toFixed(0)} ms`,
        `${least("rss").toFixed(0)} MiB`,
        `${least("peak").toFixed(0)} MiB`,
      ];
      console.log(row.join(", "));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

// Compares several processes of `urlhash-server serve` with as many servers:
// npx pnpm --filter @x/server bench:processes
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { keepAsking } from "./keep-asking.js";
import { randomHashes, temporaryStore } from "./store.js";

const COUNTS = [1, 2];
const SIZE = Number(process.env.SIZE ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** A round lasts until the server has used this much processor time, in milliseconds. */
const ROUND = Number(process.env.ROUND ?? 600);
/** Each process compiles its code for itself, in about this much processor time, in milliseconds. */
const WARM_UP = 3000;
/** For each process. */
const CONNECTIONS = 32;
const URLS = 50_000;
const COMMAND = fileURLToPath(new URL("../bin/urlhash-server.js", import.meta.url));
const store = await temporaryStore();
const urlOf = (i) => `site-${i % (2 * URLS)}.example/`;
const hashes = randomHashes(SIZE);
for (let i = 0; i < URLS; i++) hashes.set(createHash("sha256").update(urlOf(i)).digest(), i * 32);
await store.publish(hashes);

let number = 0;
const prefix = () => hashes.subarray(((number++ * 7919) % SIZE) * 32).subarray(0, 4);
const urls = () => Array.from({ length: 100 }, () => urlOf((number++ * 7919) % (2 * URLS)));
/** Half of the URLs are listed. */
const KINDS = {
  "hashes:search": () => [
    `/v5/hashes:search?hashPrefixes=${encodeURIComponent(Buffer.from(prefix()).toString("base64"))}`,
  ],
  "urls:search": () => [`/v5/urls:search?urls=${urlOf(number++ * 7919)}`],
  "/lookup, 1 URL": () => ["/lookup", JSON.stringify({ urls: urls().slice(0, 1) })],
  "/lookup, 100 URLs": () => ["/lookup", JSON.stringify({ urls: urls() })],
};

async function started(count) {
  const set = [`processes=${count}`, "behind-proxy=true", "log.requests=errors"];
  const args = ["--store", store.store, "--port", "0", ...set.flatMap((each) => ["--set", each])];
  const child = spawn(process.execPath, [COMMAND, "serve", "--first-start", ...args]);
  let [log, said] = ["", ""];
  child.stdout.on("data", (data) => (log += data));
  child.stderr.on("data", (data) => (said += data));
  while (log.split('"msg":"started"').length <= count) {
    if (child.exitCode !== null) throw new Error(said);
    await pause(50);
  }
  child.stdout.removeAllListeners("data").resume();
  return { count, child, port: Number(/:(\d+)$/m.exec(said)[1]) };
}

/** The main process of a server, and those that it has started. */
function processesOf({ child: { pid } }) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return [pid, ...children.split(" ").filter(Boolean)];
}

/** The processor time of all threads of servers in milliseconds, with that of the kernel. */
function processorTime(servers) {
  const times = servers
    .flatMap(processesOf)
    .flatMap((pid) =>
      readdirSync(`/proc/${pid}/task`).map((thread) =>
        Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
      ),
    );
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** A request of a client that has not asked before, because a client that repeats a request may have failed. */
function requestOf([path, body]) {
  const client = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number++ & 255}`;
  const type = body === undefined ? "" : "Content-Type: application/json\r\n";
  const head = `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: ${client}\r\n${type}Content-Length: ${body?.length ?? 0}\r\n\r\n`;
  return Buffer.from(`${head}${body ?? ""}`, "latin1");
}

/** Throws unless all servers give the same answers. */
async function checkAgreement(servers, kind) {
  for (let i = 0; i < 100; i++) {
    const [path, body] = kind();
    const options = {
      ...(body !== undefined && { method: "POST", body }),
      headers: { "Content-Type": "application/json" },
    };
    const answers = await Promise.all(
      servers.map(async ({ port }) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, options);
        return `${response.status} ${await response.text()}`;
      }),
    );
    const isSame = answers.every((answer) => answer === answers[0] && answer.startsWith("200 "));
    if (!isSame) throw new Error(`different answers to ${path}: ${answers.join("\n")}`);
  }
}

/** Keeps the connections busy. Returns answers a second, and microseconds of processor time for an answer. */
async function load(servers, kind, milliseconds = ROUND) {
  const requests = Array.from({ length: 2000 }, () => requestOf(kind()));
  let next = 0;
  const [before, start, own] = [processorTime(servers), performance.now(), process.cpuUsage()];
  const asking = servers.map(({ port, count }) =>
    keepAsking(port, CONNECTIONS * count, () => requests[next++ % requests.length]),
  );
  while (processorTime(servers) < before + milliseconds) await pause(20);
  await Promise.all(asking.map((each) => each.stop()));
  const seconds = (performance.now() - start) / 1000;
  const processor = processorTime(servers) - before;
  const answered = asking.reduce((sum, each) => sum + each.answered(), 0);
  const { user, system } = process.cpuUsage(own);
  return {
    rate: answered / seconds,
    processor: (processor / answered) * 1000,
    cores: processor / seconds / 1000,
    ofLoad: (user + system) / seconds / 1e6,
  };
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

const together = [];
for (const count of COUNTS) together.push(await started(count));
const apart = [];
for (let i = 0; i < COUNTS.at(-1); i++) apart.push(await started(1));
const rows = [];
for (const [name, kind] of Object.entries(KINDS)) {
  await checkAgreement([...together, ...apart], kind);
  for (const server of [...together, ...apart]) await load([server], kind, WARM_UP * server.count);
  for (const server of together) {
    const others = apart.slice(0, server.count);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push([await load([server], kind), await load(others, kind)]);
    }
    const medians = (numberOf) => median(rounds.map(numberOf));
    rows.push([
      ...[name, String(server.count)],
      ...[0, 1].map((i) => `${medians((round) => round[i].processor).toFixed(0)} µs`),
      medians(([ours, theirs]) => ours.processor / theirs.processor).toFixed(2),
      ...[0, 1].map((i) => medians((round) => round[i].rate).toFixed(0)),
      ...["cores", "ofLoad"].map((what) => medians(([ours]) => ours[what]).toFixed(2)),
    ]);
  }
}
for (const { child } of [...together, ...apart]) child.kill("SIGTERM");
store.remove();
printMachine();
console.log(`Load average of the last minute, with this: ${loadavg()[0].toFixed(1)}\n`);
printTable(
  [
    ...["request", "processes", "processor time each", "separate servers", "ratio"],
    ...["a second", "separate servers", "cores used", "cores of the load"],
  ],
  rows,
);

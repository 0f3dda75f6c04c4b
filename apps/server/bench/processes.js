// Compares 1, 2 and more processes of `urlhash-server serve`: npx pnpm --filter @x/server bench:processes
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { availableParallelism, loadavg } from "node:os";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { randomHashes, temporaryStore } from "./store.js";

const COUNTS = [...new Set([1, 2, Math.max(4, availableParallelism())])];
const SIZE = Number(process.env.SIZE ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 6);
const SECONDS = Number(process.env.SECONDS ?? 1);
const CONNECTIONS = 32;
const URLS = 50_000;
const COMMAND = fileURLToPath(new URL("../bin/urlhash-server.js", import.meta.url));
/** The unit of the times in /proc. */
const TICK = 1000 / Number(spawnSync("getconf", ["CLK_TCK"]).stdout);

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
  const set = [`processes=${count}`, "behind-proxy=true", "log.requests=1%"];
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

/** The processor time of a process and its children in milliseconds, with that of the kernel. */
function processorTime({ child: { pid } }) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  const times = [pid, ...children].filter(Boolean).map((each) => {
    const fields = readFileSync(`/proc/${each}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(fields[11]) + Number(fields[12]);
  });
  return times.reduce((sum, time) => sum + time, 0) * TICK;
}

function ask({ port }, agent, [path, body]) {
  const client = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number++ & 255}`;
  const headers = { "X-Forwarded-For": client, "Content-Type": "application/json" };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", agent, method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("latin1").on("data", (part) => (text += part));
      response.on("end", () => resolve(`${response.statusCode} ${text}`));
    });
    sent.on("error", reject).end(body);
  });
}

/** Throws unless all servers give the same answers. */
async function checkAgreement(servers, kind) {
  for (let i = 0; i < 100; i++) {
    const asked = kind();
    const answers = await Promise.all(servers.map((server) => ask(server, undefined, asked)));
    const isSame = answers.every((answer) => answer === answers[0] && answer.startsWith("200 "));
    if (!isSame) throw new Error(`different answers to ${asked}: ${answers.join("\n")}`);
  }
}

/** Keeps the connections busy. Returns answers a second, and milliseconds of processor time for a thousand answers. */
async function load(server, kind) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const asked = Array.from({ length: 2000 }, kind);
  let [answered, isOver] = [0, false];
  const [before, start, own] = [processorTime(server), performance.now(), process.cpuUsage()];
  const asking = Array.from({ length: CONNECTIONS }, async (_, i) => {
    for (let at = i; !isOver; at += CONNECTIONS) {
      await ask(server, agent, asked[at % asked.length]);
      answered++;
    }
  });
  await pause(SECONDS * 1000);
  isOver = true;
  await Promise.all(asking);
  const seconds = (performance.now() - start) / 1000;
  const processor = processorTime(server) - before;
  const { user, system } = process.cpuUsage(own);
  agent.destroy();
  return {
    rate: answered / seconds,
    processor: (processor / answered) * 1000,
    cores: processor / seconds / 1000,
    ofLoad: (user + system) / seconds / 1e6,
  };
}

const servers = [];
for (const count of COUNTS) servers.push(await started(count));
const rows = [];
for (const [name, kind] of Object.entries(KINDS)) {
  await checkAgreement(servers, kind);
  // Each process compiles its code for itself.
  for (const server of servers) for (let i = 0; i < server.count; i++) await load(server, kind);
  const rounds = servers.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, server] of servers.entries()) rounds[i].push(await load(server, kind));
  }
  for (const [i, { count }] of servers.entries()) {
    // Other work on the machine makes rounds slower, never faster.
    const cheapest = Math.min(...rounds[i].map(({ processor }) => processor));
    const best = rounds[i].reduce((a, b) => (b.rate > a.rate ? b : a));
    rows.push([
      ...[name, String(count), `${cheapest.toFixed(0)} µs`, best.rate.toFixed(0)],
      ...[best.cores.toFixed(2), best.ofLoad.toFixed(2)],
    ]);
  }
}
for (const { child } of servers) child.kill("SIGTERM");
store.remove();
printMachine();
console.log(`Load average of the last minute, with this: ${loadavg()[0].toFixed(1)}\n`);
printTable(
  ["request", "processes", "processor time each", "a second", "cores used", "cores of the load"],
  rows,
);

// Measures the most expensive requests that a client can send, and how long they make another client wait:
// npx pnpm --filter @x/server bench:dearest
//
// SIZE is the number of entries of the long list (1 000 000 by default), ONLY is a regular expression for the names of
// the requests to send, and SHOWN is the number of rows. All traffic stays on this machine. The server has one process,
// the other client has another, and this process sends the requests.
//
// The table for SECURITY.md goes to stdout as Markdown, and details of each kind of request go to stderr. The script
// fails if the protocols and formats do not return the same list.
import { fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { checkAgreement } from "./dearest/agreement.js";
import { load } from "./dearest/load.js";
import { requestsFor } from "./dearest/requests.js";
import { startServer } from "./dearest/server-process.js";
import { storeOf } from "./dearest/store.js";

const SIZE = Number(process.env.SIZE ?? 1_000_000);
const ONLY = new RegExp(process.env.ONLY ?? "");
const SHOWN = Number(process.env.SHOWN ?? 20);

/** The goals for the longest wait of the other client in milliseconds and the server's memory in megabytes. */
const LONGEST_WAIT = 60;
const MOST_MEMORY = 500;
/** A server that uses more megabytes is stopped before the machine runs out of memory. */
const CEILING = 3000;
/** How long the server may be busy after the last request, in milliseconds. */
const PATIENCE = 30_000;
const PAUSE = 100;

const facts = await storeOf(SIZE);
const begin = performance.now();
let server = null;
let probe = null;

async function restart() {
  probe?.disconnect();
  await server?.stop();
  server = await startServer(facts);
  const { pid, port } = server;
  const { tokens, shortToken } = facts;
  const file = fileURLToPath(new URL("dearest-probe.js", import.meta.url));
  probe = fork(file, [JSON.stringify({ pid, port, tokens, shortToken })]);
  // Work that the server and the other client do only once is not part of the cost of a request.
  await tell("start");
  await wait(500);
  await tell("stop");
}

async function tell(what) {
  probe.send(what);
  const [answer] = await once(probe, "message");
  return answer;
}

/** The processor time that the server uses for the other client, in milliseconds per second. */
let idleRate = 0;

/** Waits until the server only answers the other client. Returns `false` if it ends or stays busy for too long. */
async function isQuiet() {
  const end = performance.now() + PATIENCE;
  for (let quiet = 0; quiet < 2; ) {
    const before = server.processor();
    await wait(2 * PAUSE);
    const used = server.processor() - before;
    if (!server.isRunning() || performance.now() > end) return false;
    quiet = used <= (idleRate * 4 * PAUSE) / 1000 + 20 ? quiet + 1 : 0;
  }
  return true;
}

async function measure({ name, run, isFresh = false, ...options }) {
  if (server === null || isFresh || !server.isRunning() || server.memory() > MOST_MEMORY * 0.8) {
    await restart();
  }
  server.forgetPeak();
  let most = server.memory();
  let problem = "";
  const watch = setInterval(() => {
    const memory = server.memory() ?? 0;
    most = Math.max(most, memory);
    if (memory < CEILING || problem !== "") return;
    problem = `ended at ${CEILING} MB`;
    server.stop();
  }, PAUSE / 4);
  await tell("start");
  await wait(PAUSE);
  const start = performance.now();
  const before = server.processor();
  const send = run ?? ((to) => load({ ...options, port: to.port }));
  const totals = await send(server);
  const isDone = await isQuiet();
  const after = server.processor();
  const seconds = (performance.now() - start) / 1000;
  const memory = server.memory();
  most = Math.max(most, server.peakMemory() ?? 0);
  if (!isDone && problem === "") {
    problem = server.isRunning() ? `busy for ${PATIENCE / 1000} s more` : "the server ended";
  }
  // This also ends the pending requests of the other client, which it would otherwise wait for.
  if (!isDone) await server.stop();
  clearInterval(watch);
  const { longest, longestAlone, longestName, late, count, refused } = await tell("stop");
  const processor = after === null ? Number.NaN : Math.max(0, after - before - idleRate * seconds);
  const result = {
    name,
    ...totals,
    processor,
    longest,
    longestAlone,
    longestName,
    late,
    count,
    most,
    memory,
    refused: problem === "" ? refused : [],
    problem,
  };
  const told = [
    `${totals.requests} sent`,
    [...(totals.statuses ?? [])].map(([status, times]) => `${times} × ${status}`).join(", "),
    `${grouped(totals.answerBytes)} bytes answered`,
    `${processor.toFixed(0)} ms of processor time`,
    `longest wait ${longest.toFixed(0)} ms (${longestName}), ${longestAlone.toFixed(0)} ms without queues`,
    `${late} of ${count} too late`,
    `${most.toFixed(0)} MB at most, ${memory?.toFixed(0) ?? "–"} MB after`,
    refused.map(([what, times]) => `${what} (${times})`).join(", "),
    problem,
  ].filter((text) => text !== "");
  console.error(`${name}: ${told.join("; ")}`);
  return result;
}

/** Measures the waits of the other client while no other requests are sent. */
async function measureIdle() {
  const before = server.processor();
  await tell("start");
  await wait(2000);
  const idle = await tell("stop");
  return { ...idle, rate: (server.processor() - before) / 2 };
}

const grouped = (number) => Math.round(number).toLocaleString("en").replaceAll(",", " ");
const short = (number) => (number < 10 ? number.toFixed(1) : grouped(number));

function rowOf(result) {
  const { name, requests, sentBytes, processor, longestAlone, most } = result;
  return [
    name,
    grouped(sentBytes / requests),
    short(processor / requests),
    grouped((processor * 1e6) / sentBytes),
    grouped(longestAlone),
    grouped(most),
  ];
}

function problemsOf({ longestAlone, most, refused, problem }) {
  const problems = [];
  if (problem !== "") problems.push(problem);
  if (longestAlone > LONGEST_WAIT) problems.push("wait");
  if (most > MOST_MEMORY) problems.push("memory");
  if (refused.length > 0) problems.push("refuses others");
  return problems;
}

/** Sends all requests. Returns the results and the waits of the other client before and after all requests. */
async function measureAll() {
  await restart();
  await checkAgreement(server, facts);
  // The check fills the caches of the server, so the measurement needs a new server.
  await restart();
  const first = await measureIdle();
  idleRate = first.rate;
  const results = [];
  for (const kind of await requestsFor(facts)) {
    if (ONLY.test(kind.name)) results.push(await measure(kind));
  }
  if (!server.isRunning()) await restart();
  return { results, first, last: await measureIdle() };
}

const { results, first, last } = await measureAll().finally(async () => {
  if (probe?.connected) probe.disconnect();
  await server?.stop();
});

printMachine();
console.log(
  `${grouped(SIZE)} entries. The other client alone waited for ${first.longest.toFixed(0)} ms at most before the requests (${first.longestAlone.toFixed(0)} ms without queues), and ${last.longest.toFixed(0)} ms after them (${last.longestAlone.toFixed(0)} ms). Load average of the last minute: ${loadavg()[0].toFixed(1)}\n`,
);
const HEAD = [
  "request",
  "bytes sent",
  "processor, ms",
  "ns a byte sent",
  "longest wait, ms",
  "memory, MB",
];
const perRequest = ({ processor, requests }) =>
  Number.isNaN(processor) ? Infinity : processor / requests;
results.sort((a, b) => perRequest(b) - perRequest(a));
printTable(HEAD, results.slice(0, SHOWN).map(rowOf));
const failed = results.filter((result) => problemsOf(result).length > 0);
const others = failed.filter((result) => results.indexOf(result) >= SHOWN);
if (others.length > 0) {
  console.log("Others that do not meet the goals:\n");
  printTable(HEAD, others.map(rowOf));
}
for (const result of failed) {
  console.log(`${result.name} does not meet the goals: ${problemsOf(result).join(", ")}`);
}
const minutes = (performance.now() - begin) / 60_000;
console.log(
  `${results.length} kinds of requests in ${minutes.toFixed(1)} minutes, ${failed.length} of which do not meet the goals`,
);

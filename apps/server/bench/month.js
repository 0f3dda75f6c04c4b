/*
 * Runs a month in fast motion: a publisher, a server and a client with twelve lists in different formats. The lists
 * change again and again, while one source is bad or another one cannot be fetched. Prints how long changes took from
 * the source to the client, and exits with status 1 if there was an unexpected problem.
 *
 * Usage: month.js [minutes] [entries of the long list]; npx pnpm --filter @x/server bench:month
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@x/client";
import { printMachine, printTable } from "@x/test-support/benchmark";

const MINUTES = Number(process.argv[2] ?? 120);
const LONG = Number(process.argv[3] ?? 3_000_000);
const COMMAND = fileURLToPath(new URL("../bin/urlhash-server.js", import.meta.url));
const MEGABYTE = 2 ** 20;

/** The number of entries of each source and the format of its lines. */
const LISTS = {
  malware: { entries: LONG, write: (host) => `http://${host}/` },
  phish: { entries: LONG / 30, write: (host) => `0.0.0.0 ${host}`, keys: "names: private" },
  spam: { entries: 2000, write: (host) => host, isBad: true },
  ads: { entries: 20_000, write: (host) => `||${host}^` },
  feed: { entries: 5000, write: (host, i) => `${i},http://${host}/`, head: "id,url" },
  remote: { entries: 2000, write: (host) => `http://${host}/`, isRemote: true },
  json: { entries: 1000, write: (host) => JSON.stringify({ url: `http://${host}/` }) },
  ...Object.fromEntries(
    ["tiny", "small", "own", "school", "office"].map((name) => [
      name,
      { entries: 200, write: (host) => `http://${host}/` },
    ]),
  ),
};

const folder = mkdtempSync(join(tmpdir(), "urlhash-month-"));
const file = (name) => join(folder, name);
const problems = [];
/** The changes that the client waits for, as the last URL added to each list and its time. */
const waiting = new Map();
const delays = new Map(Object.keys(LISTS).map((name) => [name, []]));
const added = new Map(Object.keys(LISTS).map((name) => [name, []]));
let isSpamBad = false;
let isFeedDown = false;
let changes = 0;

function writeSource(name) {
  const { entries, write, head, isBad } = LISTS[name];
  const lines = head === undefined ? [] : [head];
  for (let i = 0; i < entries; i++) lines.push(write(`h${i}.${name}.example`, i));
  for (const host of added.get(name)) lines.push(write(host, 0));
  if (isBad && isSpamBad) lines.push("http://", "<html>");
  writeFileSync(file(`${name}.new`), `${lines.join("\n")}\n`);
  renameSync(file(`${name}.new`), file(`${name}.txt`));
}

function change(name) {
  const host = `new${changes++}.${name}.example`;
  // Only the last twenty added hosts stay on the list.
  added.set(name, [...added.get(name), host].slice(-20));
  writeSource(name);
  waiting.set(name, { url: `http://${host}/`, since: performance.now() });
}

function start(...args) {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: folder });
  const run = { child, said: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      run.said += data;
    });
  }
  child.once("exit", (status, signal) => {
    if (!run.isEnding) problems.push(`${args[0]} ended: ${status ?? signal}`);
  });
  return run;
}

async function end(run) {
  run.isEnding = true;
  const exit = once(run.child, "exit");
  run.child.kill("SIGTERM");
  await exit;
}

async function until(what, condition) {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 12_000) throw new Error(`waited for ${what}`);
    await pause(50);
  }
}

const memoryOf = ({ child }) =>
  Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) * 1024;

const feed = createServer((_, response) => {
  if (isFeedDown) response.writeHead(503).end();
  else response.end(readFileSync(file("remote.txt")));
});
await once(feed.listen(0, "127.0.0.1"), "listening");

const sourceOf = (name) =>
  LISTS[name].isRemote ? `http://127.0.0.1:${feed.address().port}/` : file(`${name}.txt`);
writeFileSync(
  file("publish.yaml"),
  ["defaults:", "  max-removed: 100%", "lists:"]
    .concat(
      ...Object.entries(LISTS).map(([name, { keys = "interop: false" }]) => [
        ...[`  ${name}:`, `    ${keys}`, `    sources: [${JSON.stringify(sourceOf(name))}]`],
      ]),
    )
    .join("\n"),
);
for (const name of Object.keys(LISTS)) writeSource(name);

const init = start("init", "--store", "lists");
init.isEnding = true;
await once(init.child, "exit");
const publishing = ["publish", "--store", "lists", "--config", "publish.yaml"];
const publisher = start(...publishing, "--watch", "--fetch-every", "2s");
const names = Object.keys(LISTS);
await until("the first versions", () =>
  names.every((name) => publisher.said.includes(`${name}: version 1,`)),
);
const serving = ["--port", "0", "--poll", "1s", "--wait", "1s", "--cache", "1s"];
const server = start("serve", "--store", "lists", ...serving);
await until("the server", () => /serving .* at http\S+/.test(server.said));
const origin = /serving .* at (http\S+)/.exec(server.said)[1];
const v5Name = (name) => (name === "malware" ? "mw-4b" : `${name}-4b`);
const client = createClient({ protocol: "v5", server: origin, lists: names.map(v5Name) });

/** Checks which changes have arrived in the lists of the client, and records how long each of them took. */
async function follow() {
  for (const [name, { url, since }] of [...waiting]) {
    const { verdict } = await client.check(url);
    if (verdict !== "unsafe") continue;
    delays.get(name).push(performance.now() - since);
    waiting.delete(name);
  }
}

const memory = [];
const stopped = performance.now() + MINUTES * 60_000;
let lookUps = 0;
for (let round = 0; performance.now() < stopped; round++) {
  // In 200 rounds, the source of spam is bad for 60, and the feed is down for 60 others.
  const phase = Math.floor(round / 20) % 10;
  const wasBad = isSpamBad;
  isSpamBad = phase >= 2 && phase < 5;
  isFeedDown = phase >= 6 && phase < 9;
  if (isSpamBad !== wasBad) writeSource("spam");
  const isLongTurn = round % 60 === 0;
  for (const name of names) {
    const isBroken = (name === "spam" && isSpamBad) || (name === "remote" && isFeedDown);
    if (isBroken) waiting.delete(name);
    else if (!waiting.has(name) && (name !== "malware" || isLongTurn)) change(name);
  }
  await client.update().catch((error) => problems.push(`the client: ${error.message}`));
  await follow();
  const body = `http://h1.tiny.example/\nhttp://clean${round}.example/\n`;
  const headers = { "content-type": "text/plain" };
  const response = await fetch(`${origin}/lookup`, { method: "POST", headers, body });
  await response.text();
  lookUps++;
  if (response.status !== 200) problems.push(`a look-up was answered ${response.status}`);
  memory.push({ publisher: memoryOf(publisher), server: memoryOf(server) });
  await pause(500);
}

await end(publisher);
await end(server);
feed.close();
const expected =
  /spam|127\.0\.0\.1|: version \d|is read as|clients know it|remote|"msg":"(?:started|stopping|stopped)"/;
for (const line of publisher.said.split("\n")) {
  if (line !== "" && !expected.test(line)) problems.push(`the publisher: ${line}`);
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
printMachine();
printTable(
  ["list", "entries", "changes", "median delay", "worst delay"],
  [...delays].map(([name, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    if (sorted.length === 0) problems.push(`no change of ${name} reached the client`);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const { entries } = LISTS[name];
    const counts = [Math.round(entries), sorted.length].map(String);
    return [name, ...counts, seconds(median), seconds(sorted.at(-1) ?? 0)];
  }),
);
const most = (part, who) => Math.round(Math.max(...part.map((each) => each[who])) / MEGABYTE);
const half = Math.floor(memory.length / 2);
printTable(
  ["process", "most memory in the first half", "in the second half"],
  ["publisher", "server"].map((who) => [
    who,
    `${most(memory.slice(0, half), who)} MB`,
    `${most(memory.slice(half), who)} MB`,
  ]),
);
console.log(
  `${MINUTES} ${MINUTES === 1 ? "minute" : "minutes"}, ${lookUps} look-ups, ${problems.length} errors`,
);
for (const problem of problems.slice(0, 20)) console.log(problem);
rmSync(folder, { recursive: true, force: true });
process.exit(problems.length === 0 ? 0 : 1);

// Sends queries of 10 000 clients through `urlhash-server dns` to two resolvers that lose queries, are slow, answer
// wrongly and are forged: `pnpm --filter @x/server storm:dns [SECONDS] [QUERIES-A-SECOND]`. Exits with 1 after a wrong
// answer, if the process grows, or if a query waits at the end.
import { execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import packet from "dns-packet";

const COMMAND = fileURLToPath(new URL("../bin/urlhash-server.js", import.meta.url));
const SECONDS = Number(process.argv[2] ?? 60);
const RATE = Number(process.argv[3] ?? 300);
const CLIENTS = 10_000;
const LISTED = 1000;
/** How long a client waits, in milliseconds. The forwarder gives up after a second. */
const PATIENCE = 5000;
/** How much larger the process may be in the last third of the time than in the second, in MB. */
const MOST_GROWTH = 25;
const FORGED = "6.6.6.6";

const isListed = (name) => /^(?:.*\.)?listed\d+\.example$/i.test(name);
/** The address that honest resolvers give for a name. */
function addressOf(name) {
  let hash = 0;
  for (const character of name.toLowerCase())
    hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return `10.${(hash >>> 16) & 255}.${(hash >>> 8) & 255}.${hash & 255}`;
}

const random = (most) => Math.floor(Math.random() * most);

function answerTo(query, { address, rcode = 0, flags = 0, id, name }) {
  const [question] = query.questions;
  const asked = { ...question, name: name ?? question.name };
  return packet.encode({
    ...{ type: "response", id: id ?? query.id, questions: [asked] },
    flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | flags | rcode,
    answers: address ? [{ type: "A", name: asked.name, ttl: 1, data: address }] : [],
  });
}

/** What a resolver may do with a query. `send` answers now, and `later` after some milliseconds. */
const BEHAVIOURS = {
  honest: (query, { honest, send }) => send(honest(query)),
  silent() {},
  slow: (query, { honest, later }) => later(honest(query), random(700)),
  "wrong ID first"(query, { honest, send, later }) {
    for (let i = 0; i < 20; i++)
      send(answerTo(query, { address: FORGED, id: query.id ^ (1 + random(65_535)) }));
    later(honest(query), 20);
  },
  "another question first"(query, { honest, send, later }) {
    send(answerTo(query, { address: FORGED, name: `x${query.questions[0].name}` }));
    later(honest(query), 20);
  },
  "forged from another port"(query, { honest, forge, later }) {
    forge(answerTo(query, { address: FORGED }));
    later(honest(query), 20);
  },
  truncated: (query, { send }) => send(answerTo(query, { flags: packet.TRUNCATED_RESPONSE })),
  "server failure": (query, { send }) => send(answerTo(query, { rcode: 2 })),
  garbage(query, { honest, send, later }) {
    send(Buffer.from(Array.from({ length: random(60) }, () => random(256))));
    later(honest(query).subarray(0, 20), 5);
    later(honest(query), 40);
  },
  "a listed target"(query, { send }) {
    leading.add(query.questions[0].name);
    send(leadingTo(query, "cdn.listed7.example"));
  },
};
/** The names for which a resolver has answered that they lead to a listed host. */
const leading = new Set();

/** An answer with a CNAME. */
function leadingTo(query, target) {
  const [{ name }] = query.questions;
  return packet.encode({
    ...{ type: "response", id: query.id, questions: query.questions },
    answers: [
      { type: "CNAME", name, ttl: 1, data: target },
      { type: "A", name: target, ttl: 1, data: FORGED },
    ],
  });
}

const NAMES = Object.keys(BEHAVIOURS);

async function startResolver() {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  const forger = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  socket.on("message", (message, { address, port }) => {
    const query = packet.decode(message);
    const send = (answer) => socket.send(answer, port, address);
    const behaviour = Math.random() < 0.5 ? "honest" : NAMES[random(NAMES.length)];
    BEHAVIOURS[behaviour](query, {
      honest: (of) => answerTo(of, { address: addressOf(of.questions[0].name) }),
      forge: (answer) => forger.send(answer, port, address),
      send,
      later: (answer, after) => setTimeout(send, after, answer),
    });
  });
  socket.on("error", () => {});
  return { socket, forger, port: socket.address().port };
}

const folder = mkdtempSync(join(tmpdir(), "storm-dns-"));
const run = (...args) =>
  execFileSync(process.execPath, [COMMAND, ...args], { cwd: folder, stdio: "ignore" });
const listed = Array.from({ length: LISTED }, (_, i) => `listed${i}.example\n`);
writeFileSync(join(folder, "hosts.txt"), listed.join(""));
run("init", "--store", "lists");
run("publish", "--store", "lists", "malware=hosts.txt");
const resolvers = [await startResolver(), await startResolver()];
const addresses = resolvers.map(({ port }) => `"127.0.0.1:${port}"`).join(", ");
writeFileSync(
  join(folder, "urlhash-server.yaml"),
  `store: lists\nadmin: 127.0.0.1:0\ndns:\n  listen: 127.0.0.1:0\n  timeout: 1s\n  resolvers: [${addresses}]\n`,
);
const server = spawn(process.execPath, [COMMAND, "dns", "--config", "urlhash-server.yaml"], {
  ...{ cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
});
let said = "";
server.stderr.on("data", (piece) => {
  said = (said + piece).slice(0, 10_000);
});
async function find(pattern) {
  for (;;) {
    const [, found] = pattern.exec(said) ?? [];
    if (found !== undefined) return found;
    if (server.exitCode !== null) throw new Error(said);
    await pause(50);
  }
}
const port = Number(await find(/answering DNS queries at 127\.0\.0\.1:(\d+)/));
const admin = await find(/are at (http:\S+)/);
const megabytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1024;

const counts = {};
const wrong = [];
const count = (what) => {
  counts[what] = (counts[what] ?? 0) + 1;
};

/** What an answer is, or why it is wrong. */
function judge(name, { rcode, answers, flag_tc: isTruncated }) {
  if (isListed(name)) return rcode === "NXDOMAIN" ? "blocked" : null;
  if (rcode === "NXDOMAIN") return leading.has(name) ? "blocked by target" : null;
  if (rcode === "SERVFAIL") return "server failure";
  if (isTruncated) return "truncated";
  return rcode === "NOERROR" && answers.length === 1 && answers[0].data === addressOf(name)
    ? "answered"
    : null;
}

let asked = 0;
function ask() {
  const client = random(CLIENTS);
  const number = asked++;
  const name =
    Math.random() < 0.2 ? `n${number}.Listed${random(LISTED)}.example` : `n${number}.good`;
  const id = random(65_536);
  const message = packet.encode({ type: "query", id, questions: [{ type: "A", name }] });
  // Some queries are lost or cut on their way, and some arrive twice.
  const fate = Math.random();
  const socket = createSocket("udp4").bind(0, `127.${1 + (client >> 8)}.${client & 255}.1`);
  const timer = setTimeout(() => {
    socket.close();
    count(fate < 0.04 ? "lost on the way" : "no answer");
  }, PATIENCE);
  socket.once("message", (bytes) => {
    clearTimeout(timer);
    socket.close();
    const answer = packet.decode(bytes);
    const kind = fate < 0.04 ? "refused" : judge(name, answer);
    if (kind === null || answer.id !== id) wrong.push({ name, answer });
    else count(kind);
  });
  if (fate < 0.02) socket.send(message.subarray(0, random(message.length)), port, "127.0.0.1");
  else if (fate > 0.04) socket.send(message, port, "127.0.0.1");
  if (fate > 0.97) socket.send(message, port, "127.0.0.1");
}

const metric = async (name) => {
  const text = await (await fetch(`${admin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
};

const sizes = [];
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const begun = performance.now();
const elapsed = () => (performance.now() - begun) / 1000;
try {
  for (let sample = 1; elapsed() < SECONDS && wrong.length === 0; ) {
    while (asked < elapsed() * RATE) ask();
    if (elapsed() > (sample * SECONDS) / 30) {
      sizes.push(megabytes());
      if (sample++ % 3 === 0)
        console.error(`${elapsed().toFixed(0)} s: ${asked} queries, ${sizes.at(-1).toFixed(0)} MB`);
    }
    await pause(10);
  }
  await pause(PATIENCE + 1000);
  const waiting = await metric("urlhash_dns_waiting_queries");
  const [middle, last] = [sizes.slice(10, 20), sizes.slice(20)].map((some) => median(some) ?? 0);
  console.log(`${asked} queries of ${CLIENTS} clients in ${elapsed().toFixed(0)} s`);
  console.log(counts);
  console.log(
    `${waiting} queries wait, ${await metric("urlhash_dns_mismatched_answers_total")} messages were no answers`,
  );
  console.log(`${middle.toFixed(0)} MB in the second third, ${last.toFixed(0)} MB in the last`);
  for (const each of wrong) console.log("wrong:", JSON.stringify(each));
  const isLost = (counts["no answer"] ?? 0) > asked / 1000;
  if (isLost) console.log("too many queries have got no answer");
  if (wrong.length > 0 || isLost || waiting !== 0 || last > middle + MOST_GROWTH)
    process.exitCode = 1;
} finally {
  server.kill();
  await once(server, "exit");
  for (const { socket, forger } of resolvers) {
    socket.close();
    forger.close();
  }
  rmSync(folder, { recursive: true, force: true });
}

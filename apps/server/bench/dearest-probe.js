// Another client, with its own address and process, that sends a small, ordinary request every 5 ms.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fullHash } from "@x/sha256-prefix";
import { Answers } from "./dearest/answers.js";
import { get, post, query } from "./dearest/messages.js";
import { LISTED_HOSTS } from "./dearest/store.js";

const EVERY = 5;
/** Streams and files take slots, so they are requested only at this interval, in milliseconds. */
const SLOTS_EVERY = 250;
/** A server that does not answer for this long, in milliseconds, has locked the client out. */
const TIMEOUT = 60_000;
const ADDRESS = "127.0.0.2";

const { pid, port, tokens, shortToken } = JSON.parse(process.argv[2]);

let number = 0;
const host = () => LISTED_HOSTS[number++ % LISTED_HOSTS.length];
const REQUESTS = [
  () => {
    const prefix = Buffer.from(fullHash(`${host()}/`).subarray(0, 4)).toString("base64");
    return get(`/v5/hashes:search${query({ hashPrefixes: prefix })}`);
  },
  () => {
    const version = [tokens.at(-1), shortToken].map((token) => btoa(token));
    return get(`/v5/hashLists:batchGet${query({ names: ["mw-4b", "se-4b"], version })}`);
  },
  () => get(`/lookup/status${query({ url: `http://good-${number++}.example/a` })}`),
  () => post("/lookup", "application/json", JSON.stringify({ urls: [`http://${host()}/`] })),
  () => get(`/v1/uris:search${query({ uri: `http://${host()}/`, threatTypes: "MALWARE" })}`),
];

/** How long the server and this process have waited for a processor so far, in milliseconds. */
function queued() {
  try {
    return [pid, "self"]
      .map((each) => Number(readFileSync(`/proc/${each}/schedstat`, "latin1").split(" ")[1]))
      .reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0);
  } catch {
    return 0;
  }
}

let longest = 0;
/** The longest wait in milliseconds, without the time in which either process waited for a processor. */
let longestAlone = 0;
let longestName = "";
let late = 0;
let count = 0;
let refused = new Map();

function note(start, name, status) {
  const milliseconds = performance.now() - start.time;
  longestAlone = Math.max(longestAlone, milliseconds - (queued() - start.queued));
  count++;
  if (milliseconds > 60) late++;
  if (milliseconds > longest) [longest, longestName] = [milliseconds, name];
  if (status >= 200 && status < 300) return;
  const what = `${name}: ${status}`;
  refused.set(what, (refused.get(what) ?? 0) + 1);
}

/** Sends a request on a connection, and waits for the whole answer or only for its first bytes. */
function ask(socket, request, isWhole) {
  const name = request.toString("latin1", 0, 60).split(/[ ?]/)[1];
  return new Promise((resolve) => {
    const start = { time: performance.now(), queued: queued() };
    const answers = new Answers();
    const done = (status) => {
      socket.off("data", onData).off("close", onClose);
      note(start, name, status);
      resolve();
    };
    const onClose = () => done(0);
    const onData = (data) => {
      if (answers.push(data) > 0 || (!isWhole && answers.status !== 0))
        done(answers.lastStatus || answers.status);
    };
    socket.on("data", onData).once("close", onClose);
    socket.write(request);
  });
}

function connected() {
  const socket = connect({ port, host: "127.0.0.1", localAddress: ADDRESS, noDelay: true });
  socket.on("error", () => {}).setTimeout(TIMEOUT, () => socket.destroy());
  return socket;
}

let isStopped = true;
let running = Promise.resolve();

async function askOften() {
  let socket = connected();
  for (let i = 0; !isStopped; i++) {
    const next = performance.now() + EVERY;
    if (socket.destroyed) socket = connected();
    await ask(socket, REQUESTS[i % REQUESTS.length](), true);
    await wait(Math.max(0, next - performance.now()));
  }
  socket.destroy();
}

/** Requests a stream and a file again and again, each on its own connection. */
async function askForSlots() {
  while (!isStopped) {
    const rows = connected();
    await ask(rows, post("/lookup", "text/plain", `http://${host()}/\n`), true);
    rows.destroy();
    const file = connected();
    await ask(file, get("/export/social-engineering.gdb"), false);
    file.destroy();
    await wait(SLOTS_EVERY);
  }
}

process.on("message", async (message) => {
  if (message === "start") {
    [longest, longestAlone, longestName, late, count, refused] = [0, 0, "", 0, 0, new Map()];
    isStopped = false;
    running = Promise.all([askOften(), askForSlots()]);
    return process.send("started");
  }
  isStopped = true;
  await running;
  process.send({ longest, longestAlone, longestName, late, count, refused: [...refused] });
});
process.on("disconnect", () => process.exit());

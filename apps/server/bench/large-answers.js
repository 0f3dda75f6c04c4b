// How long other clients wait, and how much memory the server takes, while large answers are made: npx pnpm bench:answers
import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { randomHashes, replaceSome, temporaryStore } from "./store.js";

const SIZE = Number(process.env.SIZE ?? 10_000_000);
const SILENT_CLIENTS = 40;

/** Another thread asks and reads, so that this does not slow the clock down. */
if (!isMainThread) {
  const { url, options, body } = workerData;
  const sent = request(url, options, (response) => {
    let bytes = 0;
    response.on("data", (data) => {
      bytes += data.length;
    });
    response.on("close", () => parentPort.postMessage({ status: response.statusCode, bytes }));
  });
  sent.on("error", (error) => parentPort.postMessage({ status: error.code, bytes: 0 }));
  sent.end(body);
} else await measure();

function fetchUpdates(compressions, times, platforms) {
  return JSON.stringify({
    client: { clientId: "bench", clientVersion: "1" },
    listUpdateRequests: Array.from({ length: times }, (_, i) => ({
      threatType: "MALWARE",
      platformType: platforms[i % platforms.length],
      threatEntryType: "URL",
      constraints: { supportedCompressions: compressions },
    })),
  });
}

function post(body, alt) {
  return {
    target: `/v4/threatListUpdates:fetch?alt=${alt}`,
    options: { method: "POST", headers: { "Content-Type": "application/json" } },
    body,
  };
}

async function measure() {
  const server = await temporaryStore();
  const old = randomHashes(SIZE);
  await server.publish(old);
  const file = fileURLToPath(new URL("measured-server.js", import.meta.url));
  const start = performance.now();
  const child = fork(file, [server.store, "pauses"]);
  const [port] = await once(child, "message");
  const rows = [["start until it listens", seconds(performance.now() - start), "", "", "", ""]];
  const origin = `http://127.0.0.1:${port}`;

  /** The most memory that the process has had, and its longest work without a pause since the last call. */
  async function used() {
    child.send("");
    const [{ mostMemory, longestPause }] = await once(child, "message");
    return [`${longestPause.toFixed(0)} ms`, `${Math.round(mostMemory / 2 ** 20)} MB`];
  }

  /** Asks for something small until `work` is done; the longest wait in milliseconds. */
  async function waits(work) {
    let [isDone, longest] = [false, 0];
    const clock = (async () => {
      while (!isDone) {
        const from = performance.now();
        await (await fetch(`${origin}/v5/hashes:search?hashPrefixes=AAAAAA%3D%3D`)).arrayBuffer();
        longest = Math.max(longest, performance.now() - from);
        await pause(1);
      }
    })();
    const result = await work();
    isDone = true;
    await clock;
    return { longest, result };
  }

  async function ask({ target, options = {}, body }) {
    const url = origin + target;
    const worker = new Worker(new URL(import.meta.url), { workerData: { url, options, body } });
    const ended = once(worker, "exit");
    const [answer] = await once(worker, "message");
    await ended;
    return answer;
  }

  async function row(what, asked) {
    const from = performance.now();
    const { longest, result } = await waits(() => asked());
    const took = seconds(performance.now() - from);
    rows.push([
      what,
      took,
      `${result.status}, ${result.bytes}`,
      `${longest.toFixed(0)} ms`,
      ...(await used()),
    ]);
    console.log(rows.at(-1).join(" | "));
  }

  const diff = (rest) => ({
    target: `/v1/threatLists:computeDiff?threatType=MALWARE&${rest}`,
  });
  const platforms = ["WINDOWS", "LINUX", "ANDROID", "OSX", "IOS", "ANY_PLATFORM", "CHROME"];
  const raw = post(fetchUpdates(["RAW"], 1, platforms), "json");
  const cases = [
    [
      "nothing (the pauses of this script)",
      { target: "/v5/hashes:search?hashPrefixes=AAAAAA%3D%3D" },
    ],
    ["v5 protobuf", { target: "/v5/hashList/mw-4b" }],
    ["v5 protobuf, again", { target: "/v5/hashList/mw-4b" }],
    ["v5 JSON", { target: "/v5/hashList/mw-4b?alt=json" }],
    ["v4 Rice", post(fetchUpdates(["RICE", "RAW"], 1, platforms), "proto")],
    ["v4 raw", post(fetchUpdates(["RAW"], 1, platforms), "proto")],
    ["v4 raw JSON", raw],
    ["v4 raw JSON, again", raw],
    ["v4 raw JSON, 16 times the same list", post(fetchUpdates(["RAW"], 16, ["LINUX"]), "json")],
    ["v4 raw JSON, for 7 platforms", post(fetchUpdates(["RAW"], 7, platforms), "json")],
    ["Web Risk JSON, Rice", diff("constraints.supportedCompressions=RICE")],
    ["Web Risk JSON, raw", diff("constraints.supportedCompressions=RAW")],
    [
      "v5, at most 5 000 000 entries",
      { target: "/v5/hashList/mw-4b?sizeConstraints.maxDatabaseEntries=5000000" },
    ],
  ];
  for (const [what, asked] of cases) {
    if (process.env.SKIP_SAME && what.includes("16 times")) continue;
    await row(what, () => ask(asked));
  }

  const silent = [];
  await row(`v4 raw JSON for ${SILENT_CLIENTS} clients that do not read`, async () => {
    for (let i = 0; i < SILENT_CLIENTS; i++) {
      const socket = connect(port, "127.0.0.1").pause();
      socket.on("error", () => {});
      socket.write(
        `POST ${raw.target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(raw.body)}\r\n\r\n${raw.body}`,
      );
      silent.push(socket);
    }
    await pause(3000);
    return { status: "unread", bytes: 0 };
  });
  await row("v5 protobuf for an honest client beside them", () =>
    ask({ target: "/v5/hashList/mw-4b" }),
  );
  for (const socket of silent) socket.destroy();

  const before = await (await fetch(`${origin}/v5/hashList/mw-4b?alt=json`)).json();
  await server.publish(replaceSome(old, SIZE / 100));
  const update = `/v5/hashList/mw-4b?version=${encodeURIComponent(before.version)}`;
  await row("a new version is loaded", async () => {
    for (;;) {
      const answer = await ask({ target: `${update}&n=${performance.now()}` });
      if (answer.status !== 200 || answer.bytes > 200) return answer;
      await pause(50);
    }
  });
  await row("an update from the version before, v4 raw JSON", async () => {
    const request = JSON.parse(fetchUpdates(["RAW"], 1, platforms));
    request.listUpdateRequests[0].state = before.version;
    return ask(post(JSON.stringify(request), "json"));
  });
  child.disconnect();
  await once(child, "exit");
  server.remove();

  printMachine();
  printTable(
    ["what", "time", "answer: status, bytes", "longest wait", "longest work", "most memory"],
    rows,
  );
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

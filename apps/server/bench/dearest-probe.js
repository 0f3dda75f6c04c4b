// Another client, with its own address and process, that sends a small, ordinary request every 5 ms.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";

const EVERY = 5;
const [pid, port, token] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
/** The server is behind a proxy, which says that this is another client. */
const ADDRESS = { "X-Forwarded-For": "192.0.2.2" };

let number = 0;
const json = { "Content-Type": "application/json" };
const text = { "Content-Type": "text/plain" };
const REQUESTS = [
  () => ({ path: `/v5/hashes:search?hashPrefixes=${btoa(String(number).padStart(4, "0"))}` }),
  () => ({ path: `/v5/hashLists:batchGet?names=mw-4b&version=${encodeURIComponent(btoa(token))}` }),
  () => ({ path: `/lookup/status?url=http://good-${number}.example/a` }),
  () => ({ path: "/lookup", headers: json, body: `{"urls":["http://good-${number}.example/"]}` }),
  () => ({ path: "/lookup", headers: text, body: `http://good-${number}.example/\n` }),
  () => ({ path: `/v1/uris:search?threatTypes=MALWARE&uri=http://good-${number}.example/` }),
];

/** How long the server and this process have waited for a processor so far, in milliseconds. */
function queued() {
  return [pid, "self"]
    .map((each) => Number(readFileSync(`/proc/${each}/schedstat`, "latin1").split(" ")[1]))
    .reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0);
}

function send({ body, headers, ...options }) {
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const all = { ...ADDRESS, ...headers };
    request({ host: "127.0.0.1", port, agent, method, headers: all, ...options }, (response) => {
      response
        .resume()
        .once("end", () => resolve(response.statusCode))
        .once("error", reject);
    })
      .once("error", reject)
      .end(body);
  });
}

let result = { longest: 0, refused: 0 };
let isStopped = true;
let running = Promise.resolve();

async function askOften() {
  for (; !isStopped; number++) {
    const start = performance.now();
    const before = queued();
    const status = await send(REQUESTS[number % REQUESTS.length]()).catch(() => 0);
    const waited = performance.now() - start - (queued() - before);
    result.longest = Math.max(result.longest, waited);
    if (status < 200 || status > 299) result.refused++;
    await wait(Math.max(0, EVERY - (performance.now() - start)));
  }
}

process.on("message", async (message) => {
  if (message === "start") {
    result = { longest: 0, refused: 0 };
    isStopped = false;
    running = askOften();
    return process.send("started");
  }
  isStopped = true;
  await running;
  process.send(result);
});
process.on("disconnect", () => process.exit());

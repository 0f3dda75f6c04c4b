// Compares the cost of a search over Oblivious HTTP with that of the same search without it: npm run bench:ohttp
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { decodeKeyConfigs, encapsulateRequest } from "@x/ohttp";
import { decodeResponse, encodeRequest } from "@x/ohttp/binary-http";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { formatOhttpKeys, withNewKey } from "../dist/serve/ohttp/gateway.js";
import { randomHashes, temporaryStore } from "./store.js";

const SIZE = 100_000;
const HASH_BYTES = 32;
const SEARCHES = 500;
const CONNECTIONS = 8;
const ROUNDS = Number(process.env.ROUNDS ?? 6);
const GATEWAY = "/.well-known/ohttp-gateway";
/** The length in bytes to which `@x/client` pads its requests. */
const PADDED_TO = 1024;

const store = await temporaryStore();
const hashes = randomHashes(SIZE);
await store.publish(hashes);
const keyFile = `${store.store}.ohttp`;
writeFileSync(keyFile, formatOhttpKeys(await withNewKey([], Date.now(), 0)));
const server = fork(fileURLToPath(new URL("measured-server.js", import.meta.url)), [
  store.store,
  keyFile,
]);
const [port] = await once(server, "message");
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function send({ method, path, headers, body }) {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, agent, method, path, headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      if (response.statusCode === 200) resolve(bytes);
      else reject(new Error(`status ${response.statusCode}: ${bytes}`));
    })
      .on("error", reject)
      .end(body);
  });
}

/** The processor time that the client takes for a search, in microseconds. */
async function clientTime(act) {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / SEARCHES;
}

/** The processor time that the server has used so far, in microseconds. */
async function processorTime() {
  server.send("usage");
  const [{ user, system }] = await once(server, "message");
  return user + system;
}

const [config] = decodeKeyConfigs(await send({ method: "GET", path: GATEWAY }));
const searches = Array.from({ length: SEARCHES }, (_, i) => {
  const prefix = Buffer.from(hashes.subarray(i * HASH_BYTES, i * HASH_BYTES + 4));
  return `/v5/hashes:search?hashPrefixes=${encodeURIComponent(prefix.toString("base64"))}`;
});
const host = `127.0.0.1:${port}`;
const encrypted = [];
const encrypting = await clientTime(async () => {
  for (const path of searches) {
    const plain = { method: "GET", scheme: "http", authority: host, path };
    encrypted.push(await encapsulateRequest(config, encodeRequest(plain, { padTo: PADDED_TO })));
  }
});

const plainRequests = searches.map((path) => ({ method: "GET", path }));
const headers = { "content-type": "message/ohttp-req" };
const ohttpRequests = encrypted.map(({ message: body }) => ({
  ...{ method: "POST", path: GATEWAY, headers, body },
}));

const [plainAnswers, ohttpAnswers] = [
  await Promise.all(plainRequests.map(send)),
  await Promise.all(ohttpRequests.map(send)),
];
const opened = [];
const decrypting = await clientTime(async () => {
  for (const [i, { openResponse }] of encrypted.entries()) {
    opened.push(decodeResponse(await openResponse(ohttpAnswers[i])).content);
  }
});
for (const [i, plain] of plainAnswers.entries()) {
  if (!plain.equals(opened[i])) throw new Error(`${searches[i]}: other answers`);
  if (!plain.includes(hashes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES))) {
    throw new Error(`${searches[i]}: not found`);
  }
}

const kinds = { "without Oblivious HTTP": plainRequests, "over Oblivious HTTP": ohttpRequests };
const best = new Map();
// The kinds take turns, so that other work on the machine slows both down alike.
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, requests] of Object.entries(kinds)) {
    const before = await processorTime();
    await Promise.all(requests.map(send));
    const time = (await processorTime()) - before;
    best.set(name, Math.min(best.get(name) ?? Infinity, time / SEARCHES));
  }
}
printMachine();
console.log(`${SEARCHES} searches agree. Load ${loadavg()[0].toFixed(1)}.\n`);
const [[, first]] = best;
printTable(
  ["a search", "server's processor", "ratio"],
  [...best].map(([name, time]) => [name, `${time.toFixed(0)} µs`, (time / first).toFixed(1)]),
);
console.log(
  `The client's processor takes ${encrypting.toFixed(0)} µs to encrypt and ${decrypting.toFixed(0)} µs to decrypt.`,
);
agent.destroy();
server.disconnect();
await once(server, "exit");
store.remove();

// The longest pauses of the event loop of a server while a version of a long list is replaced: npx pnpm bench:pauses
import { fork } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { randomHashes, replaceSome, temporaryStore } from "./store.js";

const SIZE = Number(process.env.SIZE ?? 10_000_000);
const VERSIONS = 5;

const server = await temporaryStore();
let hashes = randomHashes(SIZE);
await server.publish(hashes);
const started = (file, ...options) =>
  fork(fileURLToPath(new URL(file, import.meta.url)), ...options);
const child = started("measured-server.js", [server.store, "pauses"]);
const [port] = await once(child, "message");
const idle = started("idle-process.js");
const hashList = `http://127.0.0.1:${port}/v5/hashList/mw-4b?alt=json`;
const rows = [];

async function delaysOf(process) {
  process.send("");
  const [delays] = await once(process, "message");
  return delays;
}

/** What was measured since the last call. */
async function measured(what) {
  const [{ longestDelay, longestPause }, other] = [await delaysOf(child), await delaysOf(idle)];
  if (what === null) return;
  const times = [longestPause, longestDelay, other.longestDelay];
  rows.push([what, ...times.map((time) => `${time.toFixed(0)} ms`)]);
  console.log(rows.at(-1).join(" | "));
}

/** The version that clients get. A client that has it gets no list, so that asking costs the server nothing. */
async function versionAfter(version) {
  const answer = await fetch(
    `${hashList}&version=${encodeURIComponent(version)}&n=${Math.random()}`,
  );
  return (await answer.json()).version;
}

await measured("start");
let { version } = await (await fetch(hashList)).json();
await measured("the first full update");
for (let i = 1; i <= VERSIONS; i++) {
  hashes = replaceSome(hashes, SIZE / 100);
  await server.publish(hashes);
  // Publishing keeps the machine busy.
  await measured(null);
  const before = version;
  for (; version === before; await pause(50)) version = await versionAfter(before);
  await measured(`version ${i + 1} is loaded, and its first difference`);
  await (await fetch(`${hashList}&n=${i}`)).arrayBuffer();
  await measured("… and its first full update");
}
for (const each of [child, idle]) {
  each.disconnect();
  await once(each, "exit");
}
server.remove();

printMachine();
printTable(["what", "longest work", "longest delay", "longest delay of an idle process"], rows);

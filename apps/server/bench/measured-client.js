// A client that follows lists of a store, and checks URLs. Prints its peak memory in bytes, and
// the processor time of a check in microseconds.
import { readFileSync } from "node:fs";
import process from "node:process";
import { createClient } from "@x/client";
import { directoryStorage } from "@x/client/node";
import { directoryStorage as directoryOfStore } from "@x/list-store/node";

const URLS = 20_000;
const ROUNDS = 5;

const [store, folder, prefixBytes, ...lists] = process.argv.slice(2);
const options = {
  protocol: "store",
  server: "https://lists.example/",
  store: { open: () => directoryOfStore(store), prefixBytes: Number(prefixBytes) },
  publicKeys: [readFileSync(`${store}.pub`, "utf8").trim()],
  lists,
  storage: directoryStorage(folder),
};
const client = createClient(options);
await client.update();
const urls = Array.from(
  { length: URLS },
  (_, i) => `https://www.shop-${i}.example/articles/${i}?from=list`,
);
const verdicts = new Set();
let cheapest = Infinity;
for (let round = 0; round < ROUNDS; round++) {
  const before = process.cpuUsage();
  for (const url of urls) verdicts.add(client.checkLocally(url).verdict);
  const { user, system } = process.cpuUsage(before);
  cheapest = Math.min(cheapest, (user + system) / URLS);
}
// By chance, a few of the URLs have the first four bytes of an entry.
if (!verdicts.has("safe") || verdicts.has("unsafe")) throw new Error(`${[...verdicts]}`);
const status = readFileSync("/proc/self/status", "utf8");
const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)[1]) * 1024;
console.log(JSON.stringify({ peak, check: cheapest }));

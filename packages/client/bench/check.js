// Times the checks of a client beside `checker().check`, on URLs that are on no list: `pnpm --filter @x/client bench`.
//
// The candidates take turns on the same runs of URLs and must agree. For each run, the least processor time counts.
import { randomBytes } from "node:crypto";
import { createClient } from "@x/client";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { compare, printMachine, printTimings } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";
import { fullUpdate, writeResponse } from "@x/wire";
import { batchGetHashLists, toHashList } from "@x/wire/v5";

const LIST_SIZE = 1_000_000;
const URLS_A_RUN = 10_000;

const list = prefixList([{ prefixBytes: 4, rawHashes: randomBytes(LIST_SIZE * 4) }]);
const { check, checkMany } = checker(list);
const urls = makeUrls(50_000).filter((url) => check(url).length === 0);
const runs = [];
for (let i = 0; i < urls.length; i += URLS_A_RUN) runs.push(urls.slice(i, i + URLS_A_RUN));

async function fetchList() {
  const facts = { name: "mw-4b", version: Uint8Array.of(1), minimumWaitDuration: 3_600_000 };
  const hashLists = [toHashList(fullUpdate(list), facts)];
  const answer = { format: "protobuf", enums: "names" };
  const { body, contentType } = writeResponse(batchGetHashLists, { hashLists }, answer);
  return new Response(body, { headers: { "content-type": contentType } });
}

const client = createClient({
  protocol: "v5",
  server: "https://lists.example",
  lists: ["mw-4b"],
  fetch: fetchList,
});
await client.update();

/** Measures processor time, including that of garbage collection, so that other processes matter less. */
function byProcessorTime(candidates) {
  const timed = (run) => async (urls) => {
    const start = process.cpuUsage();
    const result = await run(urls);
    const { user, system } = process.cpuUsage(start);
    return { result, nanoseconds: 1000 * (user + system) };
  };
  return Object.fromEntries(Object.entries(candidates).map(([name, run]) => [name, timed(run)]));
}

printMachine();
const timings = await compare({
  candidates: byProcessorTime({
    "checker().check": (run) => run.reduce((sum, url) => sum + (check(url).length === 0), 0),
    checkLocally: (run) =>
      run.reduce((sum, url) => sum + (client.checkLocally(url).verdict === "safe"), 0),
    "checker().checkMany": (run) => {
      let safe = 0;
      for (const { matches } of checkMany(run)) safe += matches.length === 0;
      return safe;
    },
    checkMany: async (run) => {
      let safe = 0;
      for await (const { verdict } of client.checkMany(run)) safe += verdict === "safe";
      return safe;
    },
    check: async (run) => {
      let safe = 0;
      for (const url of run) safe += (await client.check(url)).verdict === "safe";
      return safe;
    },
  }),
  inputs: runs,
  items: urls.length,
  rounds: 25,
});
printTimings(`${LIST_SIZE} prefixes`, "URL", timings);

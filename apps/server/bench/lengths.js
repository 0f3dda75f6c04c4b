/*
 * Measures what readers of a list download with prefixes of different lengths, and whether a match must be confirmed:
 * `npx pnpm --filter @x/server bench:lengths`. Usage: lengths.js [hosts] [days]
 */
import process from "node:process";
import { gzipSync } from "node:zlib";
import { generateSigningKey, loadList, memoryStorage, publish, signerOf } from "@x/list-store";
import { httpStorage } from "@x/list-store/http";
import { chanceOfFalseMatch, checker } from "@x/lookup";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { staticHost } from "./updates/counted-server.js";
import { hourlyVersions } from "./updates/hosts.js";
import { newTotals, updateAll } from "./updates/readers.js";
import { hashing } from "./updates/store.js";

const SIZE = Number(process.argv[2] ?? 200_000);
const DAYS = Number(process.argv[3] ?? 2);
const LENGTHS = [4, 5, 6, 8, 32];
const SHARE = 0.01;
const URLS_A_MONTH = 3000;
const LIST = "malware";

const signer = await signerOf(await generateSigningKey("bench"));
const publicKeys = [signer.publicKey];
const storage = memoryStorage();
const host = await staticHost((key) => storage.get(key), { isCompressed: false });
const hashesOf = hashing();
const readers = LENGTHS.map((prefixBytes) => ({
  update: (state) =>
    loadList(
      { storage: httpStorage(host.origin), list: LIST, publicKeys, prefixBytes },
      state ?? null,
    ),
  totals: newTotals([1, 24]),
  whole: 0,
}));

let hour = 0;
let hosts;
for (hosts of hourlyVersions({ size: SIZE, share: SHARE, hours: 24 * DAYS })) {
  const fullHashes = [hashesOf(hosts)];
  await publish({ storage, list: LIST, fullHashes, signer, publicKeys, lifetime: 30 * 86_400_000 });
  for (const { update, totals } of readers) {
    if (hour === 0) for (const each of totals) each.state = await update();
    else await updateAll(totals, hour, host.count, update);
  }
  hour++;
}

/** Whether a match on this list must be confirmed with a search. With full hashes, no match needs one. */
function asks(list) {
  const [match] = checker(list).check(`http://${hosts[0]}/`);
  if (match === undefined) throw new Error("a listed host is not on the list");
  return !match.confirmed;
}

const kB = (bytes) => (bytes / 1000).toPrecision(3);
const rows = [];
for (const [i, { update, totals }] of readers.entries()) {
  const [hourly, daily] = totals;
  const whole = await host.count(() => update());
  const { prefixes } = whole.result;
  if (hourly.state.prefixes.checksum !== prefixes.checksum) throw new Error("the lists differ");
  if (daily.state.prefixes.checksum !== prefixes.checksum) throw new Error("the lists differ");
  rows.push([
    `${LENGTHS[i]} bytes`,
    kB(whole.bytes),
    kB(hourly.bytes / hourly.updates),
    kB(daily.bytes / daily.updates),
    (hourly.requests / hourly.updates).toFixed(1),
    asks(prefixes) ? (URLS_A_MONTH * chanceOfFalseMatch(prefixes)).toPrecision(2) : "0",
  ]);
}
host.close();
const file = gzipSync(hosts.map((each) => `0.0.0.0 ${each}\n`).join(""), { level: 6 }).length;
rows.push(["hosts file, gzip", kB(file), kB(file), kB(file), "1.0", "0"]);

printMachine();
console.log(`${SIZE} hosts, ${100 * SHARE} % replaced a day, ${DAYS} days of hourly versions\n`);
printTable(
  ["prefixes", "kB, whole", "kB an hour", "kB a day", "requests an hour", "questions a month"],
  rows,
);

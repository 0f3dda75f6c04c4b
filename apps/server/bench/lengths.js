// Measures what readers of a list download with prefixes of different lengths, and whether a match must be confirmed:
// `npx pnpm --filter @x/server bench:lengths`. Usage: lengths.js [entries] [days]
import process from "node:process";
import { chanceOfFalseMatch, checker } from "@x/lookup";
import { fullHash } from "@x/sha256-prefix";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { countingHost, replaceAnywhere } from "./churn.js";
import { randomHashes, temporaryStore } from "./store.js";

const SIZE = Number(process.argv[2] ?? 200_000);
const DAYS = Number(process.argv[3] ?? 2);
const LENGTHS = [4, 8, 32];
/** The share of the entries that is replaced in a day. */
const SHARE = 0.01;
/** The hours between the updates of a reader. */
const EVERY = [1, 24];
const URLS_A_MONTH = 3000;
/** The first entry, which is never replaced. */
const LISTED = "listed.example/";

const store = await temporaryStore();

const host = await countingHost(store.storage);

const update = (prefixBytes, state) =>
  host.update({ list: "malware", publicKeys: [store.publicKey], prefixBytes }, state);

const hashes = randomHashes(SIZE);
hashes.set(fullHash(LISTED));
const readers = LENGTHS.map(() => EVERY.map(() => ({ state: null, bytes: 0, updates: 0 })));
for (let hour = 0; hour <= 24 * DAYS; hour++) {
  const changes = hour === 0 ? 0 : Math.round((SIZE * SHARE) / 24);
  replaceAnywhere(hashes, changes, 1);
  await store.publish(hashes);
  for (const [i, prefixBytes] of LENGTHS.entries()) {
    for (const [k, reader] of readers[i].entries()) {
      if (hour % EVERY[k] !== 0) continue;
      const updated = await update(prefixBytes, reader.state);
      reader.state = updated.state;
      if (hour === 0) continue;
      reader.bytes += updated.bytes;
      reader.updates++;
    }
  }
}

const kB = (count) => (count / 1000).toPrecision(3);
const rows = [];
for (const [i, prefixBytes] of LENGTHS.entries()) {
  const whole = await update(prefixBytes);
  const { prefixes } = whole.state;
  for (const { state } of readers[i]) {
    if (state.prefixes.checksum !== prefixes.checksum) throw new Error("the lists differ");
  }
  const [match] = checker(prefixes).check(`http://${LISTED}`);
  if (match === undefined) throw new Error("a listed host is not on the list");
  rows.push([
    `${prefixBytes} bytes`,
    kB(whole.bytes),
    ...readers[i].map((reader) => kB(reader.bytes / reader.updates)),
    match.confirmed ? "0" : (URLS_A_MONTH * chanceOfFalseMatch(prefixes)).toPrecision(2),
  ]);
}
host.close();
store.remove();

printMachine();
console.log(`${SIZE} entries, ${100 * SHARE}% replaced a day, ${DAYS} days of hourly versions\n`);
printTable(["prefixes", "kB, whole", "kB an hour", "kB a day", "questions a month"], rows);

// Measures how many requests a second the Squid helper answers through pipes, compared with checking the same URLs in
// this process: `pnpm --filter @x/cli bench:squid`
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { checker } from "@x/lookup";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";

const REQUESTS = 200_000;
const ENTRIES = 1_000_000;
const ROUNDS = 5;

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "squid-helper-"));
const LIST = join(folder, "million.list");

// One URL in fifty is listed. Squid sends no fragments.
const urls = makeUrls(REQUESTS).map((url) => url.replace(/#.*/, ""));
const hosts = urls.filter((_, i) => i % 50 === 0).map((url) => new URL(url).hostname);
const filler = Array.from({ length: ENTRIES }, (_, i) => `filler-${i}.example/`);
const hashes = [...hosts.map((host) => `${host}/`), ...filler].map(fullHash);
const list = prefixList(hashes, { name: "million", prefixBytes: 8 });
writeFileSync(LIST, encodePrefixList(list));

const lines = urls.map((url, i) => `${i} ${url} -\n`);

const { checkMany } = checker(list);
const child = spawn(
  process.execPath,
  [file("../bin/urlhash.js"), "helper", "squid", "--list", LIST],
  { stdio: ["pipe", "pipe", "pipe"] },
);
const answers = child.stdout[Symbol.asyncIterator]();
await once(child.stderr, "data");

/** Counts the listed URLs in this process. */
function check() {
  let listed = 0;
  for (const { matches } of checkMany(urls)) if (matches.length > 0) listed++;
  return listed;
}

/** Counts the listed URLs with the helper. At most `most` requests are under way at a time. */
async function ask(most) {
  let [sent, answered, listed] = [0, 0, 0];
  while (answered < lines.length) {
    const next = Math.min(lines.length, answered + most);
    if (next > sent) child.stdin.write(lines.slice(sent, next).join(""));
    sent = next;
    const text = (await answers.next()).value.toString("latin1");
    answered += text.split("\n").length - 1;
    listed += text.split(" OK ").length - 1;
  }
  return listed;
}

const candidates = [
  ["checkMany in one process, without pipes", check],
  ["helper, all requests at once", () => ask(REQUESTS)],
  ["helper, 500 requests under way", () => ask(500)],
  ["helper, 50 requests under way", () => ask(50)],
  ["helper, one request after the other", () => ask(1)],
];
const best = candidates.map(() => Number.POSITIVE_INFINITY);
const expected = check();
for (let round = 0; round < ROUNDS; round++) {
  for (const [i, [name, run]] of candidates.entries()) {
    const start = performance.now();
    const listed = await run();
    best[i] = Math.min(best[i], (performance.now() - start) / 1000);
    if (listed !== expected) throw new Error(`${name}: ${listed} are listed, not ${expected}`);
  }
}
child.stdin.end();
rmSync(folder, { recursive: true });

printMachine();
printTable(
  ["", "requests a second", "ratio"],
  candidates.map(([name], i) => [
    name,
    Math.round(REQUESTS / best[i])
      .toLocaleString("en")
      .replaceAll(",", " "),
    (best[0] / best[i]).toFixed(2),
  ]),
);

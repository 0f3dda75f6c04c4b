/**
 * The whole row, from a URL to a verdict against a million prefixes: `pnpm --filter @x/lookup bench [FILE]`.
 * FILE has one URL a line; without it a corpus is made. The candidates must agree before they are timed.
 */
import { createHash } from "node:crypto";
import { tryParseUrl } from "@x/canon";
import { expressions } from "@x/expressions";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { readCorpus } from "./corpus.js";
import { measure, printTable } from "./measure.js";

const LIST_SIZE = 1_000_000;
const corpus = readCorpus(process.argv[2]).filter((url) => naivelyRight(url));

/** Whether the pipeline most people write forms the same expressions for a URL. */
function naivelyRight(url) {
  const parsed = tryParseUrl(url);
  if (parsed === null || !URL.canParse(url)) return false;
  return expressions(parsed).sort().join() === naiveExpressions(url).sort().join();
}

/** What most people write: the platform's URL, split and join. */
function naiveExpressions(text) {
  const url = new URL(text);
  const labels = url.hostname.split(".");
  const hosts = [url.hostname];
  if (!/^[\d.]+$/.test(url.hostname)) {
    for (let i = Math.max(1, labels.length - 5); i < labels.length - 1 && hosts.length < 5; i++) {
      hosts.push(labels.slice(i).join("."));
    }
  }
  const paths = new Set();
  if (url.search) paths.add(url.pathname + url.search);
  paths.add(url.pathname);
  const parts = url.pathname.split("/").slice(1, -1);
  for (let i = 0; i <= Math.min(3, parts.length); i++) {
    paths.add(i === 0 ? "/" : `/${parts.slice(0, i).join("/")}/`);
  }
  return hosts.flatMap((host) => [...paths].map((path) => host + path));
}

function naiveCheck(url, set) {
  return naiveExpressions(url).some((expression) =>
    set.has(createHash("sha256").update(expression).digest().readUInt32BE(0)),
  );
}

// Every 50th URL is listed by its host; the rest of the million are prefixes of other texts.
const listed = corpus.filter((_, i) => i % 50 === 0).map((url) => `${new URL(url).hostname}/`);
const raw = new Uint8Array(LIST_SIZE * 4);
const numbers = new Set();
for (let i = 0; i < LIST_SIZE; i++) {
  const hash = createHash("sha256")
    .update(listed[i] ?? `made up ${i}`)
    .digest();
  raw.set(hash.subarray(0, 4), i * 4);
  numbers.add(hash.readUInt32BE(0));
}
const list = prefixList([{ prefixSize: 4, rawHashes: raw }], { name: "bench" });
const fast = checker(list, { engine: "webassembly" });
const plain = checker(list, { engine: "javascript" });

const URLS_A_RUN = 1000;
const runs = [];
for (let from = 0; from < corpus.length; from += URLS_A_RUN) {
  const urls = corpus.slice(from, from + URLS_A_RUN);
  runs.push({ items: urls.length, urls, lines: new TextEncoder().encode(urls.join("\n")) });
}

/** Each gives the number of URLs of a run that are listed. */
const candidates = {
  "new URL, split, createHash, Set": ({ urls }) => count(urls, (url) => naiveCheck(url, numbers)),
  "check, a string a call": ({ urls }) => count(urls, (url) => fast.check(url).length > 0),
  "checkMany, strings": ({ urls }) => count(fast.checkMany(urls), isListed),
  "scan, octets": ({ lines }) => fast.scan(lines).findings.length,
  "check, JavaScript engine": ({ urls }) => count(urls, (url) => plain.check(url).length > 0),
  "scan, JavaScript engine": ({ lines }) => plain.scan(lines).findings.length,
};

function isListed({ matches }) {
  return matches.length > 0;
}

function count(values, holds) {
  let number = 0;
  for (const value of values) if (holds(value)) number++;
  return number;
}

printTable(
  `${corpus.length} URLs against a list of ${list.size} prefixes`,
  measure(candidates, runs),
);

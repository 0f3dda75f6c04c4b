// How long it takes to canonicalize a URL: `pnpm --filter @x/canon bench [FILE-OF-URLS]`.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { canonicalize, parseUrl, tryParseUrl } from "@x/canon";
import { verifyCanonical } from "@x/canon/verify";
import { makeUrls } from "../../../test-support/url-corpus.js";
import { canonicalizeInPasses } from "./in-passes.js";

const ROUNDS = 15;

const [file] = process.argv.slice(2);
const lines = file === undefined ? makeUrls(20_000) : readFileSync(file, "utf8").split(/\r?\n/);
// The candidate of regular expressions supports no others.
const urls = lines.filter((url) => /^[a-z]+:\/\/[!-~]+$/i.test(url) && tryParseUrl(url) !== null);
const octets = urls.map((url) => new TextEncoder().encode(url));
const spans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };

/** Each returns the total length of its results, so that all of them are computed and used. */
const CANDIDATES = {
  "parseUrl(text)": () => sum(urls, (url) => parseUrl(url).href.length),
  "canonicalize(text)": () => sum(urls, (url) => canonicalize(url).length),
  "canonicalize(octets)": () => sum(octets, (url) => canonicalize(url).length),
  "verifyCanonical(octets), else canonicalize": () =>
    sum(octets, (url) =>
      verifyCanonical(url, 0, url.length, spans) ? spans.end : canonicalize(url).length,
    ),
  "regular expressions, in passes": () => sum(urls, (url) => canonicalizeInPasses(url).length),
  // Another form, so another length; it shows the time that people expect.
  "new URL(text).href": () => sum(urls, (url) => new URL(url).href.length),
};

function sum(inputs, length) {
  let total = 0;
  for (const input of inputs) total += length(input);
  return total;
}

for (const [i, url] of urls.entries()) {
  const expected = parseUrl(url).href;
  const isVerified = verifyCanonical(octets[i], 0, octets[i].length, spans);
  const results = [canonicalize(url), canonicalize(octets[i]), canonicalizeInPasses(url)];
  if (isVerified) results.push(url);
  for (const result of results) {
    if (result !== expected) throw new Error(`${url}: ${result} is not ${expected}`);
  }
}

const times = new Map(Object.keys(CANDIDATES).map((name) => [name, []]));
const sums = new Map();
for (let round = 0; round < ROUNDS; round++) {
  // In turns, so that other load on the machine affects all of them.
  for (const [name, run] of Object.entries(CANDIDATES)) {
    const start = process.hrtime.bigint();
    const total = run();
    times.get(name).push(Number(process.hrtime.bigint() - start) / urls.length);
    if (sums.has(name) && sums.get(name) !== total) throw new Error(`${name} changes its mind`);
    sums.set(name, total);
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const base = median(times.get("parseUrl(text)"));
console.log(
  `${urls.length} URLs, Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}\n`,
);
for (const [name, values] of times) {
  const time = median(values);
  const ratio = `${(time / base).toFixed(2)}×`;
  console.log(`${name.padEnd(44)}${time.toFixed(0).padStart(7)} ns a URL${ratio.padStart(9)}`);
}

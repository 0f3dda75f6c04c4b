// Measures the time to canonicalize a URL: `npx pnpm --filter @x/canon bench [FILE-OF-URLS]`.
import { readFileSync } from "node:fs";
import { canonicalize, parseUrl, tryParseUrl } from "@x/canon";
import { verifyCanonical } from "@x/canon/verify";
import { compare, printMachine, printTimings } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";
import { canonicalizeInPasses } from "./in-passes.js";

const ROUNDS = 15;

const [file] = process.argv.slice(2);
const lines = file === undefined ? makeUrls(20_000) : readFileSync(file, "utf8").split(/\r?\n/);
// The candidate with regular expressions supports only these.
const urls = lines.filter((url) => /^[a-z]+:\/\/[!-~]+$/i.test(url) && tryParseUrl(url) !== null);
const bytes = urls.map((url) => new TextEncoder().encode(url));
const spans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };

/** Each returns the total length of its results, so that every result is computed and used. */
const CANDIDATES = {
  "parseUrl(text)": () => sum(urls, (url) => parseUrl(url).href.length),
  "canonicalize(text)": () => sum(urls, (url) => canonicalize(url).length),
  "canonicalize(bytes)": () => sum(bytes, (url) => canonicalize(url).length),
  "verifyCanonical(bytes), else canonicalize": () =>
    sum(bytes, (url) =>
      verifyCanonical(url, 0, url.length, spans) ? spans.end : canonicalize(url).length,
    ),
  "regular expressions, in passes": () => sum(urls, (url) => canonicalizeInPasses(url).length),
  // The platform's form, which has a different length; for comparison with a familiar time.
  "new URL(text).href": () => sum(urls, (url) => new URL(url).href.length),
};

function sum(inputs, length) {
  let total = 0;
  for (const input of inputs) total += length(input);
  return total;
}

for (const [i, url] of urls.entries()) {
  const expected = parseUrl(url).href;
  const isVerified = verifyCanonical(bytes[i], 0, bytes[i].length, spans);
  const results = [canonicalize(url), canonicalize(bytes[i]), canonicalizeInPasses(url)];
  if (isVerified) results.push(url.slice(0, spans.end));
  for (const result of results) {
    if (result !== expected) throw new Error(`${url}: ${result} is not ${expected}`);
  }
}

printMachine();
console.log(`${urls.length} URLs\n`);
const timings = await compare({
  candidates: CANDIDATES,
  inputs: [null],
  items: urls.length,
  rounds: ROUNDS,
  mustAgree: false,
});
printTimings("canonicalize", "URL", timings);

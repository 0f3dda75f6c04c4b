import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** How many letters determine the next one. With five, the names compress about as well as real ones. */
const ORDER = 5;
const MAX_HOST_LENGTH = 100;
const END = "\n";

/** Returns a generator of evenly distributed numbers in [0, 1), which are the same in every run (splitmix32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** The real host names of phishing sites in the npm package `eth-phishing-detect`. */
function realHosts() {
  const file = createRequire(import.meta.url).resolve("eth-phishing-detect/src/config.json");
  return JSON.parse(readFileSync(file, "utf8")).blacklist;
}

/** Makes host names that look like real ones: each letter follows the five before it as often as in real names. */
function hostMaker(random) {
  const following = new Map();
  for (const host of realHosts()) {
    const text = END.repeat(ORDER) + host + END;
    for (let i = ORDER; i < text.length; i++) {
      const before = text.slice(i - ORDER, i);
      following.set(before, (following.get(before) ?? "") + text[i]);
    }
  }
  return () => {
    for (;;) {
      let text = END.repeat(ORDER);
      do {
        const letters = following.get(text.slice(-ORDER));
        text += letters[Math.floor(random() * letters.length)];
      } while (!text.endsWith(END));
      const host = text.trim();
      if (host.length <= MAX_HOST_LENGTH && host.includes(".")) return host;
    }
  };
}

function merged(sorted, more) {
  const result = [];
  let i = 0;
  for (const host of more.sort()) {
    while (i < sorted.length && sorted[i] < host) result.push(sorted[i++]);
    result.push(host);
  }
  while (i < sorted.length) result.push(sorted[i++]);
  return result;
}

/**
 * The versions of a list, one for each hour and one for the start, each as its hosts in ascending order. The list
 * always has `size` hosts. Every day, a `share` of them is replaced, some of it every hour.
 */
export function* hourlyVersions({ size, share, hours }) {
  const random = randomNumbers(size);
  const makeHost = hostMaker(random);
  const listed = new Set();
  const newHosts = (count) => {
    const hosts = [];
    while (hosts.length < count) {
      const host = makeHost();
      if (listed.has(host)) continue;
      listed.add(host);
      hosts.push(host);
    }
    return hosts;
  };
  let hosts = newHosts(size).sort();
  yield hosts;
  let replaced = 0;
  for (let hour = 1; hour <= hours; hour++) {
    const count = Math.round((hour * size * share) / 24) - replaced;
    replaced += count;
    const removed = new Set();
    while (removed.size < count) removed.add(hosts[Math.floor(random() * size)]);
    const kept = hosts.filter((host) => !removed.has(host));
    hosts = merged(kept, newHosts(count));
    for (const host of removed) listed.delete(host);
    yield hosts;
  }
}

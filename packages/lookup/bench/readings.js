// Times what reading URLs as browsers do costs: `pnpm --filter @x/lookup bench:readings`.
//
// Each candidate reads the URLs as the specification does; the second also as browsers do. Of course, they do not find
// the same URLs listed.
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { compare, printMachine, printTimings } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";
import { randomNumbers, spoofedUrl } from "./spoofed-urls.js";

const URLS_A_RUN = 1000;
const RUNS = 20;

/** Whether a browser opens a text. */
function opens(text) {
  try {
    return /^(?:https?|ftp|wss?):$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

function spoofed(count) {
  const random = randomNumbers(1);
  const urls = [];
  while (urls.length < count) {
    const url = spoofedUrl(random);
    if (opens(url)) urls.push(url);
  }
  return urls;
}

/** What people type, and what mail contains: URLs that are not canonical, and not spoofed. */
function rewritten(urls) {
  return urls.map((url, i) => {
    const { protocol, host, pathname, search } = new URL(url);
    const start = `${protocol}//${host}`;
    return [
      start,
      `${start.toUpperCase()}${pathname}`,
      `${start}${pathname}a%20b${search}`,
      `${url}#top`,
    ][i % 4];
  });
}

const list = prefixList([fullHash("evil.example/")], { name: "bench", prefixBytes: 4 });
const candidates = Object.fromEntries(
  ["specification", "both"].map((readings) => {
    const { checkMany } = checker(list, { readings });
    const count = (urls) => {
      let listed = 0;
      for (const { matches } of checkMany(urls)) if (matches.length > 0) listed++;
      return listed;
    };
    return [`readings: "${readings}"`, count];
  }),
);

printMachine();
const all = URLS_A_RUN * RUNS;
for (const [what, urls] of [
  ["URLs as people visit them", makeUrls(all)],
  ["not canonical", rewritten(makeUrls(all))],
  ["spoofed", spoofed(all)],
]) {
  const inputs = Array.from({ length: RUNS }, (_, i) =>
    urls.slice(i * URLS_A_RUN, (i + 1) * URLS_A_RUN),
  );
  const timings = await compare({ candidates, inputs, items: all, rounds: 15, mustAgree: false });
  printTimings(what, "URL", timings);
}

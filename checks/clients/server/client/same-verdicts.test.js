import assert from "node:assert/strict";
import { isIPv4 } from "node:net";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { createClient } from "../../../../packages/client/dist/index.js";
import { readAs, reportEntry } from "../../../../packages/interop/dist/index.js";
import { makeUrls } from "../../../support/url-corpus.js";
import { firefoxScripts } from "../firefox/firefox-scripts.js";
import { oddUrls } from "../support/odd-urls.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";

const { path, skip } = program("firefox-esr");
const COUNT = Number(process.env.VERDICT_URLS ?? 1000);
const SEED = Number(process.env.VERDICT_SEED ?? 28);
const MARKER = "http://marker.test/";

/** Half of the URLs are like those that people visit, and half are unusual. */
function urlsToCheck() {
  const odd = oddUrls(COUNT, SEED).filter((url) => readAs("specification", url).exact !== null);
  const [half, usual] = [Math.floor(COUNT / 2), makeUrls(2 * COUNT)];
  return [...new Set([...odd.slice(0, half), ...usual])].slice(0, COUNT);
}

const URLS = urlsToCheck();
/** Every other URL is listed. A publisher refuses those that no browser opens. */
const LISTED = new Set(
  URLS.filter((url, i) => i % 2 === 0 && readAs("browser-reading", url).exact !== null).map(
    (url) => reportEntry(url).expression,
  ),
);
/** A publisher accepts `"`, `<`, `>` and `\` only if they are escaped. */
const ENTRIES = [...LISTED].map(
  (expression) => `http://${expression.replace(/["<>\\]/g, encodeURIComponent)}`,
);

/** Whether no site can have the host: it ends in a number, but is not an address. Browsers do not open such a URL. */
function isImpossible(url) {
  const host = readAs("specification", url).exact.split("/")[0];
  return /\.\d+$/.test(host) && !isIPv4(host);
}

/** The texts that a client looks up for a URL, sorted and joined. */
const textsOf = (rules, url) => [...new Set(readAs(rules, url).texts)].sort().join("\n");
const isAlike = (url) => textsOf("firefox", url) === textsOf("both-readings", url);

async function verdictsOf(protocol, { origin }) {
  const list = { v5: "mw-4b", v4: "MALWARE" }[protocol];
  const client = createClient({ protocol, server: origin, lists: [list] });
  await client.update();
  const verdicts = [];
  for await (const { verdict } of client.checkMany(URLS)) verdicts.push(verdict);
  await client.stop();
  return verdicts;
}

async function firefoxVerdictsOf(protocol, { origin }) {
  const browser = await firefoxScripts({ path, origin, protocol });
  try {
    await browser.waitUntilBlocked(MARKER);
    const blocked = await browser.blocks(URLS);
    return blocked.map((isBlocked) => (isBlocked ? "unsafe" : "safe"));
  } finally {
    await browser.stop();
  }
}

describe(`verdicts on ${COUNT} URLs`, { timeout: 600_000 }, () => {
  let server;
  before(async () => {
    server = await urlListServer();
    await server.publish({ malware: [...ENTRIES, MARKER] });
    await server.start();
  });
  after(() => server?.remove());

  for (const protocol of ["v5", "v4"]) {
    test(`@x/client gives the verdicts of Firefox over ${protocol}`, { skip }, async (t) => {
      const expected = await firefoxVerdictsOf(protocol, server);
      const verdicts = await verdictsOf(protocol, server);
      const alike = [...URLS.keys()].filter((i) => isAlike(URLS[i]));
      const pick = (values) => alike.map((i) => `${values[i]} ${URLS[i]}`);
      assert.deepEqual(pick(verdicts), pick(expected));
      // The client reads a URL in two ways, so it misses nothing that Firefox finds.
      assert.deepEqual(
        URLS.filter((_, i) => expected[i] === "unsafe" && verdicts[i] !== "unsafe"),
        [],
      );
      const unsafe = alike.filter((i) => verdicts[i] === "unsafe").length;
      t.diagnostic(`${alike.length} of ${COUNT} URLs are read alike; ${unsafe} are unsafe`);
      assert.ok(alike.length > 0.8 * COUNT);
      assert.ok(unsafe > 0.3 * COUNT);
      assert.ok(alike.length - unsafe > 0.2 * COUNT);
    });

    test(`@x/client finds what it reads, over ${protocol}`, async () => {
      const expected = URLS.map((url) => {
        const isListed = readAs("both-readings", url).texts.some((text) => LISTED.has(text));
        return `${isListed ? "unsafe" : isImpossible(url) ? "unsure" : "safe"} ${url}`;
      });
      const verdicts = await verdictsOf(protocol, server);
      assert.deepEqual(
        URLS.map((url, i) => `${verdicts[i]} ${url}`),
        expected,
      );
    });
  }
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { safebrowsing } from "@googleapis/safebrowsing";
import { readUrl } from "../../../../packages/canon/dist/readings.js";
import { createClient } from "../../../../packages/client/dist/index.js";
import { interopVariants, readAs, reportEntry } from "../../../../packages/interop/dist/index.js";
import { fullHash, toHex } from "../../../../packages/sha256-prefix/dist/index.js";
import { clamAv, databaseSite } from "../clamav/clamav.js";
import { firefoxScripts } from "../firefox/firefox-scripts.js";
import { nginxAuth } from "../nginx/nginx-auth.js";
import { rspamd } from "../rspamd/rspamd.js";
import { squid } from "../squid/squid.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { webRiskClient } from "../web-risk/web-risk.js";
import { matrixEntries, matrixUrls } from "./matrix-urls.js";

const MARKER = "http://marker.test/";
const ENTRIES = matrixEntries();
/** All entries as they are listed, followed by other URLs. */
const URLS = [...new Set([...ENTRIES, ...matrixUrls(ENTRIES)])].slice(0, 1000);

/** Entries and URLs for which some clients need variants. */
const VARIANT_ENTRIES = [
  ...["http://[2001:db8::1]/x", "http://[2001:db8::a]/x", "http://evil.test/caf%C3%A9"],
  ...[
    "http://bad.test//kit",
    "http://bad.test./dot",
    "http://evil.test/a%2Fb/..%2Fc",
    "http://3221225993/number",
  ],
];
const VARIANT_URLS = [
  ...VARIANT_ENTRIES,
  "http://[2001:db8::1]/y",
  "http://bad.test/kit",
  "http://bad.test//other",
];

const expressionsOf = (entries) => new Set(entries.map((entry) => reportEntry(entry).expression));

/** The variants of entries that block no other URLs. */
const variantsOf = (entries) =>
  entries.flatMap((entry) =>
    interopVariants(entry).flatMap(({ text, isSafe }) => (isSafe ? [text] : [])),
  );

/** The texts that clients find on a list. */
function publishedBy(entries, variants = []) {
  const texts = new Set([...expressionsOf(entries), ...variants]);
  return (text) => texts.has(text);
}

/** Decodes escapes until there are none left. */
function decoded(url) {
  const once = url.replace(/%([0-9A-Fa-f]{2})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return once === url ? url : decoded(once);
}

/**
 * ClamAV crashes on some links with dot segments, and all links are checked in one run. The rules for ClamAV do not
 * cover how HTML and character sets change links.
 */
const isForClamav = (url) =>
  /^[!#-&(-;=?-~]*$/.test(url) && !/\/\.\.?(\/|$)/.test(decoded(url.replace(/#.*/, "")));

/** rspamd does not treat text with an empty port as a link. */
const isForRspamd = (url) => !/^[a-z]+:\/\/[^/?#]*:([/?#]|$)/i.test(url);

/** The server refuses to look up a URL whose host no site can have. */
const hasPossibleHost = (url) => readUrl(url).problem?.code !== "host-invalid";

/** The v4 lookup of whole URLs, 500 in a request. */
function threatMatches({ origin }) {
  const client = safebrowsing({ version: "v4", rootUrl: `${origin}/`, auth: "any-key" });
  const kinds = { platformTypes: ["ANY_PLATFORM"], threatEntryTypes: ["URL"] };
  const info = { threatTypes: ["MALWARE"], ...kinds };
  return {
    async blocks(urls) {
      const found = new Set();
      for (let i = 0; i < urls.length; i += 500) {
        const threatEntries = urls.slice(i, i + 500).map((url) => ({ url }));
        const { data } = await client.threatMatches.find({
          requestBody: { threatInfo: { ...info, threatEntries } },
        });
        for (const { threat } of data.matches ?? []) found.add(threat.url);
      }
      return urls.map((url) => found.has(url));
    },
    stop() {},
  };
}

async function firefox({ origin }, protocol) {
  const browser = await firefoxScripts({ ...program("firefox-esr"), origin, protocol });
  await browser.waitUntilBlocked(MARKER);
  return browser;
}

async function clamav({ folder }) {
  const [freshclam, clamscan, nginx] = ["freshclam", "clamscan", "nginx"].map(
    (name) => program(name).path,
  );
  const site = await databaseSite({ nginx, store: join(folder, "lists") });
  assert.equal(await site.write(), 0);
  const client = clamAv({ freshclam, clamscan, origin: site.origin });
  const { status, output } = await client.update();
  assert.equal(status, 0, output);
  return { ...client, stop: site.stop };
}

/** A client of this repository, which keeps the list over a protocol. */
async function ourClient({ origin }, protocol, list) {
  const client = createClient({ protocol, server: origin, lists: [list] });
  await client.update();
  return {
    async blocks(urls) {
      const verdicts = [];
      for await (const { verdict } of client.checkMany(urls)) verdicts.push(verdict);
      const unsure = urls.filter((url, i) => verdicts[i] === "unsure" && hasPossibleHost(url));
      assert.deepEqual(unsure, []);
      return verdicts.map((verdict) => verdict === "unsafe");
    },
    stop: () => client.stop(),
  };
}

/** The clients, each with the programs that it needs, the rules that it should follow, and the URLs that reach it. */
const CLIENTS = [
  {
    name: "Firefox over v5",
    programs: ["firefox-esr"],
    rules: "firefox",
    start: (server) => firefox(server, "v5"),
  },
  {
    name: "Firefox over v4",
    programs: ["firefox-esr"],
    rules: "firefox",
    start: (server) => firefox(server, "v4"),
  },
  {
    name: "ClamAV",
    programs: ["freshclam", "clamscan", "nginx"],
    rules: "clamav",
    start: clamav,
    isFor: isForClamav,
  },
  ...[
    ["v5", "mw-4b"],
    ["v4", "MALWARE"],
  ].map(([protocol, list]) => ({
    name: `@x/client over ${protocol}`,
    programs: [],
    rules: "both-readings",
    start: (server) => ourClient(server, protocol, list),
  })),
  {
    name: "Web Risk",
    programs: [],
    rules: "both-readings",
    start: webRiskClient,
  },
  {
    name: "threatMatches:find",
    programs: [],
    rules: "both-readings",
    start: threatMatches,
    isFor: hasPossibleHost,
  },
  {
    name: "Squid",
    programs: ["squid"],
    rules: "both-readings",
    start: ({ origin }) => squid({ ...program("squid"), origin }),
    isFor: hasPossibleHost,
  },
  {
    name: "nginx",
    programs: ["nginx"],
    rules: "both-readings",
    start: ({ origin }) => nginxAuth({ ...program("nginx"), origin }),
    isFor: hasPossibleHost,
  },
  {
    name: "rspamd",
    programs: ["rspamd"],
    rules: "both-readings",
    start: ({ origin }) => rspamd({ ...program("rspamd"), origin }),
    isFor: isForRspamd,
  },
];

const reasonToSkip = (programs) =>
  programs.map((name) => program(name).skip).find(Boolean) ?? false;

async function serverWith(urls, ...options) {
  const server = await urlListServer();
  await server.publish({ malware: urls }, ...options);
  await server.start();
  return server;
}

/** Checks that a client blocks the URLs that its rules say, and returns how many it blocks. */
async function compare(client, { rules, isFor = () => true }, urls, isPublished) {
  const asked = urls.filter(isFor);
  const blocked = await client.blocks(asked);
  // Squid refuses some URLs itself.
  const refused = new Set(typeof client.refusals === "function" ? client.refusals() : []);
  const different = asked.filter(
    (url, i) => !refused.has(url) && blocked[i] !== readAs(rules, url).texts.some(isPublished),
  );
  assert.deepEqual(different, []);
  return blocked.filter(Boolean).length;
}

describe("the same 1 000 URLs through every client", { timeout: 600_000 }, () => {
  const servers = {};
  const counts = {};
  before(async () => {
    servers.entries = await serverWith([...ENTRIES, MARKER]);
    const texts = [...expressionsOf([...VARIANT_ENTRIES, MARKER]), ...variantsOf(VARIANT_ENTRIES)];
    const hashes = texts.map((text) => toHex(fullHash(text)));
    servers.variants = await serverWith(hashes, "--input", "hex");
  });
  after(async () => {
    for (const server of Object.values(servers)) await server.remove();
  });

  for (const each of CLIENTS) {
    const { name, programs, start } = each;
    test(`${name} blocks what its rules say`, { skip: reasonToSkip(programs) }, async () => {
      const client = await start(servers.entries);
      try {
        counts[name] = await compare(client, each, URLS, publishedBy(ENTRIES));
      } finally {
        await client.stop();
      }
      assert.ok(counts[name] >= 200, `${counts[name]} are blocked`);
      assert.ok(counts[name] < 900, `${counts[name]} are blocked`);
    });
  }

  test("clients that read a URL in both ways miss nothing that Firefox finds", () => {
    const isPublished = publishedBy(ENTRIES);
    const finds = (rules) => (url) => readAs(rules, url).texts.some(isPublished);
    const found = URLS.filter(finds("firefox"));
    assert.ok(found.length > 200);
    assert.deepEqual(
      found.filter((url) => !finds("both-readings")(url)),
      [],
    );
  });

  // Variants change nothing for clients that send whole URLs to the server, so one of these clients is enough.
  for (const each of CLIENTS.filter(
    ({ rules, name }) => rules !== "both-readings" || name === "Web Risk",
  )) {
    const { name, programs, rules, start } = each;
    test(`${name} blocks what its rules say, with variants`, {
      skip: reasonToSkip(programs),
    }, async () => {
      const client = await start(servers.variants);
      let count;
      try {
        const isPublished = publishedBy(VARIANT_ENTRIES, variantsOf(VARIANT_ENTRIES));
        count = await compare(client, each, VARIANT_URLS, isPublished);
      } finally {
        await client.stop();
      }
      const isPublished = publishedBy(VARIANT_ENTRIES);
      const without = VARIANT_URLS.filter((url) =>
        readAs(rules, url).texts.some(isPublished),
      ).length;
      const isHelped = ["firefox", "clamav"].includes(rules);
      assert.ok(isHelped ? count > without : count <= without, `${count}, not ${without}`);
    });
  }
});

import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { parseUrl } from "../../../packages/canon/dist/index.js";
import { readUrl } from "../../../packages/canon/dist/readings.js";
import { exactExpression } from "../../../packages/expressions/dist/index.js";
import { readingHashes } from "../../../packages/lookup/dist/index.js";
import { firefoxScripts } from "../server/firefox/firefox-scripts.js";
import { randomNumbers } from "../server/support/odd-urls.js";
import { program } from "../server/support/required-programs.js";
import { browsers, chromiumArgument } from "./support/browsers.js";
import { compareWithBrowsers } from "./support/compare-with-browsers.js";
import { recordingProxy } from "./support/recording-proxy.js";
import { ADDRESSES_WITHOUT_SCHEME, links, spoofs, withCodePoint } from "./support/spoofs.js";

const chromium = program("chromium");
const firefox = program("firefox-esr");
const skip = chromium.skip || firefox.skip;

/** A name whose last label could be a top-level domain, or a single label. */
const NAME = /^(?:[a-z0-9_-]+|(?:[a-z0-9_-]+\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)$/;

/** A longer search, with other spoofs and more code points: see the README. */
const { HOSTS_SEED = 20_261_123, HOSTS_SPOOFS = 20_000, HOSTS_CODE_POINTS = 0.005 } = process.env;
const SEED = Number(HOSTS_SEED);
const timeout = Math.max(600_000, 30 * HOSTS_SPOOFS, 3_600_000 * HOSTS_CODE_POINTS);
/** Planes 0 to 3, and the assigned part of plane 14. */
const CODE_POINTS = [
  ...Array.from({ length: 0x40000 }, (_, code) => code),
  ...Array.from({ length: 0x2000 }, (_, code) => 0xe0000 + code),
];

/** The first 20 of the texts that failed, to keep messages short. */
const some = (found) => found.slice(0, 20);

/** The host that this platform's `URL` finds; `null` when it refuses the text. */
function platformHost(text) {
  try {
    return new URL(text).hostname;
  } catch {
    return null;
  }
}

/**
 * If the host that a browser opens for a text is on a list, `check` must find it or say that it cannot tell. The
 * browsers name the hosts, so the results do not depend on the platform's `URL`.
 */
describe("hosts that Chromium and Firefox open", { skip, timeout }, () => {
  let proxy;
  let both;
  before(async () => {
    proxy = await recordingProxy();
    both = await browsers({ chromium: chromium.path, firefox: firefox.path }, proxy);
  });
  after(async () => {
    await both?.close();
    await proxy?.close();
  });

  async function verdicts(texts) {
    const opened = await both.hosts(texts);
    const result = compareWithBrowsers(texts, opened);
    assert.deepEqual(some(result.missed), [], `${result.missed.length} are not found`);
    assert.deepEqual(some(result.denied), [], `${result.denied.length} are said not to be opened`);
    return { ...result, opened: opened.filter((hosts) => hosts.length > 0).length };
  }

  test("with every code point that the platform and a browser read differently, and others", async () => {
    const texts = CODE_POINTS.map((code) => withCodePoint(code)[1]);
    const opened = await both.hosts(texts);
    const next = randomNumbers(SEED);
    const chosen = CODE_POINTS.filter((_, i) => {
      const here = platformHost(texts[i]);
      const differs =
        opened[i].length > 0 ? opened[i].some((host) => host !== here) : here !== null;
      return differs || next() < Number(HOSTS_CODE_POINTS);
    });
    assert.ok(chosen.length > 2000, `${chosen.length} code points`);
    const result = await verdicts(chosen.flatMap(withCodePoint));
    assert.ok(result.listed > 1000, `${result.listed} of ${result.opened} are listed`);
  });

  test(`in ${HOSTS_SPOOFS} spoofs`, async () => {
    const generator = spoofs(SEED);
    const texts = Array.from({ length: Number(HOSTS_SPOOFS) }, () => generator.next().value);
    const result = await verdicts(texts);
    assert.ok(result.opened > 0.4 * texts.length, `${result.opened} are opened`);
    // Errors must stay rare: nearly everything that browsers open has a verdict.
    assert.ok(
      result.errors < result.opened / 20,
      `${result.errors} of ${result.opened} are errors`,
    );
    // `URL` accepts some texts that browsers refuse, and the specification of IDNA refuses more texts than browsers do.
    assert.ok(result.claimed.length < texts.length / 50, `${result.claimed.length} are not opened`);
  });

  test("are possible if they are names, and those that no browser opens are not", async () => {
    const next = randomNumbers(SEED + 3);
    const pieces = [
      ..."abz09-_..",
      ..."!$&+~*'(),;=`{}<>^|[]%:@\" ",
      "\u201d",
      "\u2026",
      "\u2488",
      "0x1",
    ];
    const piece = () => pieces[Math.floor(next() * (next() < 0.7 ? 9 : pieces.length))];
    const hosts = Array.from({ length: 10_000 }, () => {
      const length = 1 + Math.floor(next() * 8);
      return Array.from({ length }, piece).join("");
    });
    const texts = hosts.map((host) => `http://${host}/`);
    const opened = await both.hosts(texts);
    const counts = { names: 0, refused: 0 };
    for (const [i, text] of texts.entries()) {
      const { specification, problem } = readUrl(text);
      if (opened[i].length === 0) {
        // Only the specification's reading may have a name or an address here: it drops ports and users, and dots at
        // the ends.
        const { host = "", hostType = null } = specification ?? {};
        const isWrittenSo = hosts[i].toLowerCase() === host;
        const isPossible = hostType !== "domain" || NAME.test(host);
        if (specification !== null && isPossible && !isWrittenSo) continue;
        assert.notEqual(problem, null, `no browser opens ${text}`);
        counts.refused++;
      } else if (NAME.test(hosts[i])) {
        assert.equal(problem, null, `browsers open ${text}`);
        counts.names++;
      }
    }
    for (const count of Object.values(counts)) assert.ok(count > 1000, JSON.stringify(counts));
  });

  test("also as links on pages", async () => {
    const texts = links(SEED);
    const opened = await Promise.all(both.all.map((browser) => browser.links(texts)));
    let different = 0;
    for (const [i, text] of texts.entries()) {
      const found = new Set(readingHashes(text).hashes.map(({ expression }) => expression));
      const wanted = opened
        .map((hrefs) => hrefs[i])
        .filter((href) => href !== null)
        .map((href) => exactExpression(parseUrl(href)));
      assert.deepEqual(
        wanted.filter((expression) => !found.has(expression)),
        [],
        JSON.stringify(text),
      );
      if (new Set(wanted).size === 2) different++;
    }
    assert.ok(different > 500, `${different} of ${texts.length} open two URLs`);
  });

  test("are those that `URL` in a page finds", async () => {
    const generator = spoofs(SEED + 1);
    // Other texts open no page over HTTP, or browsers refuse them without asking a proxy.
    // Chromium loads nothing into a frame from a URL with a user.
    const isOpenable = (text) =>
      /^http:\/\//.test(text) && !/[*"@]|%2a|%22|[\0-\x20].|%20/i.test(text);
    const texts = Array.from({ length: 3000 }, () => generator.next().value).filter(isOpenable);
    for (const browser of both.all) {
      const hosts = await browser.hosts(texts);
      // Browsers do not look up names with other characters.
      const isName = (host) => /^[a-z0-9.:[\]-]+$/.test(host ?? "");
      const opened = texts.filter((_, i) => isName(hosts[i])).slice(0, 60);
      assert.ok(opened.length > 40, `${opened.length} can be opened`);
      assert.deepEqual(
        await both.open(browser, opened),
        hosts.filter(isName).slice(0, 60),
        browser.name,
      );
    }
  });
});

describe("what address bars open", { skip, timeout }, () => {
  const HOST = /^https?:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]+)/;
  const assertFound = (texts, urls) => {
    const opened = urls.map((url) => HOST.exec(url ?? "")?.slice(1) ?? []);
    const { missed } = compareWithBrowsers(texts, opened);
    // Firefox opens 127.0.0.1 for 0.0.0.0.
    const isLocal = ({ opened: [host], ours }) => host === "127.0.0.1" && ours === "0.0.0.0";
    assert.deepEqual(
      missed.filter((each) => !isLocal(each)),
      [],
    );
    return opened.filter((hosts) => hosts.length > 0).length;
  };

  test("in Firefox", async () => {
    const generator = spoofs(SEED + 2);
    const spoofed = Array.from({ length: 2000 }, () =>
      generator.next().value.replace(/^[a-z\s\0-\x20]*:[/\\]*/i, ""),
    ).filter((text) => text.isWellFormed());
    const texts = [...ADDRESSES_WITHOUT_SCHEME, ...spoofed];
    const browser = await firefoxScripts(firefox);
    try {
      const count = assertFound(texts, await browser.addressBar(texts));
      assert.ok(count > 500, `${count} are opened`);
    } finally {
      await browser.stop();
    }
  });

  test("in Chromium", async () => {
    const urls = [];
    for (const text of ADDRESSES_WITHOUT_SCHEME) {
      urls.push(await chromiumArgument(chromium.path, text));
    }
    assert.equal(assertFound(ADDRESSES_WITHOUT_SCHEME, urls), ADDRESSES_WITHOUT_SCHEME.length);
  });
});

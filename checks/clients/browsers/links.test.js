import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { program } from "../server/support/required-programs.js";
import { browsers } from "./support/browsers.js";
import { missedLinks } from "./support/missed-links.js";
import { recordingProxy } from "./support/recording-proxy.js";

const chromium = program("chromium");
const firefox = program("firefox-esr");
const skip = chromium.skip || firefox.skip;

/** The number of documents, and the first seed. */
const { LINKS_DOCUMENTS = 20, LINKS_SEED = 500_000 } = process.env;
const SEEDS = Array.from({ length: Number(LINKS_DOCUMENTS) }, (_, i) => Number(LINKS_SEED) + i);

describe("links that Chromium and Firefox see in HTML", {
  skip,
  timeout: Math.max(600_000, 1000 * SEEDS.length),
}, () => {
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

  test("findLinks finds them all", async () => {
    const { missed, compared } = await missedLinks(both, SEEDS);
    assert.deepEqual(missed, []);
    assert.ok(compared > 10 * SEEDS.length, `${compared} URLs compared`);
  });
});

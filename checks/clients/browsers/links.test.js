import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { program } from "../server/support/required-programs.js";
import { browsers } from "./support/browsers.js";
import { missedLinks } from "./support/missed-links.js";
import { recordingProxy } from "./support/recording-proxy.js";

const chromium = program("chromium");
const firefox = program("firefox-esr");
const skip = chromium.skip || firefox.skip;

/** `node browsers/links.js 2000` tries 2000 seeds. */
const SEEDS = Array.from({ length: 20 }, (_, seed) => 500_000 + seed);

describe("links that Chromium and Firefox see in HTML", { skip, timeout: 600_000 }, () => {
  let proxy;
  let both;
  before(async () => {
    proxy = await recordingProxy();
    both = await browsers({ chromium: chromium.path, firefox: firefox.path }, proxy);
  });
  after(async () => {
    await both?.close();
    proxy?.close();
  });

  test("findLinks finds them all", async () => {
    const { missed, compared } = await missedLinks(both, SEEDS);
    assert.deepEqual(missed, []);
    assert.ok(compared > 10 * SEEDS.length, `${compared} URLs compared`);
  });
});

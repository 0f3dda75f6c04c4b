import assert from "node:assert/strict";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { apiKey } from "../support/api-key.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { clamAv } from "./clamav.js";

const freshclam = program("freshclam");
const clamscan = program("clamscan");
const skip = freshclam.skip || clamscan.skip;

const HOUR = 3_600_000;

describe("ClamAV, with freshclam and clamscan", { skip, timeout: 600_000 }, () => {
  let server;
  let clam;
  const programs = { freshclam: freshclam.path, clamscan: clamscan.path };
  const start = (options) => clamAv({ ...programs, origin: server.origin, ...options });
  const publish = (...urls) => server.publish({ malware: urls });
  const update = async () => {
    const { status, output } = await clam.update();
    assert.equal(status, 0, output);
    return output;
  };

  before(async () => {
    server = await urlListServer();
    await publish("http://evil.test/", "http://mixed.test/kit/");
    const clock = join(server.folder, "clock");
    writeFileSync(clock, "0");
    process.env.CLOCK_SHIFT = clock;
    process.env.NODE_OPTIONS = `--import ${new URL("../support/shifted-clock.js", import.meta.url)}`;
    await server.start();
    delete process.env.NODE_OPTIONS;
    clam = start();
  });
  after(async () => {
    delete process.env.NODE_OPTIONS;
    clam?.stop();
    await server?.remove();
  });

  test("a message with a link to a listed URL is reported, one with a link to a sibling is not", async () => {
    assert.match(await update(), /malware\.gdb updated \(version: custom database, sigs: 2\)/);
    const urls = [
      "http://evil.test/",
      "https://deep.er.evil.test/any/page?x=1",
      "http://mixed.test/kit/a.html",
      "http://mixed.test/",
      "http://mixed.test/other/a.html",
      "http://good.test/",
      "http://notevil.test/",
    ];
    assert.deepEqual(await clam.blocks(urls), [true, true, true, false, false, false, false]);
  });

  test("links in plain text are reported, except https: links, which ClamAV does not extract", async () => {
    const urls = ["http://evil.test/", "ftp://evil.test/", "https://evil.test/"];
    assert.deepEqual(await clam.blocks(urls, "plain"), [true, true, false]);
    assert.deepEqual(await clam.blocks(urls, "html"), [true, true, true]);
  });

  test("a thousand messages take one run", async () => {
    const urls = Array.from(
      { length: 1000 },
      (_, i) => `http://${i % 2 ? "evil" : "good"}.test/${i}`,
    );
    assert.deepEqual(
      await clam.blocks(urls),
      urls.map((_, i) => i % 2 === 1),
    );
  });

  test("freshclam follows an addition and a removal", async () => {
    const urls = ["http://evil.test/", "http://new.test/", "http://mixed.test/kit/"];
    await publish("http://evil.test/", "http://new.test/", "http://mixed.test/kit/");
    assert.match(await update(), /updated .*sigs: 3/);
    assert.deepEqual(await clam.blocks(urls), [true, true, true]);
    await publish("http://new.test/", "http://mixed.test/kit/");
    assert.match(await update(), /updated .*sigs: 2/);
    assert.deepEqual(await clam.blocks(urls), [false, true, true]);
  });

  test("an hour after a list came, nothing is sent while it stays the same", async () => {
    const lastStatus = () => server.log.findLast(({ route }) => route === "export.gdb")?.status;
    const fetchedFirst = Math.floor(statSync(clam.database).mtimeMs / 1000) * 1000;
    // The clock moves two hours ahead; freshclam fetched the file after one and a half hours.
    writeFileSync(process.env.CLOCK_SHIFT, String(2 * HOUR));
    const fetched = new Date(fetchedFirst + 1.5 * HOUR);
    utimesSync(clam.database, fetched, fetched);
    assert.match(await update(), /malware\.gdb is up-to-date/);
    await waitFor("the answer 304 in the log", () => lastStatus() === 304);
    assert.equal(statSync(clam.database).mtimeMs, fetched.getTime());
    // A version that comes later is still fetched.
    await publish("http://later.test/");
    assert.match(await update(), /updated .*sigs: 1/);
    assert.deepEqual(await clam.blocks(["http://later.test/", "http://new.test/"]), [true, false]);
    writeFileSync(process.env.CLOCK_SHIFT, "0");
  });

  test("with the server gone, freshclam fails and keeps the list", async () => {
    const before = readFileSync(clam.database);
    await server.stop();
    const { status, output } = await clam.update();
    assert.notEqual(status, 0);
    assert.match(output, /Can't download malware\.gdb/);
    assert.deepEqual(readFileSync(clam.database), before);
    assert.deepEqual(await clam.blocks(["http://later.test/"]), [true]);
    await server.start();
  });

  test("a private list is fetched with its key as the password, and not without it", async () => {
    const keys = join(server.folder, "keys");
    const key = await apiKey(keys, "intranet");
    await server.publish({ intranet: ["http://inside.test/"] });
    await server.stop();
    await server.start("--keys", keys);
    const urls = ["http://inside.test/", "http://outside.test/"];
    const [opened, closed] = [start({ list: "intranet", key }), start({ list: "intranet" })];
    try {
      assert.equal((await opened.update()).status, 0);
      assert.deepEqual(await opened.blocks(urls), [true, false]);
      const { status, output } = await closed.update();
      assert.notEqual(status, 0);
      assert.match(output, /403/);
    } finally {
      opened.stop();
      closed.stop();
    }
  });

  test("after a withdrawal, nothing is reported", async () => {
    assert.deepEqual(await clam.blocks(["http://later.test/"]), [true]);
    await server.withdraw("malware");
    assert.match(await update(), /updated .*sigs: 0/);
    assert.deepEqual(await clam.blocks(["http://later.test/"]), [false]);
  });
});

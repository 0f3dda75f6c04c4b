import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { clamAv, databaseSite } from "./clamav.js";

const freshclam = program("freshclam");
const clamscan = program("clamscan");
const nginx = program("nginx");
const skip = freshclam.skip || clamscan.skip || nginx.skip;

describe("ClamAV, with freshclam and clamscan", { skip, timeout: 600_000 }, () => {
  let server;
  let site;
  let clam;
  const publish = (...urls) => server.publish({ malware: urls });
  const update = async () => {
    assert.equal(await site.write(), 0);
    const { status, output } = await clam.update();
    assert.equal(status, 0, output);
    return output;
  };

  before(async () => {
    server = await urlListServer();
    await publish("http://evil.test/", "http://mixed.test/kit/");
    site = await databaseSite({ nginx: nginx.path, store: join(server.folder, "lists") });
    const { origin } = site;
    clam = clamAv({ freshclam: freshclam.path, clamscan: clamscan.path, origin });
  });
  after(async () => {
    await site?.stop();
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

  test("freshclam follows an addition and a removal, and fetches nothing in between", async () => {
    const urls = ["http://evil.test/", "http://new.test/", "http://mixed.test/kit/"];
    await publish("http://evil.test/", "http://new.test/", "http://mixed.test/kit/");
    assert.match(await update(), /updated .*sigs: 3/);
    assert.deepEqual(await clam.blocks(urls), [true, true, true]);
    const { mtimeMs } = statSync(site.file);
    assert.match(await update(), /malware\.gdb is up-to-date/);
    assert.equal(statSync(site.file).mtimeMs, mtimeMs);
    await publish("http://new.test/", "http://mixed.test/kit/");
    assert.match(await update(), /updated .*sigs: 2/);
    assert.deepEqual(await clam.blocks(urls), [false, true, true]);
  });

  test("with the web server gone, the script and freshclam fail, and both files stay", async () => {
    const before = [site.file, clam.database].map((file) => readFileSync(file));
    await site.stop();
    assert.notEqual(await site.write(), 0);
    const { status, output } = await clam.update();
    assert.notEqual(status, 0);
    assert.match(output, /Can't download malware\.gdb/);
    assert.deepEqual(
      [site.file, clam.database].map((file) => readFileSync(file)),
      before,
    );
    assert.deepEqual(await clam.blocks(["http://new.test/"]), [true]);
    await site.start();
  });

  test("a list that is not signed by its publisher changes nothing", async () => {
    const before = readFileSync(site.file);
    await publish("http://new.test/", "http://newer.test/");
    const manifest = join(server.folder, "lists/lists/malware/v/000000000004");
    const note = readFileSync(manifest);
    writeFileSync(manifest, note.subarray(0, -2));
    assert.notEqual(await site.write(), 0);
    assert.deepEqual(readFileSync(site.file), before);
    writeFileSync(manifest, note);
    assert.equal(await site.write(), 0);
    assert.notDeepEqual(readFileSync(site.file), before);
  });

  test("after a withdrawal, nothing is reported", async () => {
    assert.deepEqual(await clam.blocks(["http://new.test/"]), [true]);
    await server.withdraw("malware");
    assert.match(await update(), /updated .*sigs: 0/);
    assert.deepEqual(await clam.blocks(["http://new.test/"]), [false]);
  });
});

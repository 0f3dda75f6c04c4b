import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { EdgeRuntime } from "edge-runtime";
import puppeteer from "puppeteer-core";
import { newFolder } from "../server/support/new-folder.js";
import { program } from "../server/support/required-programs.js";
import { urlListServer } from "../server/support/url-list-server.js";
import { bundle, kvNamespace, pageServer, startWorker } from "./support.js";

/* The packages in the runtimes where programs that check URLs run, against a real server. */

const run = promisify(execFile);
const bin = (name, file) =>
  createRequire(import.meta.url)
    .resolve(`${name}/package.json`)
    .replace("package.json", file);

const LISTED = ["unsafe", "unsafe", "unsafe", "safe"];
const EXPECTED = {
  canonical: "http://xn--pple-43d.test/b",
  urn: "isbn",
  local: [1, 1, 1, 0],
  prefixes: LISTED,
  urls: LISTED,
  updated: LISTED,
  stored: null,
  unreachable: Array(4).fill("server-unreachable"),
};

describe("a program with all parts", { timeout: 600_000 }, () => {
  let server;
  before(async () => {
    server = await urlListServer();
    await server.publish({ malware: ["http://evil.test/"] });
    await server.start();
  });
  after(async () => {
    await server?.remove();
  });

  for (const [name, command, ...args] of [
    ["Node.js", process.execPath],
    ["Bun", bin("bun", "bin/bun.exe"), "run"],
    ["Deno", bin("deno", "bin.cjs"), "run", "--allow-net", "--no-prompt", "--no-config"],
  ]) {
    test(`runs in ${name}`, async () => {
      const file = join(newFolder("runtimes"), "command.mjs");
      writeFileSync(file, await bundle("command.js"));
      const { stdout } = await run(command, [...args, file, server.origin]);
      assert.deepEqual(JSON.parse(stdout), EXPECTED);
    });
  }

  test("runs in edge-runtime", async () => {
    const runtime = new EdgeRuntime({ initialCode: await bundle("edge-handler.js", "iife") });
    const response = await runtime.dispatchFetch(
      `http://edge.test/?server=${encodeURIComponent(server.origin)}`,
    );
    assert.deepEqual(await response.json(), EXPECTED);
  });

  test("runs in Cloudflare's workerd, and keeps its list in KV", async () => {
    const kv = await kvNamespace();
    const code = await bundle("fetch-handler.js");
    const options = { server: server.origin, kv, binding: "LISTS" };
    const worker = await startWorker(code, options);
    try {
      assert.deepEqual(await (await fetch(worker.origin)).json(), EXPECTED);
      assert.deepEqual([...kv.values.keys()].sort(), ["list-mw-4b", "state"]);
      // The next request finds the list in the storage.
      assert.deepEqual(await (await fetch(worker.origin)).json(), { ...EXPECTED, stored: 1 });
    } finally {
      await worker.stop();
      await kv.close();
    }
  });

  const { path, skip } = program("chromium");
  test("runs on a page with a strict policy", { skip }, async () => {
    const page = await pageServer(await bundle("page.js"), server.origin);
    // The sandbox does not work for root, and CI runs as root.
    const browser = await puppeteer.launch({ executablePath: path, args: ["--no-sandbox"] });
    try {
      const tab = await browser.newPage();
      await tab.goto(page.origin);
      await tab.waitForFunction(() => document.body.textContent !== "");
      const text = await tab.evaluate(() => document.body.textContent);
      assert.deepEqual(JSON.parse(text), EXPECTED);
    } finally {
      await browser.close();
      await page.close();
    }
  });
});

describe("docs/examples/worker", { timeout: 600_000 }, () => {
  let server;
  let kv;
  let worker;
  before(async () => {
    kv = await kvNamespace();
    server = await urlListServer();
    await server.publish({ malware: ["http://evil.test/"] });
    await server.start();
    const code = await bundle("../../../docs/examples/worker/worker.js");
    worker = await startWorker(code, { server: server.origin, kv, binding: "LINKS" });
  });
  after(async () => {
    await worker?.stop();
    await kv?.close();
    await server?.remove();
  });

  const shorten = (url) => fetch(worker.origin, { method: "POST", body: url });

  test("shortens a URL, and redirects to it", async () => {
    const made = await shorten("https://good.test/a?b");
    assert.equal(made.status, 201);
    const link = (await made.text()).trim();
    const response = await fetch(link, { redirect: "manual" });
    assert.equal(response.status, 302);
    assert.equal(response.headers.get("location"), "https://good.test/a?b");
    assert.equal((await fetch(`${worker.origin}/nothing`)).status, 404);
  });

  test("refuses listed URLs, and what is not a URL", async () => {
    assert.equal((await shorten("http://www.evil.test/x")).status, 403);
    assert.equal((await shorten("http://evil.test\\@good.test/")).status, 403);
    assert.equal((await shorten("https://l.facebook.com/l.php?u=http://evil.test/")).status, 403);
    assert.equal((await shorten("javascript:alert(1)")).status, 400);
    assert.equal((await shorten("http://")).status, 400);
  });

  test("does not redirect to a URL that was listed later", async () => {
    kv.values.set("old-link", Buffer.from("http://evil.test/later"));
    const response = await fetch(`${worker.origin}/old-link`, { redirect: "manual" });
    assert.equal(response.status, 403);
  });

  test("neither shortens nor redirects when the server is gone", async () => {
    kv.values.set("link", Buffer.from("http://other.test/"));
    await server.stop();
    assert.equal((await shorten("http://new.test/")).status, 503);
    const response = await fetch(`${worker.origin}/link`, { redirect: "manual" });
    assert.equal(response.status, 503);
  });
});

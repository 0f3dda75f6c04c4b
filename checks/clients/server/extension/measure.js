// Measures the example for an extension with a large list: npm run extension -- 1000000
import { randomBytes } from "node:crypto";
import process from "node:process";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { buildExtension, chromiumWithExtension } from "./extension.js";

const RESTARTS = 20;
const [entries = 1_000_000] = process.argv.slice(2).map(Number);

/** Runs in a page of the extension. Returns how many milliseconds the service worker takes to answer. */
async function timeAnswer(url) {
  const start = performance.now();
  const { verdict } = await chrome.runtime.sendMessage({ url, frame: false });
  const time = performance.now() - start;
  if (verdict !== "safe") throw new Error(`the verdict is ${verdict}`);
  return time;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const ms = (numbers) =>
  `${median(numbers).toFixed(0)} ms (${Math.min(...numbers).toFixed(0)}–${Math.max(...numbers).toFixed(0)})`;

const server = await urlListServer();
const extension = buildExtension();
let browser;
try {
  const hashes = Array.from({ length: entries }, () => randomBytes(32).toString("hex"));
  await server.publish({ malware: hashes });
  await server.start();
  const path = program("chromium").path;
  browser = await chromiumWithExtension({ path, extension: extension.path });
  await browser.configure({ server: server.origin, lists: "mw-4b" }, /^mw-4b: \d{3,} entries$/);
  await server.stop();
  await browser.page.goto(`${browser.origin}/blocked.html?url=`);
  const first = [];
  const second = [];
  for (let i = 0; i < RESTARTS; i++) {
    await browser.stopWorker();
    first.push(await browser.page.evaluate(timeAnswer, "http://unlisted.example/first"));
    second.push(await browser.page.evaluate(timeAnswer, "http://unlisted.example/second"));
  }
  const { usedSize, backingStorageSize } = await browser.workerMemory();
  const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`${entries} entries, ${RESTARTS} restarts: median (least–most)
first verdict, with the start of the worker: ${ms(first)}
second verdict: ${ms(second)}
memory of the worker: ${mb(usedSize)} of objects, ${mb(backingStorageSize)} of arrays`);
} finally {
  await browser?.close();
  await server.remove();
  extension.remove();
}

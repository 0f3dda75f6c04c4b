// Searches for hosts that browsers open but `check` misses: `node browsers/search.js SPOOFS SEED [code-points]`.
import { appendFileSync } from "node:fs";
import process from "node:process";
import { program } from "../server/support/required-programs.js";
import { browsers } from "./support/browsers.js";
import { compareWithBrowsers } from "./support/compare-with-browsers.js";
import { spoofs, withCodePoint } from "./support/spoofs.js";

const [count = "300000", seed = "1", what = ""] = process.argv.slice(2);
const AT_ONCE = 40_000;

function* inputs() {
  if (what === "code-points")
    for (let code = 0; code < 0x110000; code++) yield* withCodePoint(code);
  const generator = spoofs(Number(seed));
  for (let i = 0; i < Number(count); i++) yield generator.next().value;
}

const both = await browsers({
  chromium: program("chromium").path,
  firefox: program("firefox-esr").path,
});
const total = { texts: 0, opened: 0, missed: 0, denied: 0, claimed: 0, errors: 0 };
const log = process.env.LOG;
async function take(texts) {
  const hosts = await both.hosts(texts);
  const result = compareWithBrowsers(texts, hosts);
  total.texts += texts.length;
  total.opened += hosts.filter((found) => found.length > 0).length;
  total.errors += result.errors;
  for (const kind of ["missed", "denied", "claimed"]) {
    total[kind] += result[kind].length;
    if (log)
      for (const each of result[kind])
        appendFileSync(log, `${JSON.stringify({ kind, ...each })}\n`);
  }
  process.stdout.write(`${JSON.stringify(total)}\n`);
}
let batch = [];
for (const text of inputs()) {
  batch.push(text);
  if (batch.length === AT_ONCE) {
    await take(batch);
    batch = [];
  }
}
if (batch.length > 0) await take(batch);
await both.close();
process.exitCode = total.missed > 0 ? 1 : 0;

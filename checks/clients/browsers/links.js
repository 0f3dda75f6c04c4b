// Searches for links in HTML that browsers see but `findLinks` misses: `node browsers/links.js COUNT FIRST-SEED`.
import process from "node:process";
import { program } from "../server/support/required-programs.js";
import { browsers } from "./support/browsers.js";
import { missedLinks } from "./support/missed-links.js";
import { recordingProxy } from "./support/recording-proxy.js";

const [count = "2000", first = "1"] = process.argv.slice(2);
const AT_ONCE = 50;

const proxy = await recordingProxy();
const both = await browsers(
  { chromium: program("chromium").path, firefox: program("firefox-esr").path },
  proxy,
);
let total = 0;
for (let done = 0; done < Number(count); done += AT_ONCE) {
  const length = Math.min(AT_ONCE, Number(count) - done);
  const seeds = Array.from({ length }, (_, seed) => Number(first) + done + seed);
  const { missed, compared } = await missedLinks(both, seeds);
  total += compared;
  for (const each of missed) process.stdout.write(`${JSON.stringify(each)}\n`);
  if (missed.length > 0) process.exitCode = 1;
  process.stdout.write(`${done + length} documents, ${total} URLs compared\n`);
}
await both.close();
proxy.close();

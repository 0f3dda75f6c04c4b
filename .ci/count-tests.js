// Adds up the summaries of vitest and of Node's test runner in a log, and prints "N passed, N failed".
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

const log = stripVTControlCharacters(readFileSync(process.argv[2], "utf8"));
let [passed, failed] = [0, 0];
// turbo writes the name of the task before a line such as "      Tests  1 failed | 207 passed (208)".
for (const [, summary] of log.matchAll(/^(?:\S+: )? *Tests {2}(.*\(\d+\))$/gm)) {
  passed += Number(/(\d+) passed/.exec(summary)?.[1] ?? 0);
  failed += Number(/(\d+) failed/.exec(summary)?.[1] ?? 0);
}
for (const [, outcome, count] of log.matchAll(/^(?:\u2139|#) (pass|fail) (\d+)$/gm)) {
  if (outcome === "pass") passed += Number(count);
  else failed += Number(count);
}
console.log(`${passed} passed, ${failed} failed`);

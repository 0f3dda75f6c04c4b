import { type CanonicalUrl, tryParseUrl } from "@x/canon";
import { expressions } from "@x/expressions";
import { sampleSize } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import { generateInput, seededRandom } from "../../canon/test/generate.ts";
import { oracle } from "./oracle.ts";

/** `CANON_LONG_RUN` is the number of inputs to compare, in millions. The default is lower. */
const MILLIONS = Number(process.env.CANON_LONG_RUN ?? 0);
const COUNT = MILLIONS > 0 ? MILLIONS * 1_000_000 : sampleSize(20_000);
const SEED = Number(process.env.CANON_SEED ?? 20_240_607);

test(`the package agrees with the oracle on ${COUNT} generated inputs`, { timeout: 0 }, () => {
  const random = seededRandom(SEED);
  const reached = new Map<string, number>();
  const count = (branch: string) => reached.set(branch, (reached.get(branch) ?? 0) + 1);
  for (let i = 0; i < COUNT; i++) {
    const url: CanonicalUrl | null = tryParseUrl(generateInput(random));
    if (url === null) continue;
    // A stand-in for the Public Suffix List that returns, for every other URL, up to four labels at the end.
    const labels = random(5);
    const options =
      random(2) === 0 ? {} : { registrableDomain: (host: string) => lastLabels(host, labels) };
    const actual = expressions(url, options);
    const expected = oracle(url, options.registrableDomain);
    if (actual.join("\n") !== expected.join("\n")) {
      expect({ url, actual }).toEqual({ url, actual: expected });
    }
    count(`${new Set(actual.map((expression) => expression.replace(/\/.*/s, ""))).size} hosts`);
    count(url.hostType);
    count(url.query === null ? "no query" : url.query === "" ? "empty query" : "query");
  }
  const branches = ["1 hosts", "2 hosts", "4 hosts", "5 hosts", "domain", "ipv4", "ipv6"];
  for (const branch of [...branches, "no query", "empty query", "query"]) {
    expect(reached.get(branch) ?? 0, branch).toBeGreaterThan(COUNT / 2000);
  }
});

function lastLabels(host: string, count: number): string | null {
  const labels = host.split(".");
  return count === 0 || labels.length < count ? null : labels.slice(-count).join(".");
}

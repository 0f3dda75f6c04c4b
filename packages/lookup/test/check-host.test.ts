import { CanonError } from "@x/canon";
import { exactExpression } from "@x/expressions";
import { type CheckerOptions, checker, type Match } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const hosts = [
  "evil.example",
  "b.evil.example",
  "xn--bcher-kva.example",
  "1.2.3.4",
  "[::1]",
  "a.b",
];
const entries = [...hosts, "good.example/page"].map((url) => fullHash(exactExpression(url)));
const list = prefixList(entries, { name: "l", created: 0 });
const { checkHost } = checker(list);

const told = ({ expression, hash, prefix, list, confirmed, by, reading }: Match) =>
  `${list.name}: ${expression} ${toHex(hash)} ${toHex(prefix)} ${confirmed} ${by} ${reading}`;

function outcome(run: () => readonly Match[]): string[] | string {
  try {
    return run().map(told);
  } catch (error) {
    expect(error).toBeInstanceOf(CanonError);
    return (error as CanonError).code;
  }
}

const label = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("evil", "a", "b", "www", "_dmarc", "-x-", "0x7f", "1") },
  fc.constantFrom(
    "bücher",
    "xn--bcher-kva",
    "xn--e1a",
    "BÜCHER",
    "xn--\u0301",
    "a\u00adb",
    "ＥＶＩＬ",
  ),
  fc.constantFrom("%65vil", "a b", "e\tvil", '"', "\ud800", "", "x".repeat(70), "*", "%", "\u2065"),
);
const ending = fc.constantFrom("evil.example", "eVil.exAmple", "bücher.example", "1.2.3.4", "b");
const dots = fc.constantFrom("", "", "", ".", "..", "。");
const host = fc.oneof(
  fc
    .tuple(fc.array(label, { maxLength: 7 }), ending, dots)
    .map(([labels, last, end]) => [...labels, last].join(".") + end),
  fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join(".")),
  fc.constantFrom("[::1]", "[0:0::1]", "0x1.2.3.4", "16909060", "good.example", ""),
);

const safe = prefixList([fullHash("b.evil.example/"), fullHash("xn--bcher-kva.example/")], {
  name: "s",
});
const prefixes = prefixList(
  entries.map((hash) => hash.subarray(0, 4)),
  { name: "p", created: 0 },
);
const variants: Readonly<Record<string, CheckerOptions>> = {
  "with WebAssembly": {},
  "in JavaScript": { engine: "javascript", bloomFilter: false },
  "as the specification reads it, with a safe list": { readings: "specification", safeLists: safe },
  "with registrable domains": {
    registrableDomain: (host) => host.split(".").slice(-3).join("."),
  },
};

test.each(Object.entries(variants))(
  "checkHost agrees with check for the URL http://HOST/ %s",
  (_, options) => {
    const seen = { listed: 0, clean: 0, refused: 0, plain: 0, parsed: 0 };
    // They do not share what a checker remembers.
    const { check } = checker([list, prefixes], options);
    const { checkHost, ...other } = checker([list, prefixes], options);
    fc.assert(
      fc.property(host, fc.boolean(), (host, isBetween) => {
        const url = `http://${host}/`;
        const expected = outcome(() => check(url));
        expect(outcome(() => checkHost(host))).toEqual(expected);
        if (isBetween) expect(outcome(() => other.check(url))).toEqual(expected);
        seen[/^[\w.-]+$/.test(host) ? "plain" : "parsed"]++;
        if (typeof expected === "string") seen.refused++;
        else seen[expected.length > 0 ? "listed" : "clean"]++;
      }),
      { seed: 20261129, numRuns: sampleSize(20_000) },
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(500));
  },
);

test("only entries for whole hosts match", () => {
  expect(checkHost("WWW.evil.example.").map(({ expression }) => expression)).toEqual([
    "evil.example/",
  ]);
  expect(checkHost("good.example")).toEqual([]);
});

test.each([
  "evil.example/",
  "user@evil.example",
  "evil.example:80",
  "[::1]:80",
  "good.example\\",
  "evil.example?",
  "evil.example#",
  "http://evil.example",
  ":",
])("%j is more than a host", (host) => {
  expect(outcome(() => checkHost(host))).toBe("host-invalid");
});

test("a host of another type is a TypeError", () => {
  for (const host of [undefined, null, 5, new Uint8Array(3), ["evil.example"]]) {
    expect(() => checkHost(host as never)).toThrow(TypeError);
  }
});

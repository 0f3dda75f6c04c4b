import { readFileSync } from "node:fs";
import { canonicalize, describeProblem, tryParseUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

interface Vector {
  readonly input: string;
  readonly error: string | null;
  readonly meant: string | null;
  readonly section: string;
}

const vectors: { readonly cases: readonly Vector[] } = JSON.parse(
  readFileSync(new URL("./vectors/possible-hosts.json", import.meta.url), "utf8"),
);
const encoder = new TextEncoder();

function isVerified(text: string): boolean {
  const bytes = encoder.encode(text);
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  return verifyCanonical(bytes, 0, bytes.length, spans);
}

const hintIn = (message: string) => /Did you mean "(.*)"\?$/u.exec(message)?.[1] ?? null;

describe.each(vectors.cases)("$input: $section", ({ input, error, meant }) => {
  test("as text, as bytes, and in its canonical form", () => {
    for (const url of [input, encoder.encode(input)]) {
      const { problem } = readUrl(url);
      expect(problem?.code ?? null).toBe(error);
      if (problem !== null) expect(hintIn(describeProblem(url, problem).message)).toBe(meant);
    }
    if (error !== null) expect(isVerified(canonicalize(input))).toBe(false);
  });

  test("the specification's reading stays as it is", () => {
    const { specification, problem } = readUrl(input, "specification");
    expect(problem).toBeNull();
    expect(specification).toEqual(tryParseUrl(input));
  });

  test("a URL that is suggested has no problem", () => {
    if (meant !== null) expect(readUrl(meant).problem).toBeNull();
  });
});

/** RFC 3986 §3.2.2: an IPv6 address needs brackets, and a port is a number. */
const SEVERAL_COLONS: readonly (readonly [input: string, meant: string | null])[] = [
  ["http://1::/", "http://[1::]/"],
  ["1::", "[1::]"],
  ["http://1234::?x", "http://[1234::]?x"],
  ["http://dead::/a", "http://[dead::]/a"],
  ["http://1:2:3:4:5:6:7:8/", "http://[1:2:3:4:5:6:7:8]/"],
  ["http://1.2.3.4::/", null],
  ["http://user@1::/", "http://[1::]/"],
];

test.each(SEVERAL_COLONS)("an address with several colons, but no brackets: %s", (input, meant) => {
  expect(tryParseUrl(input)).not.toBeNull();
  for (const url of [input, encoder.encode(input)]) {
    const { problem } = readUrl(url);
    expect(problem?.code).toBe("host-invalid");
    expect(hintIn(describeProblem(url, problem!).message)).toBe(meant);
  }
});

test.each(["http://1:2/", "http://user:pass:word@1.2.3.4/", "http://[1::]:80/", "1:2"])(
  "colons where they may be: %s",
  (input) => expect(readUrl(input).problem).toBeNull(),
);

test("letters outside ASCII change nothing about the URL that is suggested", () => {
  const unit = fc.constantFrom(
    "e",
    "l",
    ".",
    "-",
    "_",
    ":",
    "8",
    '"',
    "'",
    "(",
    "&quot;",
    " ",
    "@",
  );
  const host = fc.string({ unit, minLength: 1, maxLength: 12 });
  const seen = { meant: 0, none: 0 };
  const suggested = (url: string) =>
    hintIn(describeProblem(url, { code: "host-invalid", index: null }).message);
  fc.assert(
    fc.property(host, (ascii) => {
      const meant = suggested(`http://${ascii}/`);
      seen[meant === null ? "none" : "meant"]++;
      // In an IPv6 address, `e` is a digit.
      if (meant?.includes("[")) return;
      const other = (text: string) => text.replaceAll("e", "\u00e9");
      expect(suggested(other(`http://${ascii}/`))).toBe(meant === null ? null : other(meant));
    }),
    { seed: 19, numRuns: sampleSize(10_000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(50));
});

/** The rule of `docs/readings.md` for hosts of these characters, read label by label. */
function isPossible(host: string): boolean {
  const labels = host.split(".");
  const last = labels.pop()!;
  const isAddress =
    /^\d+$/.test(last) &&
    labels.length < 4 &&
    [...labels, last].every((label) => /^\d{1,2}$/.test(label));
  if (isAddress) return true;
  if (/^\d+$/.test(last) || !/^[a-z0-9_-]+$/.test(last)) return false;
  if (labels.length > 0 && /_|^-|-$/.test(last)) return false;
  return labels.every((label) =>
    [...label].every((character) => !`"'()<>,;=^{}|`.includes(character)),
  );
}

test("hosts of letters, digits and odd characters", () => {
  const label = fc.string({
    unit: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(..."ab1-_") },
      { weight: 1, arbitrary: fc.constantFrom(..."!$&+~*", ...`"'()<>,;=^{}|`) },
    ),
    minLength: 1,
    maxLength: 2,
  });
  const seen = { possible: 0, impossible: 0 };
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
      const host = labels.join(".");
      const expected = isPossible(host);
      seen[expected ? "possible" : "impossible"]++;
      expect([host, readUrl(`http://${host}/`).problem?.code]).toEqual([
        host,
        expected ? undefined : "host-invalid",
      ]);
    }),
    { seed: 20261127, numRuns: sampleSize(5000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(50));
});

test.each(["a", "-", ".", "a.", '"', " ", "é", ":", "&", "@", "xn--a."])(
  "takes linear time: %j repeated",
  (piece) => {
    const run = (text: string) => {
      const { problem } = readUrl(text);
      if (problem !== null) describeProblem(text, problem);
    };
    expectLinearGrowth(run, (length) => `http://evil.${piece.repeat(length)}"`, 2000);
  },
);

import { CanonError, type CanonicalUrl, parseUrl, tryParseUrl } from "@x/canon";
import { type Coverage, coverage, exactExpression, expressions } from "@x/expressions";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateInput, seededRandom } from "../../canon/test/generate.ts";
import vectors from "./vectors/coverage.json" with { type: "json" };

interface Vector {
  readonly input: string;
  readonly registrableDomain?: string;
  readonly expected: Coverage;
}

/** The registrable domain when the public suffixes are `suffix` and every single label. */
const domainBelow = (suffix: string) => (host: string) => {
  const labels = host.split(".");
  const count = host === suffix || host.endsWith(`.${suffix}`) ? suffix.split(".").length + 1 : 2;
  return labels.length < count ? null : labels.slice(-count).join(".");
};

describe(vectors.source, () => {
  test.each(vectors.cases as readonly Vector[])(
    "$input",
    ({ input, registrableDomain, expected }) => {
      const options =
        registrableDomain === undefined
          ? {}
          : { registrableDomain: domainBelow(registrableDomain) };
      expect(coverage(input, options)).toEqual(expected);
      expect(coverage(parseUrl(input), options)).toEqual(expected);
    },
  );
});

const label = fc.constantFrom("a", "b", "co", "uk", "xn--9ca");
const segment = fc.constantFrom("x", "y.z", "-", "index.html");
const manyParts = fc
  .record({
    labels: fc.array(label, { minLength: 1, maxLength: 8 }),
    segments: fc.array(segment, { maxLength: 6 }),
    end: fc.constantFrom("", "/"),
    query: fc.constantFrom("", "", "?", "?q"),
  })
  .map(({ labels, segments, end, query }) => {
    const path = segments.map((name) => `/${name}`).join("");
    return parseUrl(`http://${labels.join(".")}${path}${end}${query}`);
  });
const hostile = fc
  .nat(2 ** 31 - 1)
  .map((seed) => tryParseUrl(generateInput(seededRandom(seed))))
  .filter((url): url is CanonicalUrl => url !== null);

test("agrees with the expressions of the URLs below an entry", () => {
  const seen = { yes: 0, no: 0 };
  fc.assert(
    fc.property(
      fc.oneof(manyParts, hostile),
      fc.array(label, { minLength: 1, maxLength: 4 }),
      fc.array(segment, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(null, "", "q", "x", "/?a/"),
      fc.boolean(),
      (entry, labels, segments, query, byDomain) => {
        const options = byDomain ? { registrableDomain: domainBelow("co.uk") } : {};
        const expression = exactExpression(entry);
        const covers = (other: Partial<CanonicalUrl>) =>
          expressions({ ...entry, ...other }, options).includes(expression);
        const covered = coverage(entry, options);
        for (const value of Object.values(covered)) seen[value ? "yes" : "no"]++;

        expect(covers({ query: "other" })).toBe(covered.anyQuery);
        expect(covers({ path: `${entry.path}${segments.join("/")}`, query })).toBe(
          covered.pathsBelow,
        );
        const isName = entry.hostType === "domain" && !entry.host.startsWith("[");
        if (!isName) expect(covered.hostsBelow).toBe(false);
        // A host below a public suffix can itself be a public suffix, and is then not covered.
        else if (!byDomain) {
          expect(covers({ host: `${labels.join(".")}.${entry.host}` })).toBe(covered.hostsBelow);
        }
      },
    ),
    { seed: 20261122, numRuns: sampleSize(5000) },
  );
  expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(fewest(3000));
});

test("says which hosts are covered with the registrable domain too", () => {
  const registrableDomain = domainBelow("co.uk");
  const seen = { yes: 0, no: 0 };
  fc.assert(
    fc.property(manyParts, fc.array(label, { minLength: 1, maxLength: 3 }), (entry, labels) => {
      if (!/\.uk$/.test(entry.host) || entry.host === "uk") return;
      const host = `${labels.join(".")}.${entry.host}`;
      const all = expressions({ ...entry, host }, { registrableDomain });
      const { hostsBelow } = coverage(entry, { registrableDomain });
      seen[hostsBelow ? "yes" : "no"]++;
      expect(all.includes(exactExpression(entry))).toBe(hostsBelow);
    }),
    { seed: 20261122, numRuns: sampleSize(5000) },
  );
  expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(fewest(50));
});

test("throws the same errors as expressions", () => {
  expect(() => coverage("mailto:a@b.c")).toThrow(CanonError);
  expect(() => coverage(new URL("http://a.b/") as never)).toThrow(TypeError);
});

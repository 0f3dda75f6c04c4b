import { isPublicSuffix, isRegistrySuffix } from "@x/list-source/public-suffixes";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { parse } from "tldts";
import { expect, test } from "vitest";

test("a host is a public suffix if a rule of the list has exactly its labels", () => {
  const label = fc.constantFrom(
    ..."com uk co github io www evil ck kobe jp city kawasaki xn--p1ai 1 127 0 notatld amazonaws s3".split(
      " ",
    ),
  );
  const host = fc.oneof(
    fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join(".")),
    fc.constantFrom("[::1]", "1.2.3.4", "www.ck", "city.kobe.jp", "co.uk", "github.io", "a.ck"),
  );
  const seen = { suffix: 0, other: 0 };
  fc.assert(
    fc.property(host, (each) => {
      const found = parse(each, { allowPrivateDomains: true });
      const expected = found.publicSuffix === each && (found.isIcann || found.isPrivate) === true;
      expect(isPublicSuffix(each)).toBe(expected);
      expect(isRegistrySuffix(each)).toBe(expected && found.isIcann === true);
      seen[expected ? "suffix" : "other"]++;
    }),
    { seed: 51, numRuns: sampleSize(10_000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(1000));
});

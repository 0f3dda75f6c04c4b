import { createHash } from "node:crypto";
import { parseUrl } from "@x/canon";
import { expressions } from "@x/expressions";
import { urlHashes } from "@x/lookup";
import { toHex } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import webRisk from "./vectors/web-risk.json" with { type: "json" };

describe(webRisk.source, () => {
  test.each(webRisk.cases)("$input", ({ input, expected }) => {
    const hashes = urlHashes(input);
    expect(hashes.map(({ expression }) => expression)).toEqual(expected);
    for (const { expression, hash, prefix } of hashes) {
      const platform = createHash("sha256").update(expression).digest("hex");
      expect(toHex(hash)).toBe(platform);
      expect(toHex(prefix)).toBe(platform.slice(0, 8));
    }
  });
});

test("prefixes are as long as asked", () => {
  const [first] = urlHashes("a.b", { prefixBytes: 32 });
  expect(first?.prefix).toEqual(first?.hash);
  expect(() => urlHashes("a.b", { prefixBytes: 3 })).toThrow(RangeError);
});

test("a parsed URL is not parsed again", () => {
  const parsed = parseUrl("http://a.b.c/x");
  expect(urlHashes(parsed)).toEqual(urlHashes("http://a.b.c/x"));
  const made = { ...parsed, path: "/%41/../" } as const;
  expect(urlHashes(made)[0]?.expression).toBe("a.b.c/%41/../");
});

test("the v5 rule reaches the expressions", () => {
  const hosts = urlHashes("http://a.b.c.co.uk/", { registrableDomain: () => "c.co.uk" });
  expect(hosts.map(({ expression }) => expression)).toEqual(
    expressions("http://a.b.c.co.uk/", { registrableDomain: () => "c.co.uk" }),
  );
});

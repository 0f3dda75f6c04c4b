import { expressions } from "@x/expressions";
import { getDomain } from "tldts";
import { describe, expect, test } from "vitest";
import vectors from "./public-suffix-list.json" with { type: "json" };

const registrableDomain = (host: string) => getDomain(host, { allowPrivateDomains: true });

describe(vectors.source, () => {
  test.each(vectors.cases)("$input", ({ input, expected }) => {
    expect(expressions(input, { registrableDomain })).toEqual(expected);
  });
});

import { anyCharacter } from "@x/test-support/generated-text";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { INITIAL } from "../../../src/web/model/screens.ts";
import { type Link, readLink, writeLink } from "../../../src/web/model/share-link.ts";

const SEED = 20_260_102;

test("values that have not changed are not in the link", () => {
  const link: Link = { screen: "urn", values: INITIAL.urn, lists: null };
  expect(writeLink(link)).toEqual({ fragment: "#urn", omitted: [] });
});

test("a link is as readable as it can be", () => {
  const values = { ...INITIAL.url, u: "http://a.example/b?c=d&e#f +%41", bytes: 8 };
  const { fragment } = writeLink({
    screen: "url",
    values,
    lists: ["ab", "cd"],
  });
  expect(fragment).toBe("#url?u=http://a.example/b?c%3Dd%26e%23f%20%2B%2541&bytes=8&lists=ab,cd");
});

test("an older link to many URLs leads to the first screen", () => {
  expect(readLink("#many?u=a.example%0Ab.example&order=-url")).toMatchObject({
    screen: "url",
    values: { ...INITIAL.url, u: "a.example\nb.example" },
  });
});

test("a link chooses lists", () => {
  expect(readLink("#url?lists=ab,,cd,").lists).toEqual(["ab", "cd"]);
});

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", "&=", "a+b %", "#?", "\n\r\t\0"),
);

test("reading a link gives what was written", () => {
  const links = fc.record({
    screen: fc.constant("hashed" as const),
    values: fc.record({
      u: anyText,
      alg: fc.constantFrom("sha1" as const, "md5" as const, "x-sha256" as const),
      variant: fc.constantFrom("N" as const, "P" as const),
      frag: fc.boolean(),
      query: fc.boolean(),
      more: anyText,
    }),
    lists: fc.option(fc.array(fc.stringMatching(/^[0-9a-f]{16}$/), { minLength: 1 })),
  });
  fc.assert(
    fc.property(links, (link) => {
      const { fragment, omitted } = writeLink(link);
      expect(omitted).toEqual([]);
      // The browser keeps the fragment unchanged, because it contains nothing to escape.
      expect(fragment).toMatch(/^#[!-~]*$/);
      expect(new URL(`http://a.example/${fragment}`).hash).toBe(fragment);
      expect(readLink(fragment)).toEqual(link);
    }),
    { seed: SEED, numRuns: sampleSize(1000) },
  );
});

test("any fragment can be read", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        anyText.map((text) => `#url?u=${text}&bytes=${text}`),
      ),
      (text) => {
        const { screen, values } = readLink(text);
        expect(Object.keys(values)).toEqual(Object.keys(INITIAL[screen]));
      },
    ),
    { seed: SEED, numRuns: sampleSize(1000) },
  );
});

test("no list at all is not the built-in list", () => {
  const none: Link = { screen: "url", values: INITIAL.url, lists: [] };
  expect(readLink(writeLink(none).fragment).lists).toEqual([]);
  expect(readLink("#url").lists).toBeNull();
});

test.each(["x".repeat(20_000), "half \ud800 of a pair"])(
  "the page says what a link cannot carry",
  (u) => {
    const values = { ...INITIAL.url, u, bytes: 5 };
    const { fragment, omitted } = writeLink({
      screen: "url",
      values,
      lists: null,
    });
    expect([fragment, omitted]).toEqual(["#url?bytes=5", ["u"]]);
  },
);

import { anyCharacter } from "@x/test-support/generated-text";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { INITIAL } from "../../../src/web/model/screens.ts";
import { type Link, readLink, writeLink } from "../../../src/web/model/share-link.ts";
import { ROW_VERDICTS } from "../../../src/web/model/verdicts.ts";

const SEED = 20_260_102;

test("values that have not changed are not in the link", () => {
  const link: Link = { screen: "urn", values: INITIAL.urn };
  expect(writeLink(link)).toEqual({ fragment: "#urn", omitted: [] });
});

test("a link is as readable as it can be", () => {
  const values = { ...INITIAL.url, u: "http://a.example/b?c=d&e#f +%41", page: 8 };
  const { fragment } = writeLink({ screen: "url", values });
  expect(fragment).toBe("#url?u=http://a.example/b?c%3Dd%26e%23f%20%2B%2541&page=8");
});

test("an older link to many URLs leads to the first screen", () => {
  expect(readLink("#many?u=a.example%0Ab.example&order=-url")).toMatchObject({
    screen: "url",
    values: { ...INITIAL.url, u: "a.example\nb.example" },
  });
});

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", "&=", "a+b %", "#?", "\n\r\t\0"),
);

test("reading a link gives what was written", () => {
  const links = fc.record({
    screen: fc.constant("url" as const),
    values: fc.record({
      u: anyText,
      tab: fc.constantFrom("why" as const, "steps" as const, "lists" as const),
      show: fc.constantFrom("all" as const, ...ROW_VERDICTS),
      page: fc.integer({ min: 1, max: 999_999_999 }),
    }),
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
        anyText.map((text) => `#url?u=${text}&page=${text}`),
      ),
      (text) => {
        const { screen, values } = readLink(text);
        expect(Object.keys(values)).toEqual(Object.keys(INITIAL[screen]));
      },
    ),
    { seed: SEED, numRuns: sampleSize(1000) },
  );
});

test.each(["x".repeat(20_000), "half \ud800 of a pair"])(
  "the page says what a link cannot carry",
  (u) => {
    const values = { ...INITIAL.url, u, page: 5 };
    const { fragment, omitted } = writeLink({ screen: "url", values });
    expect([fragment, omitted]).toEqual(["#url?page=5", ["u"]]);
  },
);

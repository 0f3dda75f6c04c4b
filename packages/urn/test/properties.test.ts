import { anyCharacter } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import * as urn from "@x/urn";
import { ignoreCase, namespaceRules } from "@x/urn/namespaces";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markup, nearUrns, runningText, SEED, urns2141, urns8141 } from "./arbitraries.ts";
import { oracleFind } from "./find-oracle.ts";
import { oracleParse } from "./oracle.ts";

const { decodeNss, displayUrn, encodeNss, equivalentUrns, findUrns, formatUrn } = urn;
const { normalizeUrn, parseUrn, tryParseUrn } = urn;

const syntaxes = ["rfc2141", "rfc8141"] as const;
const syntax = fc.constantFrom(...syntaxes);
const run = { seed: SEED, numRuns: sampleSize(3000, 300) };

describe.each(syntaxes)("parsing under %s", (syntax) => {
  test("agrees with the grammar", { tags: "deep" }, () => {
    const seen = { valid: 0, components: 0, codes: new Set<string>() };
    fc.assert(
      fc.property(fc.oneof(nearUrns, urns2141, urns8141), (text) => {
        const parsed = tryParseUrn(text, { syntax });
        expect(parsed).toEqual(oracleParse(text, syntax));
        if (parsed === null) {
          try {
            parseUrn(text, { syntax });
          } catch (error) {
            seen.codes.add((error as urn.UrnError).code);
          }
        } else {
          seen.valid++;
          if (parsed.rComponent !== null && parsed.qComponent !== null) seen.components++;
        }
      }),
      run,
    );
    expect(seen.valid).toBeGreaterThan(fewest(300));
    expect(seen.codes.size).toBeGreaterThan(syntax === "rfc2141" ? 8 : 14);
    if (syntax === "rfc8141") expect(seen.components).toBeGreaterThan(fewest(100));
  });

  test("the index of an error is in the text", () => {
    fc.assert(
      fc.property(nearUrns, (text) => {
        try {
          parseUrn(text, { syntax });
        } catch (error) {
          const { index, input } = error as urn.UrnError;
          expect(input).toBe(text);
          expect(index).toBeGreaterThanOrEqual(0);
          expect(index).toBeLessThanOrEqual(text.length);
        }
      }),
      run,
    );
  });

  test("round trip", () => {
    const valid = syntax === "rfc2141" ? urns2141 : urns8141;
    let upper = 0;
    fc.assert(
      fc.property(valid, (text) => {
        const parsed = parseUrn(text, { syntax });
        if (!text.startsWith("urn:")) upper++;
        expect(formatUrn(parsed)).toBe(`urn${text.slice(3)}`);
        expect(formatUrn(parsed, { syntax })).toBe(`urn${text.slice(3)}`);
        expect(parseUrn(formatUrn(parsed), { syntax })).toEqual(parsed);
        const normal = normalizeUrn(parsed);
        expect(parseUrn(formatUrn(normal), { syntax })).toEqual(normal);
        expect(normalizeUrn(normal)).toEqual(normal);
      }),
      run,
    );
    expect(upper).toBeGreaterThan(fewest(100));
  });
});

describe("equivalence", () => {
  /**
   * Makes pairs that are often equivalent: a URN, and one with some letters in another case or without hyphens.
   */
  const variants = (text: string, seed: number) =>
    [...text]
      .map((character, i) => {
        const bits = seed >>> (i % 16);
        if ((bits & 1) === 0) return character;
        if (/^[a-z]$/.test(character)) return character.toUpperCase();
        if (/^[A-Z]$/.test(character)) return character.toLowerCase();
        return character === "-" && (bits & 2) !== 0 ? "" : character;
      })
      .join("");
  const triple = fc
    .tuple(urns2141, fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0xffff }))
    .map(([text, one, other]) => [text, variants(text, one), variants(text, other)] as const)
    .filter((texts) => texts.every((text) => urn.isUrn(text)));

  const namespaces = { ...namespaceRules, ab: ignoreCase };

  test.each([
    ["generic", undefined],
    ["with namespaces", namespaces],
  ])("%s: reflexive, symmetric, transitive", (_, rules) => {
    let equal = 0;
    let chains = 0;
    fc.assert(
      fc.property(triple, ([a, b, c]) => {
        const same = (x: string, y: string) => equivalentUrns(x, y, { namespaces: rules });
        expect(same(a, a)).toBe(true);
        expect(same(a, b)).toBe(same(b, a));
        const [keyA, keyB] = [a, b].map((text) => urn.canonicalKey(text, { namespaces: rules }));
        expect(keyA === keyB).toBe(same(a, b));
        if (same(a, b)) equal++;
        if (same(a, b) && same(b, c)) {
          chains++;
          expect(same(a, c)).toBe(true);
        }
      }),
      run,
    );
    expect(equal).toBeGreaterThan(fewest(50));
    expect(equal).toBeLessThan(2950);
    expect(chains).toBeGreaterThan(fewest(10));
  });

  test("is equality of normal forms, and namespaces only add to it", () => {
    const seen = { equal: 0, added: 0 };
    const nameOf = (text: string) => {
      const { nid, nss } = normalizeUrn(parseUrn(text));
      return `${nid}:${nss}`;
    };
    fc.assert(
      fc.property(triple, ([a, b]) => {
        const generic = equivalentUrns(a, b);
        expect(generic).toBe(nameOf(a) === nameOf(b));
        expect(equivalentUrns(parseUrn(a), parseUrn(b))).toBe(generic);
        const extended = equivalentUrns(a, b, { namespaces });
        if (generic) {
          seen.equal++;
          expect(extended).toBe(true);
        } else if (extended) {
          seen.added++;
        }
      }),
      run,
    );
    expect(seen.equal).toBeGreaterThan(fewest(50));
    expect(seen.added).toBeGreaterThan(fewest(50));
  });

  test("under every rule, URNs that are equivalent without it stay equivalent", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(namespaceRules)), urns2141, (nid, text) => {
        const a = `urn:${nid}:${parseUrn(text).nss}`;
        const b = `URN:${nid.toUpperCase()}:${normalizeUrn(parseUrn(text)).nss}`;
        expect(equivalentUrns(a, b, { namespaces: namespaceRules })).toBe(true);
        const once = namespaceRules[nid]!(normalizeUrn(parseUrn(a)).nss);
        expect(namespaceRules[nid]!(once)).toBe(once);
      }),
      run,
    );
  });
});

describe("encoding", () => {
  test.each(syntaxes)("decodeNss undoes encodeNss under %s", (syntax) => {
    let escaped = 0;
    const name = fc.string({ unit: anyCharacter, minLength: 1 });
    fc.assert(
      fc.property(name, fc.string(), (name, special) => {
        fc.pre(syntax === "rfc8141" || !name.includes("\0"));
        const nss = encodeNss(name, { syntax, special });
        if (nss !== name) escaped++;
        expect(parseUrn(`urn:example:${nss}`, { syntax }).nss).toBe(nss);
        expect(decodeNss(nss, { syntax })).toBe(name);
      }),
      run,
    );
    expect(escaped).toBeGreaterThan(fewest(500));
  });

  test("decodeNss agrees with the platform's UTF-8", () => {
    const seen = { decoded: 0, refused: 0 };
    const bytes = fc.array(
      fc.oneof(
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom(
          ...[0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0xf4, 0x90],
        ),
      ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(bytes, (bytes) => {
        const nss = bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
        let expected: string | null = null;
        try {
          expected = decodeURIComponent(nss);
        } catch {}
        let actual: string | null = null;
        try {
          actual = decodeNss(nss);
        } catch (error) {
          expect((error as urn.UrnError).code).toBe("escapes-not-utf8");
        }
        expect(actual).toBe(expected);
        seen[actual === null ? "refused" : "decoded"]++;
      }),
      { seed: SEED, numRuns: sampleSize(20_000) },
    );
    expect(seen.decoded).toBeGreaterThan(fewest(500));
    expect(seen.refused).toBeGreaterThan(fewest(500));
  });
});

describe("display", () => {
  test("encoding the readable form again gives the canonical one", () => {
    let decoded = 0;
    const letters = "éüñçabcприветнауβγδλ日本語한국कखग0-,:";
    const name = fc.oneof(
      fc.string({ unit: fc.constantFrom(...letters), minLength: 1 }),
      fc.string({ unit: anyCharacter, minLength: 1 }),
    );
    fc.assert(
      fc.property(name, (name) => {
        fc.pre(!name.includes("\0"));
        const text = `urn:example:${encodeNss(name)}`;
        const { canonical, readable } = displayUrn(text);
        expect(canonical).toBe(text);
        if (readable !== canonical) decoded++;
        const again = readable.replace(/[^\0-\x7f]+/g, (part) => encodeURIComponent(part));
        expect(again).toBe(canonical);

        expect(readable.replace(/[\0-\x7f]/g, "")).not.toMatch(/[\p{C}\p{Z}\p{P}\p{S}]/u);
      }),
      run,
    );
    expect(decoded).toBeGreaterThan(fewest(300));
  });

  test("different URNs never have the same readable form", () => {
    const shown = new Map<string, string>();
    fc.assert(
      fc.property(urns2141, (text) => {
        const { canonical, readable } = displayUrn(text);
        expect(shown.get(readable) ?? canonical).toBe(canonical);
        shown.set(readable, canonical);
      }),
      run,
    );
    expect(shown.size).toBeGreaterThan(fewest(1000));
  });
});

describe("finding", () => {
  const trimming = fc.record({ syntax, trimDelimiters: fc.boolean() });

  test.each(syntaxes)(
    "agrees with the rules at each index under %s",
    { tags: "deep" },
    (syntax) => {
      const seen = { found: 0, several: 0, trimmed: 0 };
      fc.assert(
        fc.property(fc.oneof(runningText, markup), fc.boolean(), (text, trimDelimiters) => {
          const options = { syntax, trimDelimiters };
          const found = findUrns(text, options);
          const places = found.map(({ start, end }) => [start, end]);
          expect(places).toEqual(oracleFind(text, options));
          for (const { urn, start, end } of found) {
            expect(formatUrn(urn, { syntax })).toBe(`urn${text.slice(start + 3, end)}`);
          }
          if (found.length > 0) seen.found++;
          if (found.length > 1) seen.several++;
          if (trimDelimiters && places.join() !== oracleFind(text, { syntax }).join())
            seen.trimmed++;
        }),
        { seed: SEED, numRuns: sampleSize(1500, 300) },
      );
      expect(seen.found).toBeGreaterThan(fewest(300));
      expect(seen.several).toBeGreaterThan(fewest(60));
      expect(seen.trimmed).toBeGreaterThan(fewest(30));
    },
  );

  test("no URN between characters that it cannot contain is missed", () => {
    const between = fc.constantFrom(...' \n\t\r\0"<>[]^`{|}\\\u007fé日\u{1f600}'.split(/(?:)/u));
    const own = (syntax: urn.UrnSyntax) => (syntax === "rfc2141" ? urns2141 : urns8141);
    fc.assert(
      fc.property(
        trimming.chain((options) => fc.tuple(fc.constant(options), own(options.syntax))),
        fc.tuple(runningText, between, between, runningText),
        ([options, text], [before, opening, closing, after]) => {
          fc.pre(!/&\w+;/.test(text));
          const [start, end] = [
            before.length + opening.length,
            before.length + opening.length + text.length,
          ];
          const found = findUrns(before + opening + text + closing + after, options);
          expect(found).toContainEqual({
            urn: parseUrn(text, options),
            start,
            end,
            isCut: expect.any(Boolean),
          });
        },
      ),
      run,
    );
  });

  test("trimming only shortens URNs, and leaves no punctuation at the end", () => {
    let shortened = 0;
    fc.assert(
      fc.property(fc.oneof(runningText, markup), syntax, (text, syntax) => {
        const found = findUrns(text, { syntax, trimDelimiters: true });
        const trimmed = findUrns(text, { syntax, trimPunctuation: true });
        const ends = new Map(found.map(({ start, end }) => [start, end]));
        for (const { urn, start, end } of trimmed) {
          const written = text.slice(start, end);
          expect(formatUrn(urn, { syntax })).toBe(`urn${written.slice(3)}`);
          expect(end).toBeLessThanOrEqual(ends.get(start)!);
          expect(written).not.toMatch(/[.,;:!?']$/);
          const count = (bracket: string) => written.split(bracket).length;
          if (written.endsWith(")")) expect(count(")")).toBeLessThanOrEqual(count("("));
          if (end < ends.get(start)!) shortened++;
        }
      }),
      run,
    );
    expect(shortened).toBeGreaterThan(fewest(100));
  });
});

test("any text and options throw nothing but UrnError", () => {
  const seen = { errors: 0, results: 0 };
  const functions: ((text: string, options: urn.UrnSyntaxOptions) => unknown)[] = [
    parseUrn,
    tryParseUrn,
    urn.isUrn,
    encodeNss,
    decodeNss,
    displayUrn,
    (text, options) => findUrns(text, { ...options, trimPunctuation: true }),
    (text, options) => equivalentUrns(text, text, { ...options, namespaces: namespaceRules }),
  ];
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    nearUrns,
    runningText,
  );
  fc.assert(
    fc.property(text, fc.constantFrom(...functions), syntax, (text, run, syntax) => {
      try {
        run(text, { syntax });
        seen.results++;
      } catch (error) {
        expect(error).toBeInstanceOf(urn.UrnError);
        seen.errors++;
      }
    }),
    { seed: SEED, numRuns: sampleSize(10_000) },
  );
  expect(seen.errors).toBeGreaterThan(fewest(1000));
  expect(seen.results).toBeGreaterThan(fewest(1000));
});

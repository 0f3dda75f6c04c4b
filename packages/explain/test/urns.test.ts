import { readFileSync } from "node:fs";
import { compareUrns, explainUrn, type UrnExplanation, type UrnPartName } from "@x/explain";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import { displayUrn, equivalentUrns, formatUrn, normalizeUrn, tryParseUrn } from "@x/urn";
import { checkNamespace, namespaceRules } from "@x/urn/namespaces";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const SYNTAXES = ["rfc2141", "rfc8141"] as const;

const part = fc.constantFrom(
  ..."urn: URN: uRn: isbn: ISBN: example: foo: 0-395-36341-1 0395363411 a A %2c %2C / ?+r ?=q #f é".split(
    " ",
  ),
);
const text = fc
  .array(part, { maxLength: 4 })
  .map((parts) => parts.join(""))
  .chain((rest) => fc.constantFrom(rest, `urn:example:${rest}`, `urn:isbn:${rest}`));

test("an explanation says what @x/urn says, and offsets show the parts", () => {
  const seen = { urn: 0, refused: 0, components: 0, problems: 0 };
  fc.assert(
    fc.property(text, fc.constantFrom(...SYNTAXES), (urn, syntax) => {
      const explained = explainUrn(urn, { syntax });
      expect(JSON.parse(JSON.stringify(explained))).toEqual(explained);
      expect(explainUrn(new TextEncoder().encode(urn), { syntax })).toEqual(explained);
      const parsed = tryParseUrn(urn, { syntax });
      if (parsed === null || "error" in explained) {
        expect("error" in explained).toBe(parsed === null);
        seen.refused++;
        return;
      }
      seen.urn++;
      if (parsed.fComponent !== null || parsed.qComponent !== null) seen.components++;
      if (explained.namespaceProblems.length > 0) seen.problems++;
      expect(explained).toMatchObject({
        ...parsed,
        normalized: formatUrn(normalizeUrn(parsed), { syntax }),
        readable: displayUrn(parsed, { syntax }).readable,
        namespaceProblems: checkNamespace(parsed),
      });
      for (const [name, span] of Object.entries(explained.offsets)) {
        const expected = parsed[name as UrnPartName];
        expect(span === null ? null : urn.slice(...span)).toBe(expected);
      }
    }),
    { seed: 5, numRuns: sampleSize(3000) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(fewest(50));
});

test("notes name what is unusual about a URN", () => {
  expect(explainUrn("urn:isbn:0-395-36341-2")).toMatchObject({
    notes: [expect.stringMatching(/^namespace "isbn": .*[^.] \(RFC 3187 §5\)$/)],
  });
  const uuid = "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6#x";
  const { notes } = explainUrn(uuid) as UrnExplanation;
  expect(notes[0]).toMatch(/^namespace "uuid": .* \(RFC 9562 §4\); RFC 8141 allows it$/);
  expect(explainUrn(uuid, { syntax: "rfc8141" })).toMatchObject({ notes: [] });
  expect(explainUrn("urn:foo:a/b")).toMatchObject({
    usesReservedCharacters: true,
    notes: ['"/", "?" and "#" are reserved and should not be used yet (RFC 2141 §2.3.2)'],
  });
  expect(explainUrn("urn:foo:a?=q#f")).toMatchObject({
    notes: [
      expect.stringContaining("are reserved"),
      'RFC 8141 reads "?=q#f" as components, which are not part of the name (RFC 8141 §2.3)',
    ],
  });
  for (const urn of ["urn:foo:a/b", "urn:foo:a?=q#f"]) {
    expect(explainUrn(urn, { syntax: "rfc8141" })).toMatchObject({ notes: [] });
  }
});

test("a refusal says when RFC 8141 allows the text", () => {
  expect(explainUrn("urn:foo:a~b")).toMatchObject({
    error: { code: "nss-character", index: 9, allowedBy: "rfc8141" },
  });
  expect(explainUrn("urn:foo:a b")).not.toHaveProperty("error.allowedBy");
  expect(explainUrn(Uint8Array.of(0xff))).toMatchObject({ error: { code: "not-utf8" } });
});

/** Two spellings that are often the same URN. */
const pair = fc
  .tuple(fc.constantFrom("isbn", "example"), fc.array(part, { minLength: 2, maxLength: 4 }))
  .chain(([nid, parts]) => {
    const name = parts.join("").replaceAll(":", "");
    const spelling = fc.constantFrom(
      `urn:${nid}:${name}`,
      `URN:${nid.toUpperCase()}:${name.replaceAll("%2c", "%2C")}`,
      `urn:${nid}:0395363411`,
      `urn:${nid}:0-395-36341-1`,
    );
    return fc.tuple(spelling, spelling);
  });

test("a comparison agrees with equivalentUrns, in both orders", () => {
  const seen = { equal: 0, "equal-in-namespace": 0, different: 0, unknown: 0 };
  fc.assert(
    fc.property(
      fc.oneof(pair, fc.tuple(text, text)),
      fc.constantFrom(...SYNTAXES),
      ([a, b], syntax) => {
        const { verdict, rule, compared } = compareUrns(a, b, { syntax });
        seen[verdict]++;
        expect(compareUrns(b, a, { syntax }).verdict).toBe(verdict);
        expect(rule).toMatch(/\.$/);
        if (tryParseUrn(a, { syntax }) === null || tryParseUrn(b, { syntax }) === null) {
          expect([verdict, compared]).toEqual(["unknown", null]);
          return;
        }
        const isEqual = equivalentUrns(a, b, { syntax });
        const isEqualInNamespace = equivalentUrns(a, b, { syntax, namespaces: namespaceRules });
        const expected = isEqual
          ? "equal"
          : isEqualInNamespace
            ? "equal-in-namespace"
            : "different";
        expect(verdict).toBe(expected);
        expect(compared![0] === compared![1]).toBe(verdict !== "different");
      },
    ),
    { seed: 6, numRuns: sampleSize(4000) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(fewest(20));
});

interface Vector {
  readonly a: string;
  readonly b: string;
  readonly syntax?: (typeof SYNTAXES)[number];
  readonly verdict: string;
  readonly rule: string;
  readonly compared: readonly [string, string] | null;
}

describe("the rule that decides", () => {
  const file = new URL("vectors/compare-urns.json", import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Vector[] };
  test.each(cases)("$a and $b", ({ a, b, syntax = "rfc2141", ...expected }) => {
    expect(compareUrns(a, b, { syntax })).toMatchObject(expected);
  });
});

test("both inputs are in the record, also those that are not URNs", () => {
  expect(compareUrns("URN:a:b", Uint8Array.of(0x61, 0xff)).urns).toEqual([
    { urn: "URN:a:b", normalized: "urn:a:b" },
    { urn: "a\ufffd", bytes: "61ff", error: expect.objectContaining({ code: "not-utf8" }) },
  ]);
});

test.each([
  ["urn:example:%41bc", '"%41" escapes "A", which must not be escaped (RFC 2141 §2.3.1)'],
  [
    "urn:example:a%2cb",
    '"%2c" escapes ",", which must not be escaped, unless it has a special meaning in the namespace "example" (RFC 2141 §2.3.1)',
  ],
  ["urn:example:%C3%BC%7e%25%2F", null],
])("%s: a note about a needless escape", (urn, note) => {
  expect(explainUrn(urn)).toMatchObject({ notes: note === null ? [] : [note] });
  expect(explainUrn(urn, { syntax: "rfc8141" })).toMatchObject({ notes: [] });
});

import { fewest, sampleSize } from "@x/test-support/sample-size";
import { canonicalKey, equivalentUrns, isUrn, parseUrn } from "@x/urn";
import { checkNamespace, namespaceChecks, namespaceRules } from "@x/urn/namespaces";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SEED } from "./arbitraries.ts";
import { germanCheckDigit, NAMES } from "./names.ts";

const run = { seed: SEED, numRuns: sampleSize(1000) };
const BASES = ["namespace", "rfc8141", "rfc2141", "exact"] as const;

/**
 * Other spellings of a URN, which are often the same name. Some letters are in the other case, and some hyphens are
 * left out.
 */
const spelledAgain = (urn: string) =>
  fc
    .array(fc.integer({ min: 0, max: 3 }), { minLength: urn.length, maxLength: urn.length })
    .map((changes) =>
      [...urn]
        .map((character, i) => {
          if (changes[i] !== 0) return character;
          if (character === "-") return "";
          const upper = character.toUpperCase();
          return character === upper ? character.toLowerCase() : upper;
        })
        .join(""),
    );

const three = (names: fc.Arbitrary<string>, nid: string) =>
  names
    .chain((name) => {
      const urn = `urn:${nid}:${name}%c3`;
      const components = fc.constantFrom("", "", "#f", "?=q");
      const one = fc
        .tuple(
          fc.oneof(
            fc.constant(`urn:${nid}:${name}`),
            spelledAgain(`urn:${nid}:${name}`),
            spelledAgain(urn),
          ),
          components,
        )
        .map((parts) => parts.join(""));
      return fc.tuple(one, one, one);
    })
    .filter((urns) => urns.every((urn) => isUrn(urn, { syntax: "rfc8141" })));

describe.each(Object.entries(NAMES))("%s", (nid, names) => {
  test("a name that follows the document breaks no rule", () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(namespaceChecks[nid]!(name)).toEqual([]);
        expect(checkNamespace(`URN:${nid.toUpperCase()}:${name}`)).toEqual([]);
      }),
      run,
    );
  });

  test.each(BASES)("comparing by %s is an equivalence relation, and the key is its key", (by) => {
    const seen = { equal: 0, different: 0 };
    fc.assert(
      fc.property(three(names, nid), (urns) => {
        const options = { by, syntax: "rfc8141", namespaces: namespaceRules } as const;
        const keys = urns.map((urn) => canonicalKey(urn, options));
        for (const [i, a] of urns.entries()) {
          for (const [j, b] of urns.entries()) {
            const isEqual = equivalentUrns(a, b, options);
            // Equality of keys is an equivalence relation, so the comparison is one too if it always agrees with the
            // keys.
            expect(isEqual).toBe(keys[i] === keys[j]);
            if (i < j) seen[isEqual ? "equal" : "different"]++;
            if (by === "exact") continue;
            const [urnA, urnB] = [parseUrn(a, options), parseUrn(b, options)];
            expect(equivalentUrns(urnA, urnB, options)).toBe(isEqual);
            expect(canonicalKey(urnA, options)).toBe(keys[i]);
          }
        }
      }),
      run,
    );
    expect(seen.equal).toBeGreaterThan(fewest(20));
    expect(seen.different).toBeGreaterThan(fewest(20));
  });
});

test("the check digit of a long German name is exact", () => {
  for (const last of "0123456789abde") {
    const name = `de:1-${"9x".repeat(1000)}${last}`;
    const found = "0123456789"
      .split("")
      .filter((digit) => namespaceChecks["nbn"]!(name + digit).length === 0);
    expect(found).toEqual([String(germanCheckDigit(`urn:nbn:${name}`))]);
  }
});

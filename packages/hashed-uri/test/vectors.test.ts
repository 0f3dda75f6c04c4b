import { createHash } from "node:crypto";
import {
  formatHashedUri,
  type HashUriOptions,
  hashUri,
  type MatchOptions,
  matchesHashedUri,
  parseHashedUri,
  tryParseHashedUri,
} from "@x/hashed-uri";
import { describe, expect, test } from "vitest";
import canonicalFormVectors from "./vectors/canonical-form.json" with { type: "json" };
import exampleVectors from "./vectors/examples.json" with { type: "json" };
import matchVectors from "./vectors/match.json" with { type: "json" };
import parseVectors from "./vectors/parse.json" with { type: "json" };

const ownError = (fields: object) => expect.objectContaining({ name: "HashedUriError", ...fields });

/** The hashed URI, made with the platform's own hash function. */
function byPlatform(algorithm: string, text: string, flags: string): string {
  return `hashed:${algorithm}=${createHash(algorithm).update(text, "utf8").digest("hex")}${flags}`;
}

test.each(exampleVectors.cases)("$section: $input.uri $input.options", ({ input, expected }) => {
  expect(hashUri(input.uri, input.options)).toBe(expected);
  expect(matchesHashedUri(expected, input.uri)).toBe(true);
});

describe("parseHashedUri", () => {
  test.each(parseVectors.cases)("$section: $input", ({ input, expected, error, index }) => {
    if (expected === undefined) {
      expect(() => parseHashedUri(input)).toThrow(ownError({ code: error, index, input }));
      expect(tryParseHashedUri(input)).toBeNull();
    } else {
      expect(parseHashedUri(input)).toEqual(expected);
      expect(tryParseHashedUri(input)).toEqual(expected);
      if (/^(?:sha1|md5|x-.*)$/.test(expected.algorithm)) {
        expect(parseHashedUri(formatHashedUri(expected))).toEqual(expected);
      }
    }
  });
});

describe("hashUri", () => {
  interface Case {
    readonly input: { readonly uri: string; readonly options: HashUriOptions };
    readonly expected?: { readonly text: string; readonly flags: string };
    readonly error?: string;
  }
  test.each(canonicalFormVectors.cases as readonly Case[])(
    "$section: $input.uri $input.options",
    ({ input: { uri, options }, expected, error }) => {
      if (expected === undefined) {
        expect(() => hashUri(uri, options)).toThrow(ownError({ code: error }));
        return;
      }
      for (const algorithm of ["sha1", "md5"]) {
        const hashed = byPlatform(algorithm, expected.text, expected.flags);
        expect(hashUri(uri, { ...options, algorithm })).toBe(hashed);
      }
      const sha256 = byPlatform("sha256", expected.text, expected.flags);
      const hashed = hashUri(uri, { ...options, algorithm: "x-sha256" });
      expect(hashed).toBe(sha256.replace("sha256", "x-sha256"));
    },
  );
});

describe("matchesHashedUri", () => {
  test.each(matchVectors.cases)(
    "$section: $input",
    ({ input: { text, flags, uri, options }, expected }) => {
      for (const algorithm of ["sha1", "md5"]) {
        const hashed = byPlatform(algorithm, text, flags);
        expect(matchesHashedUri(hashed, uri, options as MatchOptions)).toBe(expected);
      }
    },
  );
});

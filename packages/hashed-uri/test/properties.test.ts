import { createHash } from "node:crypto";
import {
  equalHashedUris,
  formatHashedUri,
  type HashedUri,
  hashedUriMatcher,
  hashUri,
  matchesHashedUri,
  parseHashedUri,
  tryParseHashedUri,
} from "@x/hashed-uri";
import { anyCharacter } from "@x/test-support/generated-text";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const seed = 2002_09_17;
const runs = { seed, numRuns: sampleSize(3000, 300) };

/** A small set of URIs, many of them alike. */
const uri = fc
  .record({
    start: fc.constantFrom(
      ...["http://h", "HTTP://H:080", "https://h", "http://h", "file://", "mailto:a", "urn:a:b"],
    ),
    path: fc.constantFrom("", "/", "/a", "/A", "/%61", "/index.html", "/x.html", "/%69ndex.htm"),
    query: fc.constantFrom("", "", "?", "?q", "?%71", "?Q"),
    fragment: fc.constantFrom("", "", "#", "#f", "#?q"),
  })
  .map((u) => `${u.start}${u.path}${u.query}${u.fragment}`);
const keep = fc.record({ keepFragment: fc.boolean(), keepQuery: fc.boolean() });
const variant = fc.constantFrom("N" as const, "P" as const);
const algorithm = fc.constantFrom("sha1", "md5", "x-sha256");

const hashedUri: fc.Arbitrary<HashedUri> = fc.record({
  algorithm: fc.oneof(
    algorithm,
    fc.string({ unit: fc.constantFrom(..."abz019.-"), minLength: 1, maxLength: 8 }),
  ),
  value: fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 1, maxLength: 70 }),
  fragment: fc.boolean(),
  query: fc.boolean(),
});

/** The same hashed URI in any case, and with its flags in any order and number. */
const spelling = fc.tuple(hashedUri, fc.infiniteStream(fc.nat(3))).map(([hashed, choices]) => {
  const choice = () => choices.next().value as number;
  const flags = [hashed.fragment ? "+frag" : "", hashed.query ? "+query" : ""];
  if (choice() > 1) flags.reverse();
  for (let i = choice(); i > 0; i--) flags.push(flags[choice() % 2]!);
  const text = `hashed:${hashed.algorithm}=${hashed.value}${flags.join("")}`;
  return [hashed, [...text].map((c) => (choice() > 1 ? c.toUpperCase() : c)).join("")] as const;
});

const anything = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((c) => String.fromCharCode(c)) }),
  fc
    .array(
      fc.constantFrom(
        ...[
          "hashed:",
          "md5",
          "=",
          "0",
          "g",
          "+frag",
          "+query",
          "ni://",
          "/sha-256;",
          "A",
          "\ud800",
        ],
        ...["http:", "//", "/", "h", "%", "41", ":", "@", "?", "#", "[", "]", "..", "urn:", " "],
      ),
      { maxLength: 10 },
    )
    .map((parts) => parts.join("")),
  uri,
);

describe("the text of a hashed URI", () => {
  test("format and parse are inverse, and all spellings parse to the same record", () => {
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(spelling, ([hashed, text]) => {
        expect(parseHashedUri(text)).toEqual(hashed);
        expect(equalHashedUris(text, hashed)).toBe(true);
        expect(hashUri(text)).toBe(hashUri(text.toLowerCase()));
        // §4.2: other algorithms are read, but not written.
        const isAllowed = /^(?:sha1|md5|x-.*)$/.test(hashed.algorithm);
        seen[isAllowed ? "yes" : "no"]++;
        if (!isAllowed) {
          expect(() => formatHashedUri(hashed)).toThrow("§4.2");
          return;
        }
        expect(parseHashedUri(formatHashedUri(hashed))).toEqual(hashed);
        expect(formatHashedUri(parseHashedUri(text))).toBe(formatHashedUri(hashed));
      }),
      runs,
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(500));
  });

  test("a text parses if and only if the grammar allows it", () => {
    const seen = { yes: 0, no: 0 };
    const grammar = /^hashed:[a-z0-9.-]+=[0-9a-f]+(\+frag|\+query)*$/i;
    const text = fc.oneof(
      anything,
      fc
        .tuple(spelling, fc.nat(40), fc.constantFrom("", "+", "=", " ", "g", ":"))
        .map(([[, text], at, inserted]) => text.slice(0, at) + inserted + text.slice(at)),
    );
    fc.assert(
      fc.property(text, (text) => {
        const isHashedUri = grammar.test(text);
        seen[isHashedUri ? "yes" : "no"]++;
        expect(tryParseHashedUri(text) !== null).toBe(isHashedUri);
      }),
      runs,
    );
    expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(fewest(200));
  });
});

describe("generating", () => {
  /** The text that is hashed, recorded by a stand-in for a hash function. */
  const canonicalForm = (text: string, options: object): string => {
    let form = "";
    const see = (octets: Uint8Array) => {
      form = new TextDecoder().decode(octets);
      return octets.length > 0 ? octets : Uint8Array.of(0);
    };
    hashUri(text, { ...options, algorithm: "x-see", algorithms: { "x-see": see } });
    return form;
  };
  const escapes = fc
    .array(fc.constantFrom("%", "2", "5", "6", "1", "a", "%25", "%61", "%2f", "z", "/"), {
      maxLength: 8,
    })
    .map((parts) => `http://h/${parts.join("")}`);

  test("the canonical form in variant N canonicalizes to itself", () => {
    let changed = 0;
    fc.assert(
      fc.property(fc.oneof(uri, escapes), keep, (text, keep) => {
        const form = canonicalForm(text, keep);
        if (form !== text) changed++;
        expect(canonicalForm(form, keep)).toBe(form);
      }),
      runs,
    );
    expect(changed).toBeGreaterThan(fewest(1000));
  });

  test("decoding agrees with a decoder that reads one character at a time", () => {
    const decode = (text: string): string => {
      let result = "";
      for (let i = 0; i < text.length; i++) {
        const hex = /^%([0-9a-f]{2})/i.exec(text.slice(i, i + 3))?.[1];
        const character = hex === undefined ? "" : String.fromCharCode(Number.parseInt(hex, 16));
        const wouldJoin = /%[0-9a-f]?$/i.test(result) && !/%[0-9a-f]{2}$/i.test(result);
        if (hex === undefined) result += text[i];
        else {
          result +=
            /[\w\-.!~*'()]/.test(character) && !wouldJoin ? character : text.slice(i, i + 3);
          i += 2;
        }
      }
      return result;
    };
    let joined = 0;
    fc.assert(
      fc.property(escapes, (text) => {
        if (/%[0-9a-f]?%/i.test(text)) joined++;
        expect(canonicalForm(text, {})).toBe(decode(text));
      }),
      runs,
    );
    expect(joined).toBeGreaterThan(fewest(200));
  });

  test("a relative URI is hashed as the absolute one", () => {
    fc.assert(
      fc.property(fc.constantFrom("", "#", "?"), uri, keep, (end, text, keep) => {
        fc.pre(text.startsWith("http") && !text.includes("#"));
        const relative = text.replace(/^[a-z]+:/i, "") + end;
        const base = `${text.slice(0, text.indexOf(":"))}://elsewhere/`;
        expect(hashUri(relative, { ...keep, base })).toBe(hashUri(text + end, keep));
      }),
      runs,
    );
  });
});

describe("matching", () => {
  test("a URI matches the hashed URIs that could have been generated from it", () => {
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(uri, uri, keep, variant, algorithm, (a, b, keep, variant, algorithm) => {
        const hashed = parseHashedUri(hashUri(a, { ...keep, variant, algorithm }));
        const again = hashUri(b, {
          variant,
          algorithm: hashed.algorithm,
          keepFragment: hashed.fragment,
          keepQuery: hashed.query,
        });
        const expected = again === formatHashedUri(hashed);
        seen[expected ? "yes" : "no"]++;
        expect(matchesHashedUri(hashed, b, { variant })).toBe(expected);
        expect(matchesHashedUri(hashed, a, { variant })).toBe(true);
      }),
      runs,
    );
    expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(fewest(50));
  });

  test("a matcher finds the first entry that matches on its own", () => {
    const seen = { found: 0, missed: 0 };
    const entry = fc.oneof(
      {
        weight: 8,
        arbitrary: fc
          .tuple(uri, keep, algorithm)
          .map(([text, keep, algorithm]) => parseHashedUri(hashUri(text, { ...keep, algorithm }))),
      },
      hashedUri,
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), fc.array(uri), (list, candidates) => {
        const match = hashedUriMatcher(list);
        for (const candidate of candidates) {
          const expected = list.find((hashed) => matchesHashedUri(hashed, candidate)) ?? null;
          seen[expected === null ? "missed" : "found"]++;
          expect(match(candidate)).toBe(expected);
        }
        for (const { hashed } of match.unusable) {
          for (const candidate of candidates)
            expect(matchesHashedUri(hashed, candidate)).toBe(false);
        }
      }),
      { seed, numRuns: sampleSize(500) },
    );
    expect(Math.min(seen.found, seen.missed)).toBeGreaterThan(fewest(200));
  });
});

test("sha1, md5 and x-sha256 agree with the platform's", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), algorithm, (text, algorithm) => {
      fc.pre(!/[\s"<>#?\p{C}]/u.test(text));
      const { value } = parseHashedUri(hashUri(`x:${text}`, { algorithm }));
      const name = algorithm.replace("x-", "");
      expect(value).toBe(createHash(name).update(`x:${text}`).digest("hex"));
    }),
    runs,
  );
});

describe("untrusted text", () => {
  const calls: Record<string, (text: string, other: string) => unknown> = {
    hashUri: (text, base) => hashUri(text, { base, keepFragment: true, keepQuery: true }),
    algorithm: (text) => hashUri("http://h", { algorithm: text }),
    parseHashedUri: (text) => parseHashedUri(text),
    tryParseHashedUri: (text) => tryParseHashedUri(text),
    formatHashedUri: (algorithm, value) =>
      formatHashedUri({ algorithm, value, fragment: false, query: true }),
    equalHashedUris: (a, b) => equalHashedUris(a, b),
    matchesHashedUri: (text) => matchesHashedUri("hashed:md5=00+query", text, { variant: "P" }),
    hashedUriMatcher: (text) => hashedUriMatcher([text]),
  };
  test.each(Object.entries(calls))("%s gives a result or a HashedUriError", (_, call) => {
    fc.assert(
      fc.property(anything, anything, (text, other) => {
        try {
          call(text, other);
        } catch (error) {
          expect(error).toMatchObject({ name: "HashedUriError" });
        }
      }),
      runs,
    );
  });

  const texts: Record<string, (n: number) => string> = {
    slashes: (n) => "/".repeat(n),
    segments: (n) => `http://h${"/a/..".repeat(n)}`,
    escapes: (n) => `http://h/${"%41".repeat(n)}`,
    "percent signs": (n) => `http://h/${"%".repeat(n)}`,
    "stray percent signs": (n) => `http://h/${"%4".repeat(n)}`,
    "nested escapes": (n) => `http://h/%${"25".repeat(n)}`,
    digits: (n) => `hashed:sha1=${"0".repeat(n)}`,
    "letters of an algorithm": (n) => `hashed:${"a".repeat(n)}`,
    flags: (n) => `hashed:sha1=00${"+frag+query".repeat(n)}`,
    "an NSS": (n) => `urn:a:${"%c3".repeat(n)}`,
  };
  test.each(Object.entries(texts))("takes linear time: %s", (_, make) => {
    const run = (text: string) => {
      for (const call of Object.values(calls)) {
        try {
          call(text, "http://h/");
        } catch (error) {
          expect(error).toMatchObject({ name: "HashedUriError" });
        }
      }
    };
    expectLinearGrowth(run, make);
  });
});

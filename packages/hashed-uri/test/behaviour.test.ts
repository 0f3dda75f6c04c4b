import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";
import {
  equalHashedUris,
  formatHashedUri,
  type HashedUri,
  HashedUriError,
  hashedUriMatcher,
  hashUri,
  type MatchOptions,
  matchesHashedUri,
  parseHashedUri,
} from "@x/hashed-uri";
import { describe, expect, test } from "vitest";

const ownError = (fields: object) => expect.objectContaining({ name: "HashedUriError", ...fields });
const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");

describe("formatHashedUri", () => {
  test.each(["sha256", "sha-1", "sha", "x", "md5.", "-x-"])(
    "§4.2 does not allow %s",
    (algorithm) => {
      const hashed = parseHashedUri(`hashed:${algorithm}=00`);
      const refusal = ownError({ code: "algorithm-not-allowed" });
      expect(() => formatHashedUri(hashed)).toThrow(refusal);
      expect(() => hashUri("http://a/", { algorithm })).toThrow(refusal);
      expect(equalHashedUris(hashed, `HASHED:${algorithm.toUpperCase()}=00`)).toBe(true);
    },
  );

  test("writes lower case, and flags in a fixed order", () => {
    const hashed = { algorithm: "X-A", value: "AB", fragment: true, query: true };
    expect(formatHashedUri(hashed)).toBe("hashed:x-a=ab+frag+query");
  });

  test.each([
    [{ algorithm: "", value: "00" }, "hash-algorithm-invalid"],
    [{ algorithm: "a=0", value: "00" }, "hash-algorithm-invalid"],
    [{ algorithm: "\u212a", value: "00" }, "hash-algorithm-invalid"],
    [{ algorithm: "\u017fha1", value: "00" }, "hash-algorithm-invalid"],
    [{ algorithm: "md5\n", value: "00" }, "hash-algorithm-invalid"],
    [{ algorithm: "md5", value: "" }, "hash-value-invalid"],
    [{ algorithm: "md5", value: "00+frag" }, "hash-value-invalid"],
    [{ algorithm: "md5", value: "0x0" }, "hash-value-invalid"],
  ])("refuses parts that do not make a hashed URI: %j", (parts, code) => {
    const hashed = { ...parts, fragment: false, query: false };
    expect(() => formatHashedUri(hashed)).toThrow(ownError({ code }));
    expect(() => hashedUriMatcher([hashed])).toThrow(ownError({ code }));
  });
});

test.each([
  ["hashed:md5=0A", "HASHED:MD5=0a", true],
  ["hashed:md5=0a+frag+query", "hashed:md5=0a+query+frag+frag", true],
  ["hashed:md5=0a", { algorithm: "MD5", value: "0A", fragment: false, query: false }, true],
  ["hashed:md5=0a", "hashed:md5=0a+frag", false],
  ["hashed:md5=0a+frag", "hashed:md5=0a+query", false],
  ["hashed:md5=0a", "hashed:sha1=0a", false],
  ["hashed:md5=0a", "hashed:md5=00a", false],
])("equalHashedUris(%j, %j) is %j", (a, b, expected) => {
  expect(equalHashedUris(a, b)).toBe(expected);
  expect(equalHashedUris(b, a)).toBe(expected);
});

describe("algorithms", () => {
  const algorithms = { "x-first": (octets: Uint8Array) => octets.subarray(0, 2) };

  test("private algorithms can be given, for generating and for matching", () => {
    const hashed = hashUri("http://h", { algorithm: "X-First", algorithms });
    expect(hashed).toBe("hashed:x-first=6874");
    expect(matchesHashedUri(hashed, "http://h", { algorithms })).toBe(true);
    expect(matchesHashedUri(hashed, "ftp://h", { algorithms })).toBe(false);
    expect(matchesHashedUri(hashed, "http://h")).toBe(false);
  });

  test("their identifiers are case-insensitive", () => {
    const upper = { "X-FIRST": algorithms["x-first"] };
    expect(hashUri("http://h", { algorithm: "x-first", algorithms: upper })).toMatch(/^hashed:x-f/);
  });

  test.each(["sha256", "sha1", "MD5", "", "x_a", "x-a b", "x-a=", "max-a", "x-\u212a"])(
    "nobody can register %j",
    (identifier) => {
      const own = { [identifier]: algorithms["x-first"] };
      expect(() => hashUri("http://h", { algorithms: own })).toThrow(
        ownError({ code: "algorithm-not-allowed", input: identifier }),
      );
      expect(() => hashedUriMatcher([], { algorithms: own })).toThrow(HashedUriError);
    },
  );

  test("the Kelvin sign is not a K, although it has the same lower case", () => {
    const own = { "x-k": algorithms["x-first"] };
    expect(() => hashUri("http://h", { algorithm: "x-\u212a", algorithms: own })).toThrow(
      ownError({ code: "algorithm-not-allowed" }),
    );
  });

  test("algorithms are known only in the call that they are passed to", () => {
    hashUri("http://h", { algorithm: "x-first", algorithms });
    expect(() => hashUri("http://h", { algorithm: "x-first" })).toThrow(
      ownError({ code: "algorithm-unknown" }),
    );
  });

  test("a Uint8Array of another realm, such as a frame or a test runner, is accepted", () => {
    const foreign = { "x-a": () => runInNewContext("Uint8Array.of(1, 255)") as Uint8Array };
    expect(hashUri("http://h", { algorithm: "x-a", algorithms: foreign })).toBe("hashed:x-a=01ff");
  });

  test.each([
    [() => new Uint8Array(), "the result of a hash algorithm must not be empty"],
    [
      () => new Uint16Array(1),
      "the result of a hash algorithm must be a Uint8Array, not an object",
    ],
    [() => "00", 'the result of a hash algorithm must be a Uint8Array, not "00"'],
    [() => undefined, "the result of a hash algorithm must be a Uint8Array, not undefined"],
    ["none", 'algorithms["x-a"] must be a function, not "none"'],
  ])("a function that does not return bytes throws a TypeError", (hash, message) => {
    const wrong = { "x-a": hash } as unknown as MatchOptions["algorithms"];
    const run = () => hashUri("http://h", { algorithm: "x-a", algorithms: wrong });
    expect(run).toThrow(TypeError);
    expect(run).toThrow(message);
  });
});

describe("schemes", () => {
  const mailto = (uri: string) => uri.toLowerCase();

  test("a rule of the caller replaces the built-in one", () => {
    const schemes = { mailto, http: (uri: string, variant: string) => `${variant} ${uri}` };
    const value = (uri: string) => parseHashedUri(hashUri(uri, { schemes })).value;
    expect(value("MailTo:A@B?c#d")).toBe(sha1("mailto:a@b"));
    expect(value("HTTP://H/%61?q#f")).toBe(sha1("N http://H/%61"));
    expect(value("news:A")).toBe(sha1("news:A"));
    expect(matchesHashedUri(`hashed:sha1=${sha1("mailto:a@b")}`, "mailto:A@b", { schemes })).toBe(
      true,
    );
  });

  test("keys are names of schemes, in either case", () => {
    const value = (schemes: MatchOptions["schemes"]) =>
      parseHashedUri(hashUri("mailto:A", { schemes })).value;
    expect(value({ MailTo: mailto })).toBe(sha1("mailto:a"));
    expect(() => value({ "mailto:": mailto })).toThrow(TypeError);
    expect(() => value({ "1mailto": mailto })).toThrow(
      'a key of schemes must be the name of a scheme, not "1mailto"',
    );
    expect(() => hashedUriMatcher([], { schemes: { "": mailto } })).toThrow(TypeError);
  });

  test("a rule receives the components that were kept", () => {
    const seen: string[] = [];
    const schemes = {
      x: (uri: string) => {
        seen.push(uri);
        return uri;
      },
    };
    hashUri("X:a?b#c", { schemes });
    hashUri("X:a?b#c", { schemes, keepQuery: true });
    hashUri("X:a?b#c", { schemes, keepFragment: true });
    expect(seen).toEqual(["x:a", "x:a?b", "x:a#c"]);
  });

  test("a scheme with the name of a property of every object has no rule", () => {
    const value = (uri: string) => parseHashedUri(hashUri(uri, { schemes: {} })).value;
    expect(value("constructor:A")).toBe(sha1("constructor:A"));
    expect(value("toString:A")).toBe(sha1("tostring:A"));
  });

  test("a rule must return Unicode text", () => {
    const run = (rule: unknown) => () => hashUri("x:y", { schemes: { x: rule } } as MatchOptions);
    const number = run(() => 1);
    expect(number).toThrow(TypeError);
    expect(number).toThrow('the result of schemes["x"] must be a string, not a number');
    expect(run("x")).toThrow(TypeError);
    expect(run("x")).toThrow('schemes["x"] must be a function, not "x"');
    expect(run(() => "a\udc00")).toThrow(
      ownError({
        code: "lone-surrogate",
        index: 1,
        message:
          '"a\\u{dc00}" at index 1: expected Unicode text, without half of a surrogate pair (RFC 3629 §3).',
        section: "RFC 3629 §3",
      }),
    );
  });

  test("errors of a rule are passed on", () => {
    const error = new Error("mine");
    const schemes = {
      x: () => {
        throw error;
      },
    };
    expect(() => hashUri("x:y", { schemes })).toThrow(error);
  });
});

describe("hashedUriMatcher", () => {
  const plain = hashUri("http://h/a");
  const withQuery = hashUri("http://h/a?q", { keepQuery: true, algorithm: "md5" });

  test("returns the entry: the same record, or the parts of the text", () => {
    const record = { ...parseHashedUri(plain), category: 7 };
    expect(hashedUriMatcher([record])("http://h/a")).toBe(record);
    expect(hashedUriMatcher([plain])("http://h/a")).toEqual(parseHashedUri(plain));
    const upper = { ...record, algorithm: "SHA1", value: record.value.toUpperCase() };
    expect(hashedUriMatcher([upper])("http://h/a")).toBe(upper);
  });

  test("the first matching entry of the list is returned, whatever its flags", () => {
    const find = (list: string[]) =>
      formatHashedUri(hashedUriMatcher(list)("http://h/a?q") as HashedUri);
    expect(find([plain, withQuery])).toBe(plain);
    expect(find([withQuery, plain])).toBe(withQuery);
    const records = [parseHashedUri(plain), parseHashedUri(plain)];
    expect(hashedUriMatcher(records)("http://h/a")).toBe(records[0]);
  });

  test("reports entries that can never match", () => {
    const list = ["hashed:sha512=00", "hashed:sha1=00", plain, "hashed:x-a=000", "hashed:x-a=00"];
    const match = hashedUriMatcher(list, { algorithms: { "x-a": (octets) => octets } });
    const reported = match.unusable.map(({ hashed, reason }) => [
      `hashed:${hashed.algorithm}=${hashed.value}`,
      reason,
    ]);
    expect(reported).toEqual([
      ["hashed:sha512=00", "algorithm-unknown"],
      ["hashed:sha1=00", "value-length"],
      ["hashed:x-a=000", "value-length"],
    ]);
    expect(match("http://h/a")).toEqual(parseHashedUri(plain));
  });

  test("accepts any iterable, and reads it once", () => {
    const match = hashedUriMatcher(new Set([plain]).values());
    expect([match("http://h/a"), match("http://h/a")]).toEqual(
      Array(2).fill(parseHashedUri(plain)),
    );
  });

  test("an entry that is not a hashed URI is an error", () => {
    expect(() => hashedUriMatcher([plain, "# comment"])).toThrow(
      ownError({ code: "scheme-not-hashed", input: "# comment" }),
    );
  });

  test("a candidate that is not a URI is an error, even with an empty list", () => {
    expect(() => hashedUriMatcher([])("www.thus.net")).toThrow(ownError({ code: "base-missing" }));
    expect(() => hashedUriMatcher([plain])("urn:x")).toThrow(ownError({ code: "urn-invalid" }));
  });

  test("hashes a candidate once for each algorithm and set of flags", () => {
    const hashes = new Map<string, number>();
    const rules = new Map<string, number>();
    const count = (counts: Map<string, number>, key: string) =>
      counts.set(key, (counts.get(key) ?? 0) + 1);
    const counting = (name: string) => (octets: Uint8Array) => {
      count(hashes, `${name} ${new TextDecoder().decode(octets)}`);
      return octets.subarray(0, 1);
    };
    const options = {
      algorithms: { "x-a": counting("a"), "x-b": counting("b"), "x-unused": counting("unused") },
      schemes: {
        x: (uri: string) => {
          count(rules, uri);
          return uri;
        },
      },
    };
    const list = Array.from({ length: 1000 }, (_, i) => {
      const value = (i % 256).toString(16).padStart(2, "0");
      return `hashed:x-${i % 2 ? "a" : "b"}=${value}${i % 3 ? "+query" : ""}`;
    });
    const match = hashedUriMatcher(list, options);
    match("x:y?z#f");
    expect([...hashes].sort()).toEqual([
      ["a x:y", 1],
      ["a x:y?z", 1],
      ["b x:y", 1],
      ["b x:y?z", 1],
    ]);
    expect([...rules].sort()).toEqual([
      ["x:y", 1],
      ["x:y?z", 1],
    ]);
    hashes.clear();
    match("x:y");
    expect([...hashes.keys()].sort()).toEqual(["a x:y", "b x:y"]);
  });
});

test("a hash algorithm that returns a detached Uint8Array throws a TypeError", () => {
  const detach = () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    return bytes;
  };
  const options = { algorithm: "x-a", algorithms: { "x-a": detach } };
  expect(() => hashUri("http://h", options)).toThrow(
    new TypeError("the result of a hash algorithm must be a Uint8Array, not an object"),
  );
});

describe("errors", () => {
  test("quote the start of their input on one line", () => {
    const input = `http://h/\n${"a".repeat(100)}`;
    try {
      hashUri(input);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ input, index: 9, section: "RFC 2396 §2.4.3" });
      expect((error as Error).message).toMatch(
        /^"http:\/\/h\/\\u\{a\}a{50}…" at index 9: expected .*\.$/,
      );
    }
  });

  test("an error in the base quotes the base", () => {
    expect(() => hashUri("g", { base: "http://a b" })).toThrow(
      ownError({ code: "character-excluded", input: "http://a b", index: 8 }),
    );
  });

  test("a lone surrogate", () => {
    expect(() => hashUri("http://h/\udc00")).toThrow(
      ownError({ code: "lone-surrogate", index: 9 }),
    );
  });

  const wrong = (value: unknown) => value as never;
  const record = { algorithm: "md5", value: "00", fragment: false, query: false };
  const plain = "hashed:md5=00";
  const shape = "hashed must be { algorithm, value, fragment, query }, not";
  const callable = Object.assign(() => "", record);
  test.each([
    ["uri must be a string, not a number", () => hashUri(wrong(1))],
    ['variant must be "N" or "P", not "n"', () => hashUri("mailto:a", { variant: wrong("n") })],
    ["base must be a string, not a number", () => hashUri("g", { base: wrong(1) })],
    [
      "algorithm must be a string, not a number",
      () => hashUri("http://h", { algorithm: wrong(1) }),
    ],
    ["text must be a string, not undefined", () => parseHashedUri(wrong(undefined))],
    [`${shape} null`, () => formatHashedUri(wrong(null))],
    [`${shape} a function`, () => formatHashedUri(wrong(callable))],
    [`${shape} a number`, () => equalHashedUris("hashed:md5=00", wrong(0))],
    [`${shape} a number`, () => hashedUriMatcher(wrong([0]))],
    [
      "hashed.algorithm must be a string, not a number",
      () => formatHashedUri({ ...record, algorithm: wrong(1) }),
    ],
    [
      "hashed.value must be a string, not a number",
      () => formatHashedUri({ ...record, value: wrong(0) }),
    ],
    [
      "hashed.fragment must be a boolean, not undefined",
      () => formatHashedUri({ ...record, fragment: wrong(undefined) }),
    ],
    [
      'hashed.query must be a boolean, not "true"',
      () => formatHashedUri({ ...record, query: wrong("true") }),
    ],
    ["uri must be a string, not a number", () => hashedUriMatcher([])(wrong(0))],
    ["hashed must be a list of hashed URIs, not null", () => hashedUriMatcher(wrong(null))],
    [`hashed must be a list of hashed URIs, not "${plain}"`, () => hashedUriMatcher(plain)],
    ["uri must be a string, not an array", () => hashUri(wrong([plain]))],
    [
      `variant must be "N" or "P", not "${"n".repeat(40)}"`,
      () => hashUri("http://h", { variant: wrong("n".repeat(1000)) }),
    ],
    [
      'keepQuery must be a boolean, not "no"',
      () => hashUri("http://h", { keepQuery: wrong("no") }),
    ],
    [
      "keepFragment must be a boolean, not null",
      () => hashUri("a:", { keepFragment: wrong(null) }),
    ],
    ['options must be an object, not "P"', () => hashUri("http://h", wrong("P"))],
    ['options must be an object, not "P"', () => hashedUriMatcher([], wrong("P"))],
    ["schemes must be an object, not null", () => hashUri("http://h", { schemes: wrong(null) })],
    [
      "algorithms must be an object, not null",
      () => hashUri("http://h", { algorithms: wrong(null) }),
    ],
  ])("an argument of the wrong type throws a TypeError: %s", (message, run) => {
    expect(run).toThrow(TypeError);
    expect(run).toThrow(message);
  });
});

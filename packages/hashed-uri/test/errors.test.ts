import { readFileSync } from "node:fs";
import { formatHashedUri, hashUri, parseHashedUri, tryParseHashedUri } from "@x/hashed-uri";
import { expect, test } from "vitest";

interface Case {
  readonly input: { readonly call: string; readonly arguments: readonly unknown[] };
  readonly error: string;
  /** The text that the error is about, which may be a part of the input. */
  readonly of: string;
  readonly index: number | null;
  readonly section: string;
  readonly message: string;
}

// Parsed here, because vite's JSON parser refuses half a surrogate pair.
const vectors: { readonly cases: readonly Case[] } = JSON.parse(
  readFileSync(new URL("./vectors/errors.json", import.meta.url), "utf8"),
);
const calls = { formatHashedUri, hashUri, parseHashedUri } as Readonly<
  Record<string, (...input: never[]) => unknown>
>;

test.each(vectors.cases)(
  "$input.call $input.arguments: $error",
  ({ input, error, of, index, section, message }) => {
    const expected = message.slice(message.indexOf(": expected ") + 11, -` (${section}).`.length);
    expect(() => calls[input.call]!(...(input.arguments as never[]))).toThrow(
      expect.objectContaining({
        name: "HashedUriError",
        ...{ code: error, input: of, index, section, expected, message },
      }),
    );
  },
);

test.each(["code", "index", "fragment", "get"])(
  "a property that others added to every object, such as %s, has no effect",
  (name) => {
    Object.defineProperty(Object.prototype, name, { value: 1, configurable: true });
    let results: unknown[];
    try {
      results = [
        formatHashedUri(parseHashedUri("hashed:md5=00+frag")),
        hashUri("http://h/"),
        tryParseHashedUri("hashed:"),
      ];
    } finally {
      // The prototype is restored first, because its properties affect the test runner too.
      Reflect.deleteProperty(Object.prototype, name);
    }
    expect(results).toEqual(["hashed:md5=00+frag", hashUri("http://h/"), null]);
  },
);

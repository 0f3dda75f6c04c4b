import { readFileSync } from "node:fs";
import { type CanonError, canonicalize, describeProblem, parseUrl, tryParseUrl } from "@x/canon";
import { canonicalizeHierarchical, parseUri } from "@x/canon/hierarchical";
import { expect, test } from "vitest";

interface Case {
  readonly input: { readonly call: string; readonly arguments: readonly unknown[] };
  readonly error: string;
  readonly message: string;
  readonly section: string;
}

const vectors: { readonly cases: readonly Case[] } = JSON.parse(
  readFileSync(new URL("./vectors/messages.json", import.meta.url), "utf8"),
);
const calls = { canonicalizeHierarchical, parseUri, parseUrl } as Readonly<
  Record<string, (...input: never[]) => unknown>
>;

/** Replaces the bytes that the vectors write as hexadecimal digits. */
function toArgument(value: unknown): unknown {
  const { octets } = Object(value) as { octets?: string };
  return octets === undefined ? value : Uint8Array.from(Buffer.from(octets, "hex"));
}

test.each(vectors.cases)(
  "$input.call $input.arguments: $error",
  ({ input, error, message, section }) => {
    const given = input.arguments.map(toArgument) as never[];
    const expected = message.slice(message.indexOf(": expected ") + 11, -` (${section}).`.length);
    expect(() => calls[input.call]!(...given)).toThrow(
      expect.objectContaining({ name: "CanonError", code: error, message, expected, section }),
    );
  },
);

test.each(vectors.cases)(
  "describeProblem says of $input.call $input.arguments what the error says",
  ({ input, message, section }) => {
    try {
      calls[input.call]!(...(input.arguments.map(toArgument) as never[]));
    } catch (thrown) {
      const { input, code, index } = thrown as CanonError;
      const expected = message.slice(message.indexOf(": expected ") + 11, -` (${section}).`.length);
      expect(describeProblem(input, { code, index })).toEqual({
        ...{ code, index, message, expected, section },
      });
    }
    expect.assertions(1);
  },
);

test.each(["code", "before", "scheme", "host", "query", "get"])(
  "a property that others added to every object, such as %s, has no effect",
  (name) => {
    Object.defineProperty(Object.prototype, name, { value: "host-missing", configurable: true });
    let results: unknown[];
    try {
      results = [tryParseUrl("b.c/?q")?.href, canonicalize("http://b.c"), tryParseUrl("http:///")];
    } finally {
      // The prototype is restored first, because its properties affect the test runner too.
      Reflect.deleteProperty(Object.prototype, name);
    }
    expect(results).toEqual(["http://b.c/?q", "http://b.c/", null]);
  },
);

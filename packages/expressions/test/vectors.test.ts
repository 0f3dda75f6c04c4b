import { readdirSync, readFileSync } from "node:fs";
import { parseUrl } from "@x/canon";
import { type ExpressionOptions, exactExpression, expressions } from "@x/expressions";
import { describe, expect, test } from "vitest";
import { oracle } from "./oracle.ts";

interface Vector {
  readonly input: string | { readonly octets: string };
  /** The result of the option `registrableDomain` for the host. If it is absent, the option is not set. */
  readonly registrableDomain?: string | null;
  readonly expected: readonly string[];
  readonly section: string;
}

const FOLDER = new URL("./vectors/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => /^(?!coverage).*\.json$/.test(name));

describe.each(FILES)("%s", (name) => {
  const { cases }: { cases: readonly Vector[] } = JSON.parse(
    readFileSync(new URL(name, FOLDER), "utf8"),
  );

  test.each(cases)("$input", ({ input, registrableDomain, expected }) => {
    const url = typeof input === "string" ? input : Buffer.from(input.octets, "hex");
    const options: ExpressionOptions =
      registrableDomain === undefined ? {} : { registrableDomain: () => registrableDomain };
    expect(expressions(url, options)).toEqual(expected);
    expect(expressions(parseUrl(url), options)).toEqual(expected);
    expect(exactExpression(url)).toBe(expected[0]);
    expect(oracle(parseUrl(url), options.registrableDomain)).toEqual(expected);
  });
});

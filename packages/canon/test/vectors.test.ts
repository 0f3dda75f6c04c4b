import { readdirSync, readFileSync } from "node:fs";
import { CanonError, canonicalize, parseUrl, tryParseUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { describe, expect, test } from "vitest";
import { oracle } from "./oracle.ts";

interface Vector {
  readonly input: string | { readonly octets: string };
  readonly expected?: string;
  readonly hostType?: string;
  readonly error?: string;
  readonly index?: number | null;
  readonly section: string;
}

interface VectorFile {
  readonly source: string;
  readonly cases: readonly Vector[];
}

const FOLDER = new URL("./vectors/", import.meta.url);
// The vectors of possible hosts, of Appendix A, of browsers, of messages and of defanged URLs have another shape.
const FILES = readdirSync(FOLDER).filter((name) =>
  /^(?!hierarchical|browser|messages|possible|refang).*\.json$/.test(name),
);

function toInput(input: Vector["input"]): string | Uint8Array {
  return typeof input === "string" ? input : Uint8Array.from(Buffer.from(input.octets, "hex"));
}

describe.each(FILES)("%s", (name) => {
  const file: VectorFile = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));

  test.each(file.cases)("$input", ({ input, expected, hostType, error, index, section }) => {
    const url = toInput(input);
    if (error !== undefined) {
      expect(tryParseUrl(url)).toBeNull();
      expect(() => parseUrl(url)).toThrow(CanonError);
      expect(() => parseUrl(url)).toThrow(expect.objectContaining({ code: error, index, section }));
      expect(readUrl(url).refused).toEqual({ code: error, index });
      expect(oracle(url)).toBe(error);
      return;
    }
    const result = parseUrl(url);
    expect(result.href).toBe(expected);
    expect(canonicalize(url)).toBe(expected);
    expect(readUrl(url).specification).toEqual(result);
    if (hostType !== undefined) expect(result.hostType).toBe(hostType);
    expect(oracle(url)).toEqual(result);
    expect(parseUrl(result.href)).toEqual(result);
  });
});

describe.each(["web-risk.json", "safe-browsing-v4.json"])("%s, as bytes", (name) => {
  const file: VectorFile = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));

  test("has every vector of the specification", () => {
    expect(file.cases).toHaveLength(33);
  });
  // Every character of these vectors stands for one byte.
  test.each(file.cases)("$input", ({ input, expected }) => {
    expect(canonicalize(Uint8Array.from(Buffer.from(input as string, "latin1")))).toBe(expected);
  });
});

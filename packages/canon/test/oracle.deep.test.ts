import { CanonError, type CanonicalUrl, parseUrl } from "@x/canon";
import { sampleSize } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import { generateInput, seededRandom } from "./generate.ts";
import { oracle } from "./oracle.ts";

/** `CANON_LONG_RUN` is the number of inputs to compare, in millions. The default is lower. */
const MILLIONS = Number(process.env.CANON_LONG_RUN ?? 0);
const COUNT = MILLIONS > 0 ? MILLIONS * 1_000_000 : sampleSize(40_000);
const SEED = Number(process.env.CANON_SEED ?? 20_240_607);

function verdict(input: string | Uint8Array) {
  try {
    return parseUrl(input);
  } catch (error) {
    if (error instanceof CanonError) return error.code;
    throw error;
  }
}

/** The branches that a result shows. The test asserts that the inputs reach all of them. */
function branches(input: string | Uint8Array, result: CanonicalUrl | string): string[] {
  if (typeof result === "string") return [result];
  const { host, hostType, path, query } = result;
  const text = typeof input === "string" ? input : new TextDecoder().decode(input);
  return [
    hostType,
    typeof input === "string" ? "text" : "bytes",
    ...(host.includes("xn--") ? ["punycode"] : []),
    ...(/%[89A-F]/.test(host) ? ["bytes kept in the host"] : []),
    ...(hostType === "ipv4" && text.includes("[") ? ["IPv4 from brackets"] : []),
    ...(hostType === "domain" && host.startsWith("[") ? ["brackets that are a name"] : []),
    ...(hostType === "domain" && host.includes(":") ? ["colon in a name"] : []),
    ...(path.includes("%25") ? ["percent sign"] : []),
    ...(path === "/" && text.includes("..") ? ["root after dot segments"] : []),
    ...(query === "" ? ["empty query"] : query === null ? ["no query"] : ["query"]),
  ];
}

test(`the package agrees with the oracle on ${COUNT} generated inputs`, { timeout: 0 }, () => {
  const random = seededRandom(SEED);
  const reached = new Map<string, number>();
  for (let i = 0; i < COUNT; i++) {
    const input = generateInput(random);
    const actual = verdict(input);
    const expected = oracle(input);
    if (!same(actual, expected)) {
      expect({ input, result: actual }).toEqual({ input, result: expected });
    }
    for (const branch of branches(input, actual)) {
      reached.set(branch, (reached.get(branch) ?? 0) + 1);
    }
  }
  for (const branch of BRANCHES) {
    expect(reached.get(branch) ?? 0, branch).toBeGreaterThan(COUNT / 2000);
  }
});

const BRANCHES = [
  "domain",
  "ipv4",
  "ipv6",
  "text",
  "bytes",
  "punycode",
  "bytes kept in the host",
  "IPv4 from brackets",
  "brackets that are a name",
  "colon in a name",
  "percent sign",
  "root after dot segments",
  "empty query",
  "no query",
  "query",
  "lone-surrogate",
  "authority-missing",
  "host-missing",
];

function same(a: CanonicalUrl | string, b: CanonicalUrl | string): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  return (
    a.href === b.href &&
    a.scheme === b.scheme &&
    a.host === b.host &&
    a.hostType === b.hostType &&
    a.path === b.path &&
    a.query === b.query
  );
}

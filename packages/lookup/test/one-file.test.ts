import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import type { CanonError } from "@x/canon";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { expect, test } from "vitest";
import { bundle } from "../bundle/build.js";
import { randomNumbers, spoofedUrl } from "./spoofed-urls.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../docs/warehouses.md"), "utf8");

/** The JavaScript of the page's function for a warehouse, which has the parameter `name`. */
const bodyFor = (name: string, pattern: RegExp) => ({ name, body: pattern.exec(PAGE)![1]! });
const BIGQUERY = bodyFor("url", /AS r"""\n([^"]*)"""/);
const SNOWFLAKE = bodyFor("URL", /`after\.sql`:\s+```sql\n([^$]*)\$\$/);

const script = await bundle();

/** Makes the function of a warehouse in an engine that has nothing but the language. */
function functionIn({ name, body }: typeof BIGQUERY): (url: string | null) => string {
  const bare = createContext(Object.create(null));
  expect(runInContext("typeof TextEncoder + typeof URL + typeof atob", bare)).toMatch(
    /^(undefined)+$/,
  );
  runInContext("delete globalThis.WebAssembly", bare);
  // Snowflake has the script in the function, and BigQuery before it.
  const [before, inside] = name === "url" ? [script, ""] : ["", script];
  return runInContext(`${before}((${name}) => JSON.stringify((() => {${inside}${body}})()))`, bare);
}

const HOSTS = ["evil.example/", "195.127.0.11/", "[2001:db8::1]/", "xn--bcher-kva.example/"];
const list = prefixList(
  [...HOSTS, "folder.example/bad/"].map((each) => fullHash(each)),
  {
    prefixBytes: 8,
  },
);
const onList = new Set(
  [...HOSTS, "folder.example/bad/"].map((each) => toHex(fullHash(each).subarray(0, 8))),
);

/** The verdict of the statements on the page: whether the URL is listed, or else its error. */
function verdictByJoin(hashed: string): boolean | string {
  const { prefixes, error } = JSON.parse(hashed);
  if (prefixes.some((prefix: string) => onList.has(prefix))) return true;
  return error ?? false;
}

function verdictByCheck(check: ReturnType<typeof checker>["check"], url: string): boolean | string {
  try {
    return check(url).length > 0;
  } catch (error) {
    return (error as CanonError).code;
  }
}

const random = randomNumbers(65);
const URLS = [
  ...["http://good.example/", "http://ev\u{2065}il.example/", "mailto:x", 'http://a.example"/', ""],
  ...["http://\u{d800}.example/", "/path", "evil.example", "evil.example http://a.example/"],
  ...Array.from({ length: 800 }, () => spoofedUrl(random)),
];

test.each([BIGQUERY, SNOWFLAKE])(
  "the function with the parameter $name agrees with check",
  (warehouse) => {
    const verdicts = URLS.map(functionIn(warehouse)).map(verdictByJoin);
    for (const engine of ["webassembly", "javascript"] as const) {
      const { check } = checker(list, { engine });
      expect(verdicts).toEqual(URLS.map((url) => verdictByCheck(check, url)));
    }
    const count = (verdict: boolean) => verdicts.filter((each) => each === verdict).length;
    expect(Math.min(count(true), count(false))).toBeGreaterThan(40);
    expect(verdicts).toEqual(
      expect.arrayContaining(["authority-missing", "host-undecided", "host-invalid"]),
    );
  },
);

test("a missing URL has no hashes", () => {
  expect(functionIn(BIGQUERY)(null)).toBe("null");
});

test("the file is as long as the page says, and fits between the marks of a function", () => {
  const [, stated] = /(\d+)\skB\s\(\d+\skB\sgzipped\),\swithout\smodules/.exec(PAGE)!;
  expect(Math.round(script.length / 1000)).toBe(Number(stated));
  expect(Buffer.byteLength(script)).toBeLessThanOrEqual(100_000);
  expect(script).not.toContain("$$");
});

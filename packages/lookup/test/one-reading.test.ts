import { tryParseUrl } from "@x/canon";
import { tryParseUrlAsBrowser } from "@x/canon/browser";
import { verifyCanonical } from "@x/canon/verify";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import { randomNumbers } from "./spoofed-urls.ts";

const LABELS = [
  ...["a", "a", "a", "c-d", "www", "evil"],
  "b-",
  "-",
  "_",
  "xn--e1a",
  "xn--a",
  "xn--abc-",
  "xn--",
  "1",
  "0x1",
  "w!eird",
  "a|b",
  "a^",
  "'",
  "~",
  "$&+,;=",
  "*",
  "<",
  "\\",
  '"',
  "`{}",
];
const SEGMENTS = [
  "a",
  "b.c",
  "..a",
  "a..",
  "...",
  "@",
  ":",
  "[x]",
  "|",
  "^",
  "\\",
  "<>",
  '"',
  "`",
  "{}",
  "'",
  "~",
  ";p=1",
  "A",
  "*",
  "=",
  "&",
];

test("a URL that is canonical as it stands has one reading", () => {
  const random = randomNumbers(12);
  const below = (count: number) => Math.floor(random() * count);
  const pick = (values: readonly string[]) => values[below(values.length)]!;
  const some = (values: readonly string[], most: number) =>
    Array.from({ length: 1 + below(most) }, () => pick(values));
  const spans = { hostType: "domain" as const, host: 0, path: 0, query: 0, end: 0 };
  const seen = { canonical: 0, opened: 0, query: 0 };
  for (let i = 0; i < sampleSize(320_000); i++) {
    const host = Array.from({ length: 1 + below(3) }, () => some(LABELS, 2).join("")).join(".");
    const path = Array.from({ length: below(4) }, () => some(SEGMENTS, 2).join("")).join("/");
    const query =
      random() < 0.5 ? "" : `?${some([...SEGMENTS, "/", "?", "/../", "//"], 4).join("")}`;
    const url = `${pick(["http://", "https://"])}${host}/${path}${query}`;
    const bytes = new TextEncoder().encode(url);
    if (!verifyCanonical(bytes, 0, bytes.length, spans)) continue;
    seen.canonical++;
    const browser = tryParseUrlAsBrowser(url);
    if (browser === null) continue;
    seen.opened++;
    if (query !== "") seen.query++;
    const { scheme, ...specification } = tryParseUrl(url)!;
    expect(browser).toEqual({ ...specification, scheme });
  }
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(10_000));
});

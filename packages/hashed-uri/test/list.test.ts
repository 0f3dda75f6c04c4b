import {
  formatHashedUriListHeader,
  type HashedUri,
  type HashedUriListHeader,
  hashedUriMatcher,
  hashUri,
  parseHashedUri,
  parseHashedUriListLine,
} from "@x/hashed-uri";
import { anyCharacter } from "@x/test-support/generated-text";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import vectors from "./vectors/list.json" with { type: "json" };

/** Reads the lines of a list, each with the header of the lines before it. */
function readList(lines: Iterable<string>) {
  const entries: HashedUri[] = [];
  const refused: object[] = [];
  let header: HashedUriListHeader = {};
  let number = 0;
  for (const text of lines) {
    number++;
    const line = parseHashedUriListLine(text, header);
    if (line.kind === "entry") entries.push(line.hashed);
    else if (line.kind === "header") header = line.header;
    else if (line.kind === "refused") {
      refused.push({ line: number, text, code: line.code, index: line.index });
    }
  }
  return { header, entries, refused };
}

describe(vectors.source, () => {
  test.each(vectors.cases)("$input", ({ input, expected }) => {
    const { header = {}, line } = input as { header?: HashedUriListHeader; line: string };
    expect(parseHashedUriListLine(line, header)).toEqual(expected);
  });
});

const header: fc.Arbitrary<HashedUriListHeader> = fc.record(
  {
    variant: fc.constantFrom("N" as const, "P" as const),
    base: fc.constantFrom("http://a/b?c", "HTTP://A", "file:/x", "x://\u00e9/"),
    algorithm: fc.constantFrom("sha1", "md5", "x-sha256", "x-a.b"),
    created: fc
      .date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString()),
    count: fc.nat(),
  },
  { requiredKeys: [] },
);

test("a header is read as it was written, wherever its lines are and in any order", () => {
  let fields = 0;
  fc.assert(
    fc.property(header, fc.nat(), fc.constantFrom("\n", "\r\n"), (written, at, lineEnd) => {
      const lines = formatHashedUriListHeader(written).split("\n").slice(0, -1);
      fields += lines.length;
      const entries = ["hashed:md5=00", "# a comment", "", " hashed:MD5=01+frag\t"];
      const before = entries.splice(0, at % 5);
      const all = [...before, ...lines.toSorted(), ...entries, ...lines];
      const list = readList(all);
      expect(list).toEqual({
        header: written,
        entries: [parseHashedUri("hashed:md5=00"), parseHashedUri("hashed:md5=01+frag")],
        refused: [],
      });
      expect(readList(all.join(lineEnd).split("\n"))).toEqual(list);
    }),
    { seed: 20261122, numRuns: sampleSize(500) },
  );
  expect(fields).toBeGreaterThan(fewest(500));
});

test("any line is an entry, a header, a comment or refused", () => {
  const line = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc
      .tuple(header, fc.constantFrom("", "", " ", "x", "\t\r"))
      .map(([header, end]) => formatHashedUriListHeader(header).split("\n")[0] + end),
    fc
      .array(
        fc.constantFrom(
          ...[
            "#",
            " ",
            "\t",
            "hashed-uri",
            "# hashed-uri ",
            "# hashed-uri variant: ",
            "hashed:md5=0",
            "variant",
            "base",
            "count",
            ": ",
            ":",
          ],
          ...[
            "N",
            "P",
            "1",
            "0",
            "-",
            "http://a/",
            "hashed:",
            "md5=",
            "00",
            "+frag",
            "\ud800",
            "\u2028",
          ],
        ),
        { maxLength: 6 },
      )
      .map((parts) => parts.join("")),
  );
  const seen = { entry: 0, header: 0, comment: 0, refused: 0 };
  fc.assert(
    fc.property(line, header, (text, soFar) => {
      const result = parseHashedUriListLine(text, soFar);
      seen[result.kind]++;
      if (result.kind === "header") {
        // Algorithms are joined; all other fields stay.
        const { algorithm: _, ...others } = soFar;
        expect(result.header).toMatchObject(others);
      }
      if (result.kind === "refused") expect(result.index).toBeLessThanOrEqual(text.length);
      if (/^\s*# hashed-uri \s*\S/.test(text)) expect(["header", "refused"]).toContain(result.kind);
    }),
    { seed: 20261122, numRuns: sampleSize(20_000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(20));
});

describe("a list that was joined from two", () => {
  test("is refused where they differ", () => {
    const first = formatHashedUriListHeader({ variant: "N", algorithm: "sha1", count: 1 });
    const second = formatHashedUriListHeader({ variant: "P", algorithm: "sha1", count: 2 });
    const { header, refused } = readList((first + second).split("\n"));
    expect(header).toEqual({ variant: "N", algorithm: "sha1", count: 1 });
    expect(refused).toEqual([
      { line: 4, text: "# hashed-uri variant: P", code: "list-field-conflicting", index: 22 },
      { line: 6, text: "# hashed-uri count: 2", code: "list-field-conflicting", index: 20 },
    ]);
  });

  test("is read with the header of the first", () => {
    const entry = hashUri("http://h/A", { variant: "P" });
    const { entries, header } = readList([
      "# hashed-uri variant: P",
      entry,
      "# hashed-uri variant: N",
    ]);
    expect(hashedUriMatcher(entries, header)("http://H//a")).toEqual(entries[0]);
  });
});

test.each([
  [{ variant: "n" }, "# hashed-uri variant: n", 22],
  [{ base: "a/b" }, "# hashed-uri base: a/b", 19],
  [{ base: "http://a/\nhashed:md5=00" }, "# hashed-uri base: http://a/\nhashed:md5=00", 19],
  [{ base: "http://a/b\u00a0" }, "# hashed-uri base: http://a/b\u00a0", 19],
  [{ algorithm: "SHA1" }, "# hashed-uri algorithm: SHA1", 24],
  [{ algorithm: "" }, "# hashed-uri algorithm: ", 24],
  [{ created: "2026-11-22" }, "# hashed-uri created: 2026-11-22", 22],
  [{ created: "2026-13-22T08:00:00Z" }, "# hashed-uri created: 2026-13-22T08:00:00Z", 22],
  [{ count: -1 }, "# hashed-uri count: -1", 20],
  [{ count: 1.5 }, "# hashed-uri count: 1.5", 20],
  [{ count: Number.NaN }, "# hashed-uri count: NaN", 20],
  [{ count: "1" }, "# hashed-uri count: 1", 20],
])("a header that could not be read again is not written: %j", (header, input, index) => {
  expect(() => formatHashedUriListHeader(header as never)).toThrow(
    expect.objectContaining({ name: "HashedUriError", code: "list-field-invalid", input, index }),
  );
});

test.each([
  ["header must be an object, not null", () => formatHashedUriListHeader(null as never)],
  ["line must be a string, not a number", () => parseHashedUriListLine(1 as never)],
])("an argument of the wrong type throws a TypeError: %s", (message, run) => {
  expect(run).toThrow(new TypeError(message));
});

test.each([
  ["lines", (n: number) => "hashed:md5=00\n".repeat(n / 10)],
  ["bad lines", (n: number) => "x\n".repeat(n)],
  ["line ends", (n: number) => "\n".repeat(n)],
  ["header lines", (n: number) => "# hashed-uri base: http://a/\n".repeat(n / 20)],
  [
    "conflicting lines",
    (n: number) => `# hashed-uri count: 0\n${"# hashed-uri count: 1\n".repeat(n / 20)}`,
  ],
  ["blanks", (n: number) => `${" ".repeat(n)}x${" ".repeat(n)}`],
  ["a long base", (n: number) => `# hashed-uri base: http://a/${"../".repeat(n)}`],
  ["digits", (n: number) => `# hashed-uri count: ${"1".repeat(n)}`],
])("takes linear time: %s", (_name, make) => {
  expectLinearGrowth((text: string) => readList(text.split("\n")), make);
});

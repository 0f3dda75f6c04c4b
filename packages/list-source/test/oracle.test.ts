import { tryParseUrl } from "@x/canon";
import { exactExpression } from "@x/expressions";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { adblockOracle, csvOracle, hostsOracle, type Meaning } from "./oracle.ts";
import { readText } from "./read.ts";

/** Reads a source and returns its events without line numbers. All names generated here can be entries. */
function outcome(meaning: Meaning): {
  entries: string[];
  refused: string[];
  notApplicable: number;
} {
  const of = (kind: string) => meaning.filter(([which]) => which === kind).map(([, what]) => what);
  return {
    entries: of("entry").map((text) => exactExpression(text)),
    refused: of("refused"),
    notApplicable: of("not-applicable").length,
  };
}

function outcomeOf(text: string, format: "hosts" | "adblock") {
  const { events, summary } = readText(text, { format });
  return {
    entries: events
      .filter((event) => event.includes(": "))
      .map((event) => event.replace(/^\d+: /, "")),
    refused: events
      .filter((event) => event.includes("refused"))
      .map((event) => event.split(" ")[2]),
    notApplicable: summary?.notApplicable,
  };
}

const host = fc.constantFrom("evil.example", "WWW.Bad.example", "a.b.c.example", "x-1.example");

test("hosts files agree with a plain implementation", () => {
  const seen = new Set<string>();
  const word = fc.oneof(
    { weight: 4, arbitrary: host },
    fc.constantFrom(
      "0.0.0.0",
      "127.0.0.1",
      "::",
      "::1",
      "10.0.0.1",
      "2001:db8::1",
      "localhost",
      "#",
      "#x",
    ),
  );
  const line = fc
    .tuple(
      fc.array(word, { maxLength: 4 }),
      fc.constantFrom(" ", "\t", "  \t"),
      fc.constantFrom("", " "),
    )
    .map(([words, blank, start]) => `${start}${words.join(blank)}`);
  const zero =
    /(?:^|\s)0\.0\.0\.0\s+.*0\.0\.0\.0|(?:^|\s)\S+\s+(?:.*\s)?(?:[0-9.]+|[0-9a-f:]+)(?:\s|#|$)/;
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      // Leaves out names that are addresses, because some of them can be entries, and 0.0.0.0 is local.
      const text = lines.filter((each) => !zero.test(each.replace(/#.*/, ""))).join("\n");
      const expected = outcome(hostsOracle(text));
      for (const code of [...expected.refused, expected.entries.length > 1 ? "several" : ""])
        seen.add(code);
      expect(outcomeOf(text, "hosts")).toEqual(expected);
    }),
    { seed: 13, numRuns: sampleSize(2000) },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(["address-missing", "name-missing", "address-not-blocking", "several"]),
  );
});

test("CSV agrees with a plain implementation, well-formed or not", () => {
  const seen = new Set<string>();
  const piece = fc.constantFrom(
    '"',
    '"',
    '""',
    ",",
    ",",
    "\n",
    "\n",
    " ",
    "a",
    "evil.example",
    "http://b.example/",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = `id,url\n${pieces.join("")}`;
      const expected: string[] = [];
      for (const { fields, error, first, last } of csvOracle(text).slice(1)) {
        const lines = last - first + 1;
        const url = fields[1];
        let problem: string | null = error;
        // There may be a delimiter after the last field.
        const isWhole = fields.length === 2 || (fields.length === 3 && fields[2] === "");
        if (problem === null && !isWhole) problem = "column-count";
        if (problem === null && url === "") problem = "field-empty";
        if (problem === null) {
          const parsed = tryParseUrl(url!);
          // Fields with line ends, with blanks but no scheme, with several URLs, and with a host as a scheme are
          // refused.
          const hasScheme = /^[a-z]+:\/\//.test(url!);
          const isPlain =
            !url!.includes("\n") &&
            !/^ *[a-z]+\.[a-z.]+:\/\//.test(url!) &&
            // `ahttp:` is a mangled scheme.
            !/^ *ahttp:/.test(url!) &&
            (hasScheme || !url!.includes(" ")) &&
            !/:\/\/.*[ ,][a-z.]+:\/\//.test(url!);
          if (
            isPlain &&
            parsed !== null &&
            /^[a-z.]+$/.test(parsed.host) &&
            parsed.host.includes(".")
          ) {
            expected.push(`${first}: ${exactExpression(parsed)}`);
            seen.add(lines > 1 ? "entry over lines" : "entry");
            continue;
          }
          problem = "";
        }
        seen.add(problem);
        expected.push(`${first}+${lines} refused ${problem}`);
      }
      const all = readText(text, { format: "csv", column: "url" }).events;
      const events = all.filter((event) => !event.includes("warning"));
      expect(events).toHaveLength(expected.length);
      events.forEach((event, i) => {
        // The reasons for refusing a field are tested elsewhere.
        if (expected[i]!.endsWith("refused ")) expect(event).toContain(expected[i]);
        else expect(event).toBe(expected[i]);
      });
    }),
    { seed: 13, numRuns: sampleSize(5000, 500) },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining([
      "entry",
      "entry over lines",
      "column-count",
      "field-empty",
      "quote-stray",
      "quote-unclosed",
    ]),
  );
});

test("Adblock rules agree with a plain implementation", () => {
  const seen = new Set<string>();
  const option = fc.constantFrom(
    "document",
    "all",
    "doc",
    "script",
    "~script",
    "image",
    "popup",
    "third-party",
    "~third-party",
    "important",
    "domain=a.example",
    "csp=x",
    "badfilter",
    "made-up",
  );
  const rule = fc
    .tuple(
      fc.constantFrom("", "@@"),
      host,
      fc.constantFrom("", "^", "/", "/x/", "/x^", "/x/^", "/x*y", "/a?b"),
      fc.array(option, { maxLength: 3 }),
      fc.constantFrom("", "", "", "##.ad"),
    )
    .map(([at, name, path, options, cosmetic]) =>
      cosmetic !== ""
        ? `${name}${cosmetic}`
        : `${at}||${name}${path}${options.length > 0 ? `$${options}` : ""}`,
    );
  fc.assert(
    fc.property(rule, (text) => {
      const expected = outcome(adblockOracle(text));
      for (const code of expected.refused) seen.add(code);
      if (expected.entries.length > 0) seen.add(`entries: ${expected.entries.length}`);
      if (expected.notApplicable > 0) seen.add("not applicable");
      expect(outcomeOf(`${text}\n`, "adblock"), text).toEqual(expected);
    }),
    { seed: 13, numRuns: sampleSize(5000) },
  );
  expect([...seen].sort()).toEqual(
    [
      "entries: 1",
      "entries: 2",
      "exception",
      "not applicable",
      "option-unknown",
      "pattern",
      "wildcard",
    ].sort(),
  );
});

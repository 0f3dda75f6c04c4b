import { listSourceReader, type SourceFormat } from "@x/list-source";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** What a reader says about each line. */
function reports(format: SourceFormat, lines: readonly string[]): string[] {
  const found = lines.map(() => "");
  const reader = listSourceReader({
    format,
    onEntry: ({ line, expression }) => {
      found[line - 1] += `${expression} `;
    },
    onRefusal: ({ line, code }) => {
      found[line - 1] += `refused ${code} `;
    },
    onNotApplicable: ({ line }) => {
      found[line - 1] += "does not apply ";
    },
  });
  reader.push(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
  reader.end();
  return found;
}

/** The same; `null` if the source is refused as a whole, because the line is the head of a section. */
function reportsOrRefusal(format: SourceFormat, lines: readonly string[]): string[] | null {
  try {
    return reports(format, lines);
  } catch (error) {
    if ((error as { code?: string }).code !== "foreign-format") throw error;
    return null;
  }
}

const WORDS = [
  ...[
    "Whitelist",
    "Beyaz liste",
    "allowed:",
    "=== DO NOT BLOCK ===",
    "[allow]",
    "[rules]",
    "</end>",
  ],
  ...[
    "\u767d\u540d\u5355",
    "Title: Allowlist",
    "false positives",
    "removed",
    "{-block}x",
    "server:",
  ],
];
const SIGNS = ["", "# ", "#", "! ", "!", "; ", ";", "// ", "/* ", "<!-- ", "@@", "@@||", "- "];

/** A line that somebody adds: a remark, a section, an exception, or a line of some format. */
const added = fc.oneof(
  fc.tuple(fc.constantFrom(...SIGNS), fc.constantFrom(...WORDS)).map((parts) => parts.join("")),
  fc.constantFrom(
    ...[
      "0.0.0.0 good.example",
      "192.0.2.1 a.example",
      "127.0.1.1 x",
      "::1",
      "0.0.0.0",
      "\t",
      '"',
      "(",
    ],
    ...["server=/a.example/#", "conf-file=/x", "address=/#/", "address=/a.example/192.0.2.1", "\\"],
    ...[
      "@@||a.example^",
      "||a.example^$badfilter",
      "||good.example^",
      "!#include x",
      "##.ad",
      "!#else",
    ],
    ...[
      "!#endif",
      "[Adblock Plus 2.0]",
      "a.example CNAME rpz-passthru.",
      "$TTL 5",
      "$INCLUDE x",
      "*",
    ],
    ...[
      "good.example CNAME .",
      'local-zone: "a.example" transparent',
      "include: x",
      "@ TXT x",
      "a.example TXT (",
      " CNAME .",
      "c.example A 192.0.2.1",
    ],
  ),
);

const SOURCES: readonly (readonly [SourceFormat, readonly string[]])[] = [
  ["hosts", ["0.0.0.0 a.example", "127.0.0.1 b.example c.example", "192.0.2.1 d.example", "# x"]],
  ["dnsmasq", ["address=/a.example/#", "local=/b.example/", "server=/c.example/#", "# x"]],
  [
    "unbound",
    [
      "server:",
      'local-zone: "a.example" static',
      'local-data: "b.example A 0.0.0.0"',
      'local-zone: "c.example" transparent',
      "# x",
    ],
  ],
  ["rpz", ["a.example CNAME .", "*.b.example A 0.0.0.0", "c.example CNAME rpz-passthru.", "; x"]],
  ["adblock", ["||a.example^", "||b.example/x/$all", "@@||c.example^", "d.example##.ad", "! x"]],
  ["urls", ["http://a.example/x", "b.example", "# x", "!c.example", "d.example # y"]],
  ["domains", ["a.example", "*.b.example", "# x", "c.example # y"]],
];

describe("a line that is added changes what no other line means", () => {
  test.each(SOURCES)("%s", (format, source) => {
    const before = reports(format, source);
    let read = 0;
    fc.assert(
      fc.property(added, fc.nat({ max: source.length }), (line, at) => {
        const after = reportsOrRefusal(format, source.toSpliced(at, 0, line));
        if (after === null) return;
        if (after[at] !== "") read++;
        expect(after.toSpliced(at, 1), `${line} before line ${at + 1}`).toEqual(before);
      }),
      { seed: 20261128, numRuns: sampleSize(2000, 200) },
    );
    expect(read).toBeGreaterThan(fewest(20));
  });

  test("only scopes of the format itself do, and what they take is refused", () => {
    const rules = ["||a.example^", "||b.example^", "||c.example^"];
    for (const [line, refused] of [
      ["!#if false", 2],
      ["!+ PLATFORM(windows)", 1],
    ] as const) {
      const after = reports("adblock", rules.toSpliced(1, 0, line)).toSpliced(1, 1);
      expect(after.filter((each) => each === "refused directive ")).toHaveLength(refused);
      expect(after.filter((each) => each.includes("example"))).toHaveLength(3 - refused);
    }
    const options = ["server:", 'local-zone: "a.example" static'];
    expect(reports("unbound", options.toSpliced(1, 0, "view:"))[2]).toBe("refused directive ");
    const zone = ["$ORIGIN rpz.", "a.example CNAME .", "b.example CNAME ."];
    expect(reports("rpz", zone.toSpliced(2, 0, "$ORIGIN elsewhere."))[3]).toBe(
      "refused name-absolute ",
    );
  });
});

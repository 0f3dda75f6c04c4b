import { readUrl } from "@x/canon/readings";
import { type CheckedUrl, disguisesOf, toCsv } from "@x/explain";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const PASSED = { canonical: "http://a.b/", listed: false, matches: [] };

function row(url: string): { readonly line: number } & CheckedUrl {
  return { line: 1, url, ...PASSED };
}

/** The cell that `toCsv` writes for a URL. */
function written(url: string): string {
  const [, line = ""] = toCsv([row(url)]).split(/\r\n(?=1,|$)/);
  return line.slice("1,".length, -",not listed,http://a.b/,,,,,,,,".length);
}

test.each([
  ["http://a.b/c?d=e", "http://a.b/c?d=e"],
  ["=1+1", `"'=1+1"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@SUM(1)", `"'@SUM(1)"`],
  [" =1", `" '=1"`],
  ["\t=1", `"'\t'=1"`],
  ["\tx", `"'\tx"`],
  [";=1+1", `";'=1+1"`],
  ["http://a.b/;-1", `"http://a.b/;'-1"`],
  ["http://a.b/|@x", `"http://a.b/|'@x"`],
  ["http://a.b/\t+x", `"http://a.b/\t'+x"`],
  ['a;"=1', `"a;'""=1"`],
  ["\uff1d1+1", `"'\uff1d1+1"`],
  ["\uff0b1", `"'\uff0b1"`],
  ["\uff0d1", `"'\uff0d1"`],
  ["\uff20x", `"'\uff20x"`],
  ["a\u3000\uff1d1", `"a\u3000'\uff1d1"`],
  ["\ufeff=1", `"\ufeff'=1"`],
  ['a,"b"', `"a,""b"""`],
  ["a\rb", `"a\rb"`],
  ["a\u2028b", `"a\u2028b"`],
])("%j becomes %s", (url, expected) => {
  expect(written(url)).toBe(expected);
});

/** The cells of a table in a spreadsheet that treats `delimiter` as the end of a cell. */
function cellsOf(table: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let i = 0; i < table.length; i++) {
    const character = table.charAt(i);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (table.charAt(i + 1) === '"') {
        cell += '"';
        i++;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === delimiter || character === "\n" || character === "\r") {
      cells.push(cell);
      cell = "";
    } else cell += character;
  }
  return [...cells, cell];
}

test("no cell starts like a formula, whatever ends a cell", () => {
  const piece = fc.constantFrom(
    ..."= + - @ ＝ ＋ － ＠ ; | , \" ' a 1".split(" "),
    " ",
    "\t",
    "\n",
    "\r",
  );
  let formulas = 0;
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }).map((all) => all.join("")),
      (url) => {
        if (/[=+\-@＝＋－＠]/.test(url)) formulas++;
        const table = toCsv([row(url)]);
        for (const delimiter of [",", ";", "\t", "|", " "]) {
          for (const cell of cellsOf(table, delimiter)) {
            expect(cell.trimStart()).not.toMatch(/^"*[=+\-@＝＋－＠]/);
          }
        }
      },
    ),
    { seed: 6, numRuns: sampleSize(3000) },
  );
  expect(formulas).toBeGreaterThan(fewest(1000));
});

test("a row for each match; the cells of a refused line are empty", () => {
  const match = {
    list: "=phishing",
    checksum: "00",
    created: "2026-01-31T12:00:00.000Z",
    expression: "a.b/",
    prefix: "01020304",
    confirmed: false,
    reading: "browser",
  } as const;
  const error = { code: "host-missing", message: "", expected: "", index: 0, section: null };
  const table = toCsv([
    {
      line: 1,
      url: "a.b",
      canonical: null,
      browser: "http://a.b/",
      listed: true,
      matches: [match, match],
    },
    { line: 2, url: "", error },
  ]);
  expect(table.split("\r\n")).toEqual([
    "line,url,verdict,canonical,browser,list,expression,prefix,confirmed,reading,disguises,error",
    `1,a.b,listed,,http://a.b/,"'=phishing",a.b/,01020304,false,browser,,`,
    `1,a.b,listed,,http://a.b/,"'=phishing",a.b/,01020304,false,browser,,`,
    "2,,not a URL,,,,,,,,,host-missing",
    "",
  ]);
});

test("a disguised URL has its own verdict, and the codes of its disguises", () => {
  const url = "http://www.bank.example@2130706433/";
  const [disguise] = disguisesOf(url, readUrl(url));
  const [, line] = toCsv([{ ...row("http://a.b/"), disguises: [disguise!] }]).split("\r\n");
  expect(line).toBe("1,http://a.b/,disguised,http://a.b/,,,,,,,user-name,");
});

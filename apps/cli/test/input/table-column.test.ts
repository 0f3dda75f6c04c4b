import { lineReader } from "@x/lookup/lines";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { IS_DEEP } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import fc from "fast-check";
import { expect, test } from "vitest";
import { columnBlocks } from "../../src/input/tables.ts";
import { run } from "../run.ts";
import { recordsIn, verdictIn } from "../verdicts.ts";

const folder = temporaryFolder();
const LIST = folder.write(
  "l.list",
  encodePrefixList(prefixList([fullHash("evil.example/")], { name: "l", prefixBytes: 8 })),
);

type Stdin = string | Uint8Array | readonly Uint8Array[];

/** Returns the rows of a table that are not blank: the number, the verdict, the canonical URL and the problem. */
async function verdicts(column: string, stdin: Stdin): Promise<string[]> {
  const argv = ["check", "--list", LIST, "--ndjson", "--column", column];
  const ran = await run(argv, { stdin });
  expect(ran.stderr).toBe("");
  return recordsIn(ran.stdout).map((record) =>
    [record.row, verdictIn(record), record.canonical, record.error?.code]
      .filter((field) => field !== undefined)
      .join(" "),
  );
}

test("a column by its name or its number, whatever the delimiter", async () => {
  for (const delimiter of [",", ";", "\t", "|"]) {
    const rows = ["7", "http://www.evil.example/a,b", "x"].map((field) =>
      delimiter === "," ? `"${field}"` : field,
    );
    const table = [["id", "Link", "note"], rows, ["8", "good.example", ""]]
      .map((row) => `${row.join(delimiter)}\r\n`)
      .join("");
    const expected = ["2 listed http://www.evil.example/a,b", "3 not-listed http://good.example/"];
    expect(await verdicts("Link", table)).toEqual(expected);
    expect(await verdicts("link", `\ufeff${table}`)).toEqual(expected);
    expect(await verdicts("2", table)).toEqual(["1 not-listed http://link/", ...expected]);
  }
});

test("a first row with a tab is separated by tabs", async () => {
  expect(await verdicts("1", "http://evil.example/a,b\tx\nhttp://good.example/\ty\n")).toEqual([
    "1 listed http://evil.example/a,b",
    "2 not-listed http://good.example/",
  ]);
});

test("quoted fields have delimiters, quotation marks and line ends", async () => {
  const table = 'url,note\n"http://evil.exa\nmple/","a ""b"", c\n\nd"\n\nhttp://good.example/,\n';
  expect(await verdicts("url", table)).toEqual([
    "2 listed http://evil.example/",
    "4 not-listed http://good.example/",
  ]);
});

test("bytes that are not UTF-8 reach the check as they are", async () => {
  const urls = [
    "http://evil.example/\xe0",
    "http://a.example/\xff\xa0",
    "http://a.example/\xc3\xa0",
  ];
  const table = Buffer.from(`1,${urls.join("\n2,")}\n`, "latin1");
  expect(await verdicts("2", table)).toEqual([
    "1 listed http://evil.example/%E0",
    "2 not-listed http://a.example/%FF%A0",
    "3 not-listed http://a.example/%C3%A0",
  ]);
});

test("rows that cannot be read are reported, and never checked", async () => {
  const table = [
    "id,url",
    "1,http://a.example/,http://evil.example/",
    "http://evil.example/",
    '2,"http://a.example/" x',
    '3,"http://a.example/',
    "4,http://evil.example/",
    '5,x"',
    "6,http://evil.example/",
    `7,http://a.example/${"x".repeat(2 ** 21)}`,
    '8,"http://a.example/',
  ].join("\n");
  expect(await verdicts("url", table)).toEqual([
    "2 not-a-url column-count",
    "3 not-a-url column-count",
    "4 not-a-url quote-stray",
    "5 not-a-url rows-quoted",
    "6 listed http://evil.example/",
    "7 not-a-url line-too-long",
    "8 not-a-url quote-unclosed",
  ]);
  expect(await verdicts("3", "a,b\n")).toEqual(["1 not-a-url column-count"]);
  const argv = ["check", "--list", LIST, "--column", "url"];
  const text = await run([...argv, "--only-listed"], { stdin: table.slice(0, 100) });
  expect(text).toMatchObject({ status: 4, stdout: "" });
  expect(text.stderr).toMatch(/^urlhash: row 2: .* expected as many fields as the header/m);
  const json = await run([...argv, "--ndjson"], { stdin: "url\nevil.example\n" });
  expect(JSON.parse(json.stdout)).toMatchObject({ row: 2, listed: true });
});

test("a quotation mark that is never closed hides no more than 64 KiB, and says so", {
  tags: "deep",
}, async () => {
  const rows = Array.from({ length: 9000 }, (_, i) => `${i},http://evil.example/`);
  rows[10] = '10,"http://evil.example/';
  const found = await verdicts("2", rows.join("\n"));
  expect(found[10]).toBe("11 not-a-url quote-unclosed");
  expect(found.length).toBeGreaterThan(6000);
  expect(new Set(found.map((row) => row.split(" ")[1]))).toEqual(new Set(["listed", "not-a-url"]));
  const { stderr } = await run(["check", "--list", LIST, "--column", "2", "--only-listed"], {
    stdin: rows.join("\n"),
  });
  expect(stderr).toMatch(/looks like \d{4} lines that do not form one row/);
});

test("blank lines are not kept, also inside an unclosed quotation mark", async () => {
  const blanks = "\n".repeat(70_000);
  async function* blocks() {
    const reader = lineReader();
    for (const piece of ["id,url\n", blanks, '1,"x\n', blanks])
      yield reader.push(Buffer.from(piece));
    yield reader.end();
  }
  const rows: number[] = [];
  for await (const block of columnBlocks(blocks(), { column: "url", file: "-" })) {
    rows.push(block.lines);
  }
  // A record has 65 536 characters at most.
  const unclosed = 2 ** 16 + 1 - '1,"x\n'.length;
  expect(rows).toEqual([1, 70_000, 0, 1 + 70_000 - unclosed, 0, 0]);
});

test("a row that is too long and begins with blanks is reported", async () => {
  const long = `${" ".repeat(2 ** 21)}http://evil.example/`;
  expect(await verdicts("url", `url\n${long}\nhttp://good.example/\n`)).toEqual([
    "2 not-a-url line-too-long",
    "3 not-listed http://good.example/",
  ]);
});

test("comments before the rows are not rows, and may be the header", async () => {
  const table = "# a dump\n# id,url\n1,evil.example\n#2,evil.example\n";
  expect(await verdicts("url", table)).toEqual([
    "3 listed http://evil.example/",
    "4 listed http://evil.example/",
  ]);
});

test.each([
  ["link", "id,url\n1,a.example\n", /^urlhash: stdin looks like .*"id,url".*"link"/],
  ["url", "url,x,url\na,b,c\n", /^urlhash: stdin looks like .* 2 columns named "url"/],
  ["", "url\na.example\n", /cannot be '': expected a value that is not empty/],
  ["1", "PAR1\x15\x04\x15\x1c", /^urlhash: stdin looks like a Parquet file: expected a table\n$/],
  ["1", "\x89PNG\r\n\x1a\n\0\0\0", /^urlhash: stdin looks like .*: expected a table\n$/],
  ["1", "\xff\xfea\0,\0b\0\n\0", /^urlhash: stdin looks like .*: expected a table\n$/],
])("column %s of another table ends the command", async (column, table, message) => {
  const argv = ["check", "--list", LIST, "--column", column];
  const ran = await run(argv, { stdin: Buffer.from(table, "latin1") });
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toMatch(message);
});

test("what is read does not depend on the pieces", {
  tags: "deep",
}, async () => {
  const field = fc.oneof(
    fc.constantFrom(
      "evil.example",
      "http://a.example/x,y",
      'say "hi"',
      "two\nlines",
      "",
      "é à\xa0",
    ),
    fc.string({ maxLength: 6 }),
  );
  const table = fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 12 });
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 60 }), async (rows, pieceBytes) => {
      const lines = rows.map((row) => row.map(quoted).join(",")).join("\n");
      const bytes = Buffer.from(`"x","url"\n${lines}\n`);
      const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, i) =>
        bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes),
      );
      const found = await verdicts("url", pieces);
      expect(found).toEqual(await verdicts("url", bytes));
      const byRow = new Map(found.map((each) => [Number.parseInt(each, 10), each]));
      for (const [i, [, url]] of rows.entries()) {
        if (url === "evil.example") expect(byRow.get(i + 2)).toMatch(/ listed | rows-quoted$/);
      }
    }),
    { seed: 31, numRuns: IS_DEEP ? 300 : 40 },
  );
});

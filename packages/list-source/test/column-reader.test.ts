import { columnReader, readListSource } from "@x/list-source";
import { describe, expect, test } from "vitest";

/** The values and refusals of a table, each after its line. */
function read(lines: readonly string[], column: string | number = "id"): string[] {
  const found: string[] = [];
  const reader = columnReader({
    column,
    accepts: (text) => /^urn:/i.test(text),
    onValue: (text, line) => found.push(`${line}: ${text}`),
    onRefusal: ({ line, lines, code }) => found.push(`${line}+${lines}: ${code}`),
  });
  for (const [i, line] of lines.entries()) reader.line(line, i + 1);
  reader.end();
  return found;
}

describe("the column", () => {
  test.each([",", ";", "\t", "|"])("by name, with %j between fields", (delimiter) => {
    const lines = ["title,ID", "One,urn:a:1", '"Two", urn:a:2 '];
    const found = read(lines.map((line) => line.replaceAll(",", delimiter)));
    expect(found).toEqual(["2: urn:a:1", "3: urn:a:2"]);
  });

  test("by number, without a header", () => {
    expect(read(["One;urn:a:1", "Two;urn:a:2"], 2)).toEqual(["1: urn:a:1", "2: urn:a:2"]);
    expect(read(["urn:a:1"], 1)).toEqual(["1: urn:a:1"]);
    expect(read(["urn:a:1,b"], 3)).toEqual(["1+1: column-count"]);
  });

  test("in a comment before the rows", () => {
    expect(read(["# ids", "#id,title", "urn:a:1,One"])).toEqual(["3: urn:a:1"]);
  });

  test("that is missing, or there twice", () => {
    expect(() => read(["title,name", "a,b"])).toThrow(
      expect.objectContaining({ code: "column-missing" }),
    );
    expect(() => read(["id,ID,id", "a,b,c"])).toThrow(
      expect.objectContaining({
        code: "column-ambiguous",
        message:
          'This looks like a table with 2 columns named "id": expected the number of one of them.',
      }),
    );
    for (const column of ["", 0, 1.5, null, {}]) {
      expect(() => read([], column as string)).toThrow(TypeError);
    }
  });
});

describe("rows", () => {
  test("every row is reported, with the line on which it begins", () => {
    const lines = [
      "id,note",
      'urn:a:1,"one',
      "",
      'two"',
      "#urn:a:2,x",
      "urn:a:3",
      ",x",
      '"urn:a:""4""",x',
      '"urn:a:5" ,x',
      '"urn:a:6"x,y',
      'urn:a:7,"open',
    ];
    expect(read(lines)).toEqual([
      "2: urn:a:1",
      "5: #urn:a:2",
      "6+1: column-count",
      "7+1: field-empty",
      '8: urn:a:"4"',
      "9: urn:a:5",
      "10+1: quote-stray",
      "11+1: quote-unclosed",
    ]);
  });

  test("rows that an open quotation mark swallowed are not lost in silence", () => {
    const found = read(["id,note", 'urn:a:1,"a', "urn:a:2,b", 'urn:a:3,c"', "urn:a:4,d"]);
    expect(found).toEqual(["2+3: rows-quoted", "5: urn:a:4"]);
  });

  test("empty lines count in a row that is open, and nowhere else", () => {
    const found: string[] = [];
    const reader = columnReader({
      column: "id",
      accepts: () => false,
      onValue: (text) => found.push(text),
      onRefusal: ({ lines, code }) => found.push(`${lines} ${code}`),
    });
    const isOpen = ["", "id,note", "", '"a', "", 'b",c', "", '"d'].map((line, i) => {
      reader.line(line, i + 1);
      return reader.isOpen();
    });
    expect(isOpen).toEqual([false, false, false, true, true, false, false, true]);
    for (let i = 0; reader.isOpen(); i++) reader.line("", 9 + i);
    expect(found).toEqual(["a\n\nb", "65535 quote-unclosed"]);
  });

  test("a line that cannot be read ends an open row", () => {
    const found: string[] = [];
    const reader = columnReader({
      column: 1,
      accepts: () => false,
      onValue: (text, line) => found.push(`${line}: ${text}`),
      onRefusal: ({ line, code }) => found.push(`${line}: ${code}`),
    });
    reader.line('"a', 1);
    reader.end();
    reader.line("b", 3);
    reader.end();
    reader.end();
    expect(found).toEqual(["1: quote-unclosed", "3: b"]);
  });
});

test("a table of URLs has the same values as in a list source", async () => {
  const lines = [
    "url;note",
    "http://a.example/1;x",
    '"http://b.example/2";"two',
    'lines"',
    "http://c.example/3",
    ";empty",
  ];
  const values: string[] = [];
  const reader = columnReader({
    column: "url",
    accepts: () => true,
    onValue: (text) => values.push(text.slice("http://".length)),
    onRefusal: ({ code }) => values.push(code),
  });
  for (const [i, line] of lines.entries()) reader.line(line, i + 1);
  reader.end();
  const entries: (string | null)[] = [];
  await readListSource([new TextEncoder().encode(`${lines.join("\n")}\n`)], {
    format: "csv",
    column: "url",
    where: "all",
    onEntry: ({ expression }) => entries.push(expression),
    onRefusal: ({ code }) => entries.push(code),
  });
  expect(values).toEqual(entries);
});

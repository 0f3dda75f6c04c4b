import { gzipSync } from "node:zlib";
import { listSourceReader, type SourceFormat } from "@x/list-source";
import { describe, expect, test } from "vitest";
import { type ReadOptions, readPieces, readText } from "./read.ts";

/** The events of a source that are neither entries nor warnings about entries. */
function problems(text: string, options: ReadOptions = {}): readonly string[] {
  const { events, error } = readText(text, options);
  return error === null ? events.filter((event) => !/^\d+: /.test(event)) : [error];
}

describe("a quotation mark that swallows rows", () => {
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `http://h${from + i}.example/,fine\n`).join("");

  test("all lines of the record are refused", () => {
    const text = `url,note\n${rows(2, 9)}http://h10.example/,"5 inches\n${rows(11, 40)}http://h41.example/,"\n`;
    const { events, summary } = readText(text, { column: "url" });
    expect(events.at(-1)).toBe("10+32 refused rows-quoted");
    expect(summary).toMatchObject({ entries: 8, refused: 32 });
  });

  test.each([
    ["a row before the closing mark", 'url,note\nhttp://a.example/,"x\nhttp://b.example/,y"\n'],
    [
      "a row that goes on after it",
      'url,note,day\nhttp://a.example/,"x,2\nhttp://b.example/,y",2\n',
    ],
    ["CRLF", 'url,note\r\nhttp://a.example/,"x\r\nhttp://b.example/,y\r\nhttp://c.example/,"\r\n'],
    [
      "quoted fields",
      'note,url\n"x,http://a.example/\ny,http://b.example/\nz",http://c.example/\n',
    ],
    [
      "doubled marks",
      'url,note\nhttp://a.example/,"x\nhttp://b.example/,""y""\nhttp://c.example/,"\n',
    ],
    ["tabs", 'url\tnote\nhttp://a.example/\t"x\nhttp://b.example/\ty\nc.example\t"\n'],
    ["a host alone", 'url,note\na.example,"x\nb.example,y\nc.example,"\n'],
  ])("%s", (_, text) => {
    const { events } = readText(text, { column: "url" });
    expect(events).toEqual([expect.stringMatching(/^2\+[23] refused rows-quoted$/)]);
  });

  test.each([
    ["lines of a note", 'url,note\nhttp://a.example/,"one\ntwo, and\nthree"\n'],
    ["URLs in a note", 'url,note\nhttp://a.example/,"see also\nhttp://b.example/\nc.example"\n'],
    ["a note before the URL", 'note,url\n"one\ntwo",http://a.example/\n'],
    ["URLs before more fields", 'url,note,day\nhttp://a.example/,"see\nhttp://b.example/",2\n'],
    ["a quotation mark in a field", 'url,note\nhttp://a.example/,5" disk\nb.example,6" disk\n'],
  ])("but %s may be quoted", (_, text) => {
    expect(problems(text, { column: "url" })).toEqual([]);
  });

  test("a mark in a comment line opens nothing", () => {
    const text = '# say "x\nurl,note\nhttp://a.example/,b\n# "\nhttp://c.example/,d\n';
    expect(problems(text, { column: "url" })).toEqual([]);
  });
});

/** The options for a format. Records have a column. */
const columnOf = (format: SourceFormat): ReadOptions =>
  format === "csv" || format === "json-lines" ? { format, column: "url" } : { format };

describe("a source that was cut short", () => {
  const forms = "https://docs.google.com/forms/d/abc\nhttp://evil.example/?id=1\n";

  const refused: readonly [string, SourceFormat, string][] = [
    ["a URL in its host", "urls", `${forms}https://docs.google.co`],
    ["a URL after its host", "urls", `${forms}https://docs.google.com`],
    ["a URL after the slash", "urls", `${forms}https://docs.google.com/`],
    ["a URL after a folder", "urls", `${forms}https://docs.google.com/forms/`],
    [
      "a URL before its query",
      "urls",
      "http://a.example/?1\nhttp://b.example/u?2\nhttp://c.example/u",
    ],
    ["a URL in a file with CRLF", "urls", "http://a.example/b\r\nhttp://docs.example"],
    ["a URL in the last column", "csv", "id,url\n1,http://a.example/b\n2,http://docs.example"],
    ["a rule before its options", "adblock", "||a.example^$third-party\n||b.example^"],
    ["a rule in its options", "adblock", "||a.example^$all,domain=c.example\n||b.example^$all"],
    ["a cosmetic rule", "adblock", "||c.example^\na.example##.ad\nb.example"],
    ["a rule in its path", "adblock", "||a.example/kit/x\n||b.example/"],
    ["an option before its server", "dnsmasq", "server=/a.example/192.0.2.1\nserver=/b.example/"],
    ["an exception", "dnsmasq", "server=/a.example/#\nserver=/b.example/"],
    ["an address", "dnsmasq", "address=/a.example/::ffff:192.0.2.1\naddress=/b.example/::"],
    ["a redirect", "rpz", "a.example CNAME *.walled.example.\nb.example CNAME *."],
    ["an address in a zone", "rpz", "a.example AAAA ::ffff:192.0.2.1\nb.example AAAA ::"],
    ["a hash", "hex", `${"a1".repeat(32)}\n${"b2".repeat(31)}`],
    ["a hash prefix", "hex", `${"a1".repeat(8)}\n${"b2".repeat(4)}`],
  ];

  test.each(refused)("%s is refused", (_, format, text) => {
    const lines = text.split("\n").length;
    expect(problems(text, columnOf(format)).at(-1)).toBe(`${lines}+1 refused line-cut`);
    expect(problems(`${text}\n`, columnOf(format)).join()).not.toContain("line-");
  });

  const warned: readonly [string, SourceFormat, string][] = [
    ["URLs of hosts", "urls", "http://a.example/\nhttp://b.exam"],
    ["pages", "urls", "http://a.example/b\nhttp://a.example/lo"],
    [
      "a page among few queries",
      "urls",
      "http://a.example/?1\nb.example/x\nc.example/x\nd.example/x",
    ],
    ["domains", "domains", "a.example\nb.exam.ple"],
    ["one domain", "domains", "a.example"],
    ["a hosts file", "hosts", "0.0.0.0 a.example\n0.0.0.0 b.example c.exam.ple"],
    ["hosts among rules", "adblock", "||a.example^\nb.example"],
    ["a rule without its end", "adblock", "||a.example^\n||b.exam.ple"],
    ["the last column", "csv", "id,url\n1,a.example\n2,b.exam.ple"],
    ["options", "adblock", "||a.example^\n||b.example^$all"],
    ["a short hash alone", "hex", "a1b2c3d4"],
  ];

  test.each(warned)("a warning names the last of %s", (_, format, text) => {
    const { events } = readText(text, columnOf(format));
    const lines = text.split("\n").length;
    expect(events.slice(-2)).toEqual([
      expect.stringMatching(`^${lines}: `),
      `${lines} warning line-end-missing`,
    ]);
    expect(problems(`${text}\n`, columnOf(format))).toEqual([]);
  });

  const whole: readonly [string, SourceFormat, string][] = [
    ["a quoted field", "csv", 'id,url\n1,"http://a.example/b"\n2,"http://b.example/"'],
    ["a column before the last", "csv", "url,day\nhttp://a.example/b,2\nhttp://b.example/,3"],
    ["an object", "json-lines", '{"url":"http://a.example/b"}\n{"url":"http://b.example/"}'],
    ["a rule with its end", "adblock", "||a.example^\n||b.example^"],
    ["an option", "dnsmasq", "address=/a.example/0.0.0.0\naddress=/b.example/0.0.0.0"],
    ["a domain without a server", "dnsmasq", "server=/a.example/\nserver=/b.example/"],
    ["a record", "rpz", "32.1.2.0.192.rpz-ip CNAME .\nb.example CNAME ."],
    ["a full hash", "hex", "a1".repeat(32)],
    ["hashes of one length", "hex", `${"a1".repeat(8)}\n${"b2".repeat(8)}`],
    ["an entry before a comment", "urls", "http://a.example/b\nhttp://b.example/ # wh"],
    ["a comment", "urls", "http://a.example/b\nhttp://b.example/\n# en"],
    ["a comment among rules", "adblock", "a.example##.ad\n||b.example^\n! en"],
    ["a line end cut in two", "urls", "http://a.example/b\r\nhttp://b.example/\r"],
    ["blanks", "urls", "http://a.example/b\nhttp://b.example/\n  "],
  ];

  test.each(whole)("nothing is missing after %s", (_, format, text) => {
    expect(problems(text, columnOf(format))).toEqual([]);
  });

  const incomplete: readonly [string, SourceFormat, string, string][] = [
    ["a quoted field", "csv", 'id,url\n1,http://a.example/\n2,"http://docs.ex', "quote-unclosed"],
    [
      "a row",
      "csv",
      "url,day\nhttp://a.example/,2\nhttp://b.example/,2\nhttp://docs.example",
      "column-count",
    ],
    ["an object", "json-lines", '{"url":"http://a.example/"}\n{"url":"http://b', "json-invalid"],
    ["an address", "hosts", "0.0.0.0 a.example\n0.0.0.", "address-missing"],
    ["an option", "dnsmasq", "local=/a.example/\nlocal=/b.ex", "not-a-url"],
    ["a record", "rpz", "a.example CNAME .\nb.example CNAM", "record-unknown"],
    ["a target", "rpz", "a.example CNAME .\nb.example CNAME rpz-pass", "redirect"],
    ["an option of a rule", "adblock", "||a.example^\n||b.example^$third-pa", "option-unknown"],
    ["a scheme", "urls", "http://a.example/\nhttps:/", "not-a-url"],
  ];

  test.each(incomplete)("%s that is cut is refused", (_, format, text, code) => {
    expect(problems(text, columnOf(format))).toEqual([expect.stringContaining(`refused ${code}`)]);
  });

  test("in the middle of a character", () => {
    const bytes = new TextEncoder().encode("http://a.example/b\nhttp://b.example/\u00fc");
    expect(readPieces([bytes.subarray(0, -1)]).events.at(-1)).toBe("2+1 refused not-utf-8");
  });

  test("a compressed file is refused, whole or not", () => {
    const bytes = gzipSync(forms);
    expect(readPieces([bytes.subarray(0, -9)]).error).toBe("compressed");
    expect(readPieces([bytes.subarray(0, -9)], { format: "urls" }).error).toBe("compressed");
  });
});

test.each([
  ["url,domain\nhttp://a.example/b,a.example\n", {}, "column-missing"],
  ["# url,host\nhttp://a.example/b,a.example\n", {}, "column-missing"],
  [
    "# url,host\nhttp://a.example/b,a.example\nhttp://c.example/b,c.example\n",
    {},
    "column-missing",
  ],
  ["url,url\nhttp://a.example/,b.example\n", {}, "column-missing"],
  ["url,threat,ip\nhttp://a.example/b,x,192.0.2.1\n", {}, "column-missing"],
  ["a,a\nhttp://a.example/,b\n", { column: "a" }, "column-ambiguous"],
  ["a,A\nhttp://a.example/,b\n", { column: "a" }, null],
  ["b,A,a\nx,http://a.example/,b\n", { column: "A" }, null],
  ["b,C,c\nx,http://a.example/,b\n", { column: "B" }, null],
  ["b,C,c\nx,http://a.example/,b\n", { column: "d" }, "column-missing"],
  ['{"url":"http://a.example/b"}\n'.repeat(2), {}, "column-missing"],
  ['{"url":"http://a.example/","host":"a.example"}\n'.repeat(2), { column: "url" }, null],
])("the column of %j, with %j: %s", (text, options, error) => {
  expect(readText(text, options)).toMatchObject({ error });
});

test("the message shows each column with an example", () => {
  for (const [text, message] of [
    [
      "id,url,x\n1,http://a.example/,\n2,http://b.example/,\n",
      'a table; it has "id" (such as "1"), "url" (such as "http://a.example/"), "x": expected the name of the column with the entries.',
    ],
    [
      "1,a.example\n2,b.example\n",
      'a table without a header; it has "1" (such as "1"), "2" (such as "a.example"): expected the number of the column with the entries.',
    ],
    [
      '{"id":"1","url":"http://a.example/"}\n'.repeat(2),
      'a list of JSON objects; it has "url" (2 values, such as "http://a.example/"): expected the name or path of the field with the entries.',
    ],
  ] as const) {
    const reader = listSourceReader({ onEntry: () => {} });
    reader.push(new TextEncoder().encode(text));
    expect(() => reader.end()).toThrow(message);
  }
});

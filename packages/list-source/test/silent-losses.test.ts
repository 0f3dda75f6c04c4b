import { foreignLine, foreignSource, recognizeSource, type SourceFormat } from "@x/list-source";
import { expect, test } from "vitest";
import { readText } from "./read.ts";

/** Sources in which a host or URL was once left out, or became another one, without notice. */
const SOURCES: readonly [string, SourceFormat, string, readonly string[]][] = [
  [
    "a zone file with one $ORIGIN for each part of a name",
    "rpz",
    "$ORIGIN .\n$TTL 300\nrpz.local IN SOA localhost. root.localhost. (\n\t5 ; serial\n\n\t3600 900 2592000\n\t7200 )\n" +
      "$ORIGIN rpz.local.\nevil.example CNAME .\n$ORIGIN Example.RPZ.local.\nwww.bad CNAME .\n*.www.bad CNAME .\n" +
      "$ORIGIN org\nkit CNAME .\n",
    ["9: evil.example/", "11: www.bad.example/", "12: www.bad.example/", "14: kit.org.example/"],
  ],
  [
    "directives that stand for other records",
    "rpz",
    "$TTL 60\nevil.example CNAME .\n$INCLUDE more.zone\n$GENERATE 1-9 h$.example CNAME .\n",
    ["2: evil.example/", "3+1 refused record-unknown", "4+1 refused record-unknown"],
  ],
  [
    "an SOA record that is not closed before other records",
    "rpz",
    "evil.example CNAME .\n@ SOA a. b. ( 1 2 3\n\nlost.example CNAME .\nbad.example CNAME .\n",
    ["1: evil.example/", "2+3 refused record-unclosed", "5: bad.example/"],
  ],
  [
    "two records on one line",
    "rpz",
    "evil.example CNAME .\nbad.example CNAME . lost.example CNAME .\n",
    ["1: evil.example/", "2+1 refused record-unknown"],
  ],
  [
    "an SOA record that is never closed",
    "rpz",
    "evil.example CNAME .\n@ SOA a. b. ( 1 2\n3\n",
    ["1: evil.example/", "2+2 refused record-unclosed"],
  ],
  [
    "a clause of unbound with an option on its line",
    "unbound",
    'server: local-zone: "lost.example" static\nlocal-zone: "evil.example" static\nforward-zone: name: "."\n',
    ["1+1 refused option-unknown", "2: evil.example/", "3+1 refused option-unknown"],
  ],
  [
    "options with domains that dnsmasq does not know",
    "dnsmasq",
    "server=/evil.example/\nserver=/bad.example\nserver=192.0.2.1\nadress=/bad.example/\nipset=/bad.example/x\nconf-dir=/etc/x.d\nserver=/bad.example/1.2\n",
    [
      "1: evil.example/",
      "2+1 refused not-a-url",
      "4+1 refused not-a-url",
      "6+1 refused directive",
      "7+1 refused not-a-url",
    ],
  ],
  [
    "rules for URLs with the signs of cosmetic rules in their paths",
    "adblock",
    "||evil.example/a##b|\n|https://evil.example/a$$b|\nevil.example##b\n",
    ["1+1 refused adblock-rule", "2: evil.example/a$$b"],
  ],
  [
    "an IPv6 address among rules",
    "adblock",
    "[Adblock Plus 2.0]\n||evil.example^\n[2001:db8::1]\n",
    ["2: evil.example/", "3+1 refused pattern"],
  ],
];

test.each(SOURCES)("%s", (_, format, text, events) => {
  expect(readText(text, { format }).events).toEqual(events);
});

test("a row without a header that has more fields than the first one is refused", () => {
  const text = "1,http://evil.example/a\n2,http://evil.example/b,c\n";
  expect(readText(text, { column: 2 }).events).toEqual([
    "1: evil.example/a",
    "2+1 refused column-count",
  ]);
});

test("the number of a column names a field of JSON", () => {
  const text = '{"url":"http://other.example/","2":"http://evil.example/"}\n{"url":"a.example"}\n';
  expect(readText(text, { format: "json-lines", column: 2 }).events).toEqual([
    "1: evil.example/",
    "2+1 refused field-missing",
  ]);
});

test("hashes as long as MD5 or SHA-1 get a warning", () => {
  const hashes = [8, 16, 20, 32].map((bytes) => "a1".repeat(bytes));
  expect(readText(hashes.join("\n"), { format: "hex" }).events).toEqual([
    `1: ${hashes[0]}`,
    `2: ${hashes[1]}`,
    "2 warning other-hash",
    `3: ${hashes[2]}`,
    "3 warning other-hash",
    `4: ${hashes[3]}`,
  ]);
});

test.each([
  ["evil.example,phishing,2026-01-01", "host-invalid"],
  ["evil.example;phishing", "host-invalid"],
  ["http://evil.example,phishing", "host-invalid"],
  ["http://evil.example|phishing", "host-invalid"],
  ["http://user@evil.example,phishing/", "host-invalid"],
  ["http://a.example/ http://evil.example/", "url-unclear"],
  ["evil.example://good.example/", "url-unclear"],
  ["evilDOTexample", "defanged"],
  ["http://evilDOTexample/", "defanged"],
  ["evil-dot-example", "defanged"],
  ["http://evil_dot_example/a.b", "defanged"],
  ["https://evil-dot-example:443", "defanged"],
  ["h@@p://evil.example/", "defanged"],
  ["httpx://evil.example/", "defanged"],
  ["ttps://evil.example/", "defanged"],
  [String.raw`evil\u002eexample`, "defanged"],
  [String.raw`http:\u002f\u002fevil.example`, "defanged"],
  [String.raw`http://evil\u002eexample/`, "defanged"],
  [String.raw`http://evil.example\x64\a`, null],
  ["shttp://evil.example/", null],
  ["www.evil\u00b7example", "defanged"],
  ["http:\u2215\u2215evil.example/", "defanged"],
  ["$evil.example", "url-unclear"],
  ["\u2192evil.example", "url-unclear"],
  ["_dmarc.evil.example", null],
  ["\u2713evil.example", null],
  ["-http://evil.example/", "url-unclear"],
  ["app://evil.example/", null],
  ["a-dot-b.app.example", null],
  ["http://intranet/a-dot-b", null],
  ["http://intranet/", null],
  ["TCP_MISS/200 http://evil.example/", "url-unclear"],
  ["[text](http://evil.example/)", "host-invalid"],
  ["(http://evil.example/)", "host-invalid"],
  ['"evil.example', "host-invalid"],
  ['"url":"http://evil.example/",', "host-invalid"],
  ["url=http://evil.example/", "host-invalid"],
  ["(evil.example)", "host-invalid"],
  ["url=evil.example", "host-invalid"],
  ["evil.example^", "host-invalid"],
  ["evil.example$important", "host-invalid"],
  ["http://evil.example^", null],
  ["evil*.example", "url-unclear"],
  ["http://evil.example*", null],
  ["h\0t\0t\0p\0:\0/\0/\0a\0", "host-invalid"],
  ["http://evil.exa\0mple/", "host-invalid"],
  ["\ufeffhttp://evil.example/", "url-unclear"],
  ["\u00a0http://evil.example/", "url-unclear"],
  ["\u200bhttp://evil.example/", "host-invalid"],
  ["\u2022http://evil.example/", "host-invalid"],
  ["\u202aevil.example", "host-invalid"],
  ["http://evil.example:phishing", null],
  ["2001:db8::1", "host-invalid"],
  ["  http://evil.example/  ", null],
  ["http://evil.example:80:80/", null],
  ["http://a.example/http://evil.example/", null],
  ["http://user:http@evil.example:/", null],
  ["view-source:http://evil.example/", null],
  ['https://"evil.example/', null],
  ["http://w!eird<>ho.example/", null],
  ["http://user,name@evil.example/", null],
  ["user;name@evil.example", null],
  ["http://a&b.example/x,y;z", null],
  ["http://*.evil.example/", null],
  ["*.evil.example", null],
  ["http://[2001:db8::1]:80/", null],
  ["http://a.example/a b", null],
  ["http://a.example:80?x=(1,2)", null],
  ["http://bücher.example/", null],
  ["http://a.example/##.x", null],
  ["http://a.example/1,http://evil.example/", "url-unclear"],
  ["http://a.example/1;https://evil.example/", "url-unclear"],
  ["http://a.example/1|http://evil.example/", "url-unclear"],
  ["http://a.example,http://evil.example", "host-invalid"],
  ["ftps://a.example/1,http://evil.example/", "url-unclear"],
  [`http://a.example/${"x".repeat(2000)},http://evil.example/`, "url-unclear"],
  ["http://web.archive.example/web/2026/http://evil.example/", null],
  ["http://a.example/?u=http://evil.example/&v=1,2", null],
  ["http://a.example/a,b;c|d:e", null],
])("foreignLine: %j looks like %s", (line, code) => {
  expect(foreignLine(new TextEncoder().encode(line))?.code ?? null).toBe(code);
});

test.each([
  [
    "http://evil.example/a 200 text/html\nhttp://bad.example/b 404 -\nhttp://a.example/\n",
    "URLs with other text after them (2 of 3 lines)",
  ],
  ["http://a.example/a,1.html\nhttp://a.example/b,2.html\n", null],
  ["http://a.example/x,b.example/1\nhttp://a.example/c\n", null],
  ["http://a.example/a b\nhttp://a.example/c\n", null],
  ["http://a.example/a b\n", null],
  // These lines begin like files with a signature.
  ["BZhotels.example/\n", null],
  ["GIF8.example/\n", null],
  ["PAR1.example/\n", null],
  ["https://WEBP.example/\n", null],
  [`http://a.example/?${"x".repeat(257 - "http://a.example/?".length)}ustar\n`, null],
])("foreignSource: %j looks like %s", (text, found) => {
  expect(foreignSource(new TextEncoder().encode(text))).toBe(found);
});

test.each([",", ";", "|"])("foreignSource: URLs with a second URL after %s", (separator) => {
  for (const second of ["http://evil.example/", "evil.example/login"]) {
    const text = [1, 2].map((n) => `http://a.example/${n}${separator}${second}${n}\n`).join("");
    const found = foreignSource(new TextEncoder().encode(text));
    expect(found).toBe("URLs with other text after them (2 of 2 lines)");
  }
});

test.each([
  "0",
  "0.0.0.0",
  "127.0.0.1",
  "127.1.2.3",
  "::",
  "::1",
  "0:0:0:0:0:0:0:1",
  "::ffff:127.0.0.1",
])("%s blocks, and is recognized as blocking", (address) => {
  expect(foreignLine(`${address} evil`)?.code).toBe("hosts-line");
  expect(readText(`${address} evil.example\n`, { format: "hosts" }).events).toEqual([
    "1: evil.example/",
  ]);
});

test.each([
  ["a row", "tags,url\n#phishing,http://a.example/\n", "2+1 refused row-commented"],
  ["a row after spaces", "tags,url\n  #x,http://a.example/\n", "2+1 refused row-commented"],
  ["a quoted field", 'tags,url\n"#x",http://a.example/\n', "2: a.example/"],
  ["an empty first field", "a\ttags\turl\n\t#x\thttp://a.example/\n", "2: a.example/"],
  ["a line of another width", "tags,url\n# a.example\n# a, b, http://a.example/\n", null],
  ["a line without an entry", "tags,url\n# Entries, 1\n# tags,url\n", null],
])("a line of a table that begins with #: %s", (_, text, event) => {
  const { events } = readText(text, { format: "csv", column: "url" });
  expect(events).toEqual(event === null ? [] : [event]);
});

test("the first row of a table without a header may begin with #", () => {
  const { events } = readText("# x\n#x;http://a.example/\ny;http://b.example/\n", { column: 2 });
  expect(events).toEqual(["2+1 refused row-commented", "3: b.example/"]);
});

test("what a directive of an Adblock list includes, or limits to some clients, is refused", () => {
  const lines = [
    "! a comment, !#include not",
    "!#include more.txt",
    "||a.example^",
    "!#if env_firefox",
    "||b.example^",
    "!#if ext_ublock",
    "example.com##.ad",
    "!#endif",
    "!#else",
    "||c.example^",
    "!#endif",
    "!#endif",
    "||d.example^",
  ];
  const { events, summary } = readText(lines.map((line) => `${line}\n`).join(""));
  expect(events).toEqual([
    "2+1 refused directive",
    "3: a.example/",
    "5+1 refused directive",
    "10+1 refused directive",
    "13: d.example/",
  ]);
  expect(summary?.notApplicable).toBe(1);
});

test("each line that ends in CR counts as refused", () => {
  const lines = Array.from({ length: 30 }, (_, i) => `h${i}.example`);
  const text = `${lines.join("\n")}\n${lines.join("\r")}\r\n\r\na.example\r\r\nb\x01\rc\n`;
  const { events, summary } = readText(text);
  expect(summary).toMatchObject({ lines: 34, entries: 30, refused: 33 });
  expect(events.slice(30)).toEqual([
    ...lines.map(() => "31+1 refused carriage-return"),
    "33+1 refused carriage-return",
    "34+1 refused carriage-return",
    "34+1 refused carriage-return",
  ]);
});

test("text whose lines end in CR may have a few other line ends", () => {
  expect(readText("a.example\rb.example\rc.example\r\n").error).toBe("carriage-returns");
  expect(readText("a.example\r\r\nb.example\r\r\n").error).toBeNull();
  const long = `a.example\n${"b.example\r".repeat(2 ** 18)}\n`;
  expect(readText(long, { format: "urls" }).error).toBe("carriage-returns");
  expect(readText(`a.example\n${"b".repeat(2 ** 22)}\r\n`).error).toBeNull();
});

test.each([
  ['{"url":"http://a.example/","url":"http://b.example/"}', "1+1 refused field-repeated"],
  [
    '{"url" : "http://a.example/", "x": [{}], "url" :"http://b.example/"}',
    "1+1 refused field-repeated",
  ],
  ['{"type":"url","url":"http://a.example/"}', "1: a.example/"],
  ['{"x":{"url":"http://c.example/"},"url":"http://a.example/"}', "1: a.example/"],
  ['{"x":"\\"{\\"url\\":","url":"http://a.example/","y":"\\\\"}', "1: a.example/"],
])("a field that a JSON object has twice: %s", (line, event) => {
  expect(readText(`${line}\n`, { format: "json-lines", column: "url" }).events).toEqual([event]);
});

test("foreignSource: many control characters are not lines, whatever the encoding", () => {
  const found = "bytes that are not text";
  const url = new TextEncoder().encode("http://a.example/\n");
  const withControls = (count: number) => Uint8Array.from([...url, ...new Array(count).fill(1)]);
  expect(foreignSource(withControls(32))).toBeNull();
  expect(foreignSource(withControls(33))).toBe(found);
  const latin1 = Uint8Array.from({ length: 3000 }, (_, i) => (i % 30 === 29 ? 0x0a : 0xe9));
  expect(foreignSource(latin1)).toBeNull();
  expect(foreignSource(latin1, { allowBinary: false })).toBe(found);
});

test.each([
  [[0x1f, 0x8b], "gzip -dc"],
  [[0x50, 0x4b, 3, 4], "unzip -p"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "xz -dc"],
  [[0x28, 0xb5, 0x2f, 0xfd], "zstd -dc"],
  [[...Buffer.from("BZh91AY&SY")], "bzip2 -dc"],
  [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "7z x -so"],
])("a compressed file names what unpacks it: %j", (start, command) => {
  expect(() => recognizeSource(Uint8Array.from([...start, 0, 0]))).toThrow(
    `text (unpack it first, for example with "${command}")`,
  );
});

import { foreignLine, listSourceReader, recognizeSource, type SourceFormat } from "@x/list-source";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { describe, expect, test } from "vitest";

/** Reads hostile text. A `ListSourceError` is allowed. */
function read(text: string, format: SourceFormat | undefined): void {
  try {
    const column = format === "csv" || format === "json-lines" ? "url" : undefined;
    const reader = listSourceReader({ format, column, onEntry: () => {} });
    reader.push(new TextEncoder().encode(text));
    reader.end();
  } catch (error) {
    expect(error).toHaveProperty("name", "ListSourceError");
  }
}

const HOSTILE: readonly (readonly [
  what: string,
  format: SourceFormat | undefined,
  make: (length: number) => string,
])[] = [
  ["one endless line", "urls", (n) => "a".repeat(50 * n)],
  ["lines of two bytes", "urls", (n) => "a\n".repeat(n)],
  ["blanks before what might be a comment", "urls", (n) => `a${" ".repeat(n)}x#`],
  ["blanks and number signs", "urls", (n) => "a #".repeat(n)],
  ["a host of dots", "urls", (n) => `a${".".repeat(n)}b`],
  ["a host of labels", "domains", (n) => "a.".repeat(n)],
  ["at signs and colons", "urls", (n) => `http://${"a:@".repeat(n)}evil.example/`],
  ["escapes of escapes", "urls", (n) => `http://evil.example/%${"25".repeat(n)}`],
  ["escaped dot segments", "urls", (n) => `http://a.example${"/..%2f".repeat(n)}`],
  ["escapes in two readings", "urls", (n) => `http://${"%2F@".repeat(n)}b.example/`],
  ["ellipses", "urls", (n) => `http://a.example/${"...)".repeat(n)}`],
  ["halves of ellipses", "urls", (n) => `http://${"%E2%80%A".repeat(n)}.example/`],
  ["schemes", "urls", (n) => "://".repeat(n)],
  ["schemes after commas", "urls", (n) => `http://a.example/${",a".repeat(n)}://`],
  ["tabs", "urls", (n) => `a${"\t".repeat(n)}`],
  ["tags", "urls", (n) => "<a".repeat(n)],
  ["names without end", "hosts", (n) => `0.0.0.0${" a.example".repeat(n)}`],
  ["an address without end", "hosts", (n) => `${"0:".repeat(n)} x`],
  ["dnsmasq slashes", "dnsmasq", (n) => `address=${"/".repeat(n)}0`],
  ["dnsmasq colons", "dnsmasq", (n) => `address=/a/${":0".repeat(n)}x`],
  ["comments in options", "unbound", (n) => `local-zone: ${"# ".repeat(n)}"`],
  ["blanks in options", "unbound", (n) => `local-data: "a${" 1".repeat(n)}${" ".repeat(n)}"`],
  ["quotation marks in options", "unbound", (n) => `local-zone: ${"'\"".repeat(n)} static`],
  ["zone parentheses", "rpz", (n) => "@ SOA a (\n".repeat(n)],
  ["zone times to live", "rpz", (n) => `a${" 1h".repeat(n)} x`],
  ["Adblock options", "adblock", (n) => `||a.example^${"$a=".repeat(n)},!`],
  ["Adblock option lists", "adblock", (n) => `||a.example^$${"script,".repeat(n)}`],
  [
    "hosts that a rule excludes",
    "adblock",
    (n) => `||${"a".repeat(n)}.example^$domain=${"~a|".repeat(n)}~b`,
  ],
  ["bars between them", "adblock", (n) => `||a.example^$domain=~a${"|".repeat(n)}b`],
  ["hosts of rules", "adblock", (n) => `||${"ü.".repeat(n)}example^`],
  ["Adblock separators", "adblock", (n) => `||${"a^".repeat(n)}x`],
  ["Adblock wildcards", "adblock", (n) => `||${"*a".repeat(n)}`],
  ["slashes that might be a regular expression", "adblock", (n) => `${"/$".repeat(n)}x`],
  ["millions of columns", "csv", (n) => `url\n${",".repeat(n)}`],
  ["a header of many columns", "csv", (n) => `${"a,".repeat(n)}url\nb`],
  ["quotation marks", "csv", (n) => `id,url\n${'"'.repeat(n)}`],
  ["quotation marks that never close", "csv", (n) => `id,url\n${'"\n'.repeat(n)}`],
  ["quoted fields that go astray", "csv", (n) => `id,url\n${'"a"b\n"\n'.repeat(n)}`],
  ["nested JSON", "json-lines", (n) => `{"url":${"[".repeat(n)}${"]".repeat(n)}}`],
  [
    "JSON with many fields",
    "json-lines",
    (n) => `{${Array.from({ length: n }, (_, i) => `"${i}":0`)}}`,
  ],
  ["lines that are not JSON", "json-lines", (n) => "{x}\n".repeat(n)],
  [
    "a JSON document of names",
    "json",
    (n) => `{${Array.from({ length: n }, (_, i) => `"n${i}":0`)}}`,
  ],
  [
    "a JSON document of lists",
    "json",
    (n) => `{${Array.from({ length: n }, (_, i) => `"n${i}":["a.example"]`)}}`,
  ],
  ["JSON names without end", "json", (n) => `{"${"a.".repeat(n)}":[${'{"a":{}},'.repeat(n)}0]}`],
  [
    "JSON names that allow",
    "json",
    (n) => `{${Array.from({ length: n }, (_, i) => `"allow${i}":["a.example"]`)}}`,
  ],
  ["JSON strings without end", "json", (n) => `["${"\\\\".repeat(n)}`],
  ["JSON escapes", "json", (n) => `["${"\\u0061".repeat(n)}"]`],
  ["JSON numbers without end", "json", (n) => `[${"1".repeat(n)}`],
  ["JSON brackets", "json", (n) => "[".repeat(n)],
  [
    "JSON objects inside each other",
    "json",
    (n) => `[${`${'{"a":'.repeat(90)}0${"}".repeat(90)},`.repeat(n / 50)}0]`,
  ],
  ["the same JSON name", "json", (n) => `[{${'"url":"a.example",'.repeat(n)}"x":0}]`],
  ["JSON documents without end", "json", (n) => '{"url":"a.example"}\n\n'.repeat(n)],
  [
    "a STIX pattern",
    "json",
    (n) => `[{"type":"indicator","pattern":"[url:value = '${"\\\\'".repeat(n)}"}]`,
  ],
  [
    "STIX patterns with OR",
    "json",
    (n) => `[{"type":"indicator","pattern":"[${"a:b='' OR ".repeat(n)}"}]`,
  ],
  ["a STIX set", "json", (n) => `[{"type":"indicator","pattern":"[a:b IN (${"'',".repeat(n)}"}]`],
  [
    "words that might be the head of a section",
    undefined,
    (n) => `{${"a ".repeat(n)}\n[${"a ".repeat(n)}\n`,
  ],
  ["words that might be a heading", "urls", (n) => `# ${"the ".repeat(n)}x\n# ${"!".repeat(n)}x\n`],
  ["headings", "urls", (n) => "# the the whitelist x\na.example\n".repeat(n)],
  ["dots that might be a regular expression", undefined, (n) => `${"^\\.".repeat(n)}\n`],
  ["dots before a blank, format unknown", undefined, (n) => `${".".repeat(n)} x\n`],
  [
    "words about hashes of URLs",
    undefined,
    (n) => `# ${"url ".repeat(n)}x\n${`${"a1".repeat(32)}\n`.repeat(9)}`,
  ],
  ["a remark without end", "hosts", (n) => `0.0.0.0 a.example${" // a.example".repeat(n)}`],
  [
    "verdicts inside verdicts",
    "json",
    (n) => `[{"url":"http://a.example/","verdict":[${'{"verdict":[{"verdict":1}]},'.repeat(n)}1]}]`,
  ],
  ["hexadecimal without end", "hex", (n) => "0".repeat(n)],
  ["columns without a name", undefined, (n) => `${"a,".repeat(n)}x\n${"b,".repeat(n)}x\n`],
  [
    "fields of which none is named",
    undefined,
    (n) => `{${'"a.example":{"b":"c.example"},'.repeat(n)}"x":0}\n{}`,
  ],
  ["commas, format unknown", undefined, (n) => `${",".repeat(n)}\n${",".repeat(n)}`],
  ["quotation marks, format unknown", undefined, (n) => '"\n'.repeat(n)],
  ["lines that only look like a hosts file", undefined, (n) => `0.0.0.0 ${"a.".repeat(n)}/`],
];

describe("hostile sources take linear time", () => {
  test.each(HOSTILE)("%s", (_, format, make) => {
    expectLinearGrowth((text: string) => read(text, format), make, 2000);
  });

  test("foreignLine takes linear time", () => {
    expectLinearGrowth(foreignLine, (length) => `"${"a,".repeat(length)}`, 2000);
  });

  test("recognizeSource takes linear time", () => {
    const make = (length: number) => new TextEncoder().encode("a,b\n".repeat(length));
    expectLinearGrowth((bytes: Uint8Array) => recognizeSource(bytes), make, 2000);
  });
});

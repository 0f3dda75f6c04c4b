import { listSourceReader } from "@x/list-source";
import { describe, expect, test } from "vitest";
import { readText } from "./read.ts";

type Row = Readonly<Record<string, string>>;

/** The same rows in each format that has columns or fields. */
function sourcesOf(rows: readonly Row[]): readonly string[] {
  const names = Object.keys(rows[0]!);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const table = (delimiter: string, start = "", field = (text: string) => text) =>
    [
      `${start}${names.join(delimiter)}`,
      ...rows.map((row) => names.map((name) => field(row[name]!)).join(delimiter)),
    ]
      .map((line) => `${line}\n`)
      .join("");
  return [
    ...[",", ";", "\t", "|"].map((delimiter) => table(delimiter)),
    table(",", "# "),
    table(";", "sep=;\n"),
    table(",", "", quoted),
    rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
    JSON.stringify(rows),
    JSON.stringify(rows, null, 2),
    JSON.stringify({ status: "ok", data: rows }),
    JSON.stringify(Object.fromEntries(rows.map((row, i) => [i, row])), null, 1),
    JSON.stringify(Object.fromEntries(rows.map((row, i) => [i, [row]])), null, 1),
  ];
}

const results = (source: string, options = {}) =>
  readText(source, options).events.map((event) => event.replace(/^\d+(?:\+\d+)?:? /, ""));

describe("a host beside the URL of another host, or beside a path, is refused", () => {
  test.each<Row>([
    { brand: "PayPal", host: "paypal.com", phish_url: "http://evil.example/p" },
    { domain: "paypal.com", phishing_url: "http://evil.example/p" },
    { domain: "paypal.com", link: "https://evil.example" },
    { domain: "paypal.com", "malicious link": "hxxp://evil[.]example/p" },
    { domain: "paypal.com", address: "//evil.example/p" },
    { domain: "paypal.com", address: "evil.example/p" },
    { hostname: "paypal.com", Wert: "http://203.0.113.7/p" },
    { host: "203.0.113.7", seen: "http://evil.example/" },
    { host: "paypal.com:443", seen: "http://evil.example/" },
    { domain: "paypal.com/", seen: "http://evil.example/" },
    { domain: "http://paypal.com/", seen: "http://evil.example/" },
    { url: "paypal.com", seen: "http://evil.example/" },
    { ioc: "paypal.com", seen: "ftp://evil.example/" },
    { host: "paypal.com", phishing_domain: "evil.example" },
    { domain: "paypal.com", fakeDomain: "evil.example" },
    { domain: "paypal.com", 钓鱼网址: "evil.example" },
    { Marke: "PayPal", Host: "paypal.com", "Phishing-Adresse": "http://evil.example/p" },
    { marque: "PayPal", domain: "paypal.com", adresse: "http://evil.example/p" },
    { marca: "PayPal", domain: "paypal.com", enlace: "http://evil.example/p" },
    { домен: "x", domain: "paypal.com", адрес: "http://evil.example/p" },
    { date: "2026-11-20", host: "drive.google.com", path: "/file/d/1", threat: "kit" },
    { domain: "drive.google.com", path: "file/d/1" },
    { domain: "drive.google.com", uri_path: "/file/d/1" },
    { domain: "drive.google.com", Pfad: "/file/d/1" },
    { domain: "drive.google.com", chemin: "file/d/1" },
    { domain: "drive.google.com", 路径: "/file/d/1" },
    { domain: "drive.google.com", "x-7": "/file/d/1" },
    { domain: "drive.google.com", query_string: "id=1" },
    { url: "http://drive.google.com/", path: "/file/d/1" },
    { domain: "paypal.com", path: "/p", seen: "http://evil.example/p" },
  ])("%j", (row) => {
    for (const source of sourcesOf([row, row])) {
      expect(results(source), source).toEqual(["refused column-unclear", "refused column-unclear"]);
    }
  });

  test.each([
    ["host", "paypal.com/"],
    ["phish_url", "evil.example/p"],
  ])("unless %s is named as the column", (column, entry) => {
    const row = { brand: "PayPal", host: "paypal.com", phish_url: "http://evil.example/p" };
    for (const source of sourcesOf([row, row])) {
      expect(results(source, { column }), source).toEqual([entry, entry]);
    }
    expect(results(JSON.stringify([row]), { column: `[].${column}` })).toEqual([entry]);
  });

  test.each([
    ["host,phish_url\npaypal.com,http://evil.example/p\n", '"host"', '"phish_url"'],
    [
      '{"host":"paypal.com","a":{"phish_url":"http://evil.example/p"}}\n{"host":"x.example"}\n',
      '"host"',
      '"a.phish_url"',
    ],
    [
      '{"data":[{"host":"paypal.com","a":[{"b":"http://evil.example/p"}]}]}',
      '"data[].host"',
      '"data[].a[].b"',
    ],
  ])("the refusal names both fields: %s", (source, own, other) => {
    const expected: string[] = [];
    const reader = listSourceReader({
      onEntry: () => {},
      onRefusal: (refusal) => expected.push(refusal.expected),
    });
    reader.push(new TextEncoder().encode(source));
    reader.end();
    expect(expected[0]).toBe(
      "the name of the column or field with the entries, because another one may be meant " +
        `(${own} has a host alone, and ${other} has "http://evil.example/p")`,
    );
  });

  test("only the rows that are not clear", () => {
    const rows = [
      { host: "evil.example", found: "" },
      { host: "paypal.com", found: "http://evil.example/p" },
      { host: "bad.example", found: "-" },
    ];
    for (const source of sourcesOf(rows)) {
      expect(results(source), source).toEqual([
        "evil.example/",
        "refused column-unclear",
        "bad.example/",
      ]);
    }
  });
});

describe("a URL of the same host is read instead of the host", () => {
  test.each<[Row, string, string]>([
    [
      { id: "1", malicious_url: "http://drive.google.com/f/1", hostname: "drive.google.com" },
      "malicious_url,hostname",
      "drive.google.com/f/1",
    ],
    [
      { domain: "evil.example", link: "https://www.evil.example/x" },
      "link,domain",
      "www.evil.example/x",
    ],
    [
      { domain: "www.evil.example", link: "https://evil.example/x" },
      "link,domain",
      "evil.example/x",
    ],
    [
      { domain: "evil.example", reference: "http://a.evil.example/" },
      "reference,domain",
      "a.evil.example/",
    ],
    [
      { domain: "EVIL.example.", link: "http://evil.example:8080/x" },
      "link,domain",
      "evil.example/x",
    ],
    [
      { domain: "bücher.example", link: "http://xn--bcher-kva.example/x" },
      "link,domain",
      "xn--bcher-kva.example/x",
    ],
    [
      { host: "drive.google.com", path: "/f/1", full: "http://drive.google.com/f/1" },
      "full,host",
      "drive.google.com/f/1",
    ],
    [{ domain: "evil.example", path: "http://evil.example/y" }, "path,domain", "evil.example/y"],
    [{ domain: "evil.example", x: "evil.example/y" }, "x,domain", "evil.example/y"],
  ])("%j", (row, columns, entry) => {
    for (const source of sourcesOf([row, row])) {
      const { events, summary } = readText(source);
      const entries = events.filter((event) => / /.test(event) && event.includes(": "));
      expect(
        entries.map((event) => event.replace(/^\d+: /, "")),
        source,
      ).toEqual([entry, entry]);
      const warned = events.filter((event) => event.includes("several-columns"));
      expect(warned.map((event) => event.replace(/^.* /, "").replace(/[^,]*[.\]]/g, ""))).toEqual([
        columns,
      ]);
      expect(summary!.column!.replace(/^.*[.\]]/, "")).toBe(columns.split(",")[0]);
    }
  });

  test("a list of them in JSON, unless one is of another host", () => {
    const record = (...links: string[]) => ({ host: "evil.example", links });
    const same = record("http://evil.example/a", "http://evil.example/b");
    const other = record("http://evil.example/a", "http://paypal.com/b");
    const lines = [same, other].map((each) => `${JSON.stringify(each)}\n`).join("");
    for (const source of [lines, JSON.stringify([same, other])]) {
      expect(results(source).filter((event) => !event.startsWith("warning"))).toEqual([
        "evil.example/a",
        "evil.example/b",
        "refused column-unclear",
      ]);
    }
    const hosts = { hosts: ["evil.example", "bad.example"], samples: ["http://evil.example/a"] };
    expect(results(JSON.stringify([hosts]))).toEqual(["refused column-unclear"]);
  });

  test("a view of the site makes the site an entry, with a warning", () => {
    const row = { domain: "shared.example", link: "https://shared.example/#!abc" };
    for (const source of sourcesOf([row, row])) {
      const told = results(source);
      expect(told.filter((event) => event === "shared.example/")).toHaveLength(2);
      expect(told.join("\n")).toContain("fragment-of-site");
    }
  });
});

test.each<Row>([
  { domain: "evil.example", reference: "https://publisher.example/report/1" },
  { domain: "evil.example", urlhaus_link: "https://publisher.example/url/1/" },
  { domain: "evil.example", source_url: "https://publisher.example/" },
  { ioc: "evil.example", malware_malpedia: "https://publisher.example/details/win.x" },
  { domain: "evil.example", comment: "https://publisher.example/1" },
  { domain: "evil.example", archive_url: "https://archive.example/1" },
  { domain: "evil.example", tweet: "https://social.example/1" },
  { domain: "evil.example", screenshotUrl: "https://publisher.example/1.png" },
  { domain: "evil.example", Quelle: "https://publisher.example/1" },
  { domain: "evil.example", path: "/" },
  { domain: "evil.example", path: "" },
  { domain: "evil.example", path: "-" },
  { domain: "evil.example", link: "http://evil.example/" },
  { domain: "evil.example", link: "https://www.evil.example" },
  { domain: "evil.example", file_path: "/tmp/x" },
  { domain: "evil.example", mime: "text/html", date: "20/11/2026", share: "1/90" },
  { domain: "evil.example", network: "/24" },
  { domain: "evil.example", comment: "see http://paypal.com/" },
  { domain: "evil.example", malware: "win.dridex" },
  { domain: "evil.example", phishing_target_domain: "paypal.com" },
  { domain: "evil.example", brand: "paypal.com" },
  { domain: "evil.example", registrar: "registrar.example", ns1: "ns1.dns.example" },
])("other fields may be about the host: %j", (row) => {
  for (const source of sourcesOf([row, row])) {
    expect(results(source), source).toEqual(["evil.example/", "evil.example/"]);
  }
});

test.each<Row>([
  { url: "http://evil.example/", seen: "http://paypal.com/" },
  { url: "http://evil.example/a", phish_detail_url: "http://publisher.example/1" },
  { domain: "evil.example/a", path: "/a" },
])("a URL says itself what it is: %j", (row) => {
  const [entry] = Object.values(row);
  for (const source of sourcesOf([row, row])) {
    expect(results(source), source).toEqual(Array(2).fill(entry!.replace("http://", "")));
  }
});

test("objects inside records may have the URL, unless they are references", () => {
  const inside = (name: string, value: unknown) => [{ domain: "paypal.com", [name]: value }];
  for (const [name, value] of [
    ["details_of_kit", { address: "http://evil.example/p" }],
    ["a", { b: { c: "http://evil.example/p" } }],
    ["a", [{ b: ["http://evil.example/p"] }]],
    ["request", { name: "paypal.com", path: "/p" }],
  ] as const) {
    const records = inside(name, value);
    expect(results(JSON.stringify(records)), name).toEqual(["refused column-unclear"]);
    const line = `${JSON.stringify(records[0])}\n`;
    expect(results(line, { format: "json-lines" }), name).toEqual(["refused column-unclear"]);
  }
  for (const name of ["references", "external_references", "links", "screenshots"]) {
    const records = inside(name, [{ address: "http://publisher.example/p" }]);
    expect(results(JSON.stringify(records)), name).toEqual(["paypal.com/"]);
  }
});

test("a record with many hosts and URLs takes linear time", () => {
  const many = (count: number, start: string) =>
    Array.from({ length: count }, (_, i) => `${start}${i}.example`);
  const record = { hosts: many(20_000, "h"), x: many(20_000, "http://h") };
  const line = `${JSON.stringify(record)}\n`;
  expect(results(line + line, { format: "json-lines" })).toEqual([
    "refused column-unclear",
    "refused column-unclear",
  ]);
});

import { isWhere, listSourceReader, readListSource } from "@x/list-source";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ReadOptions, readText } from "./read.ts";

/** Reads a source whose publisher has not said which rows are entries, unless the options do. */
const read = (text: string, options: ReadOptions = {}) =>
  readText(text, { where: undefined, ...options });

const entriesOf = (text: string, options?: ReadOptions) =>
  read(text, options).events.flatMap((event) => /^\d+: (.*)/.exec(event)?.[1] ?? []);

type Rows = readonly (readonly string[])[];

/** The same table in each format that has records. */
function everyTable(header: readonly string[], rows: Rows): readonly [string, ReadOptions][] {
  const records = rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])));
  const csv = [header, ...rows].map((row) => row.map((field) => `"${field}"`));
  return [
    ...[",", ";", "\t", "|"].map((at): [string, ReadOptions] => [
      csv.map((row) => `${row.join(at)}\n`).join(""),
      { column: "url" },
    ]),
    [records.map((record) => `${JSON.stringify(record)}\n`).join(""), { column: "url" }],
    [JSON.stringify(records), { column: "[].url" }],
    [JSON.stringify({ data: records }, null, 1), { column: "data[].url" }],
  ];
}

const urls = (count: number) => Array.from({ length: count }, (_, i) => `http://evil${i}.example/`);
const column = (name: string, values: readonly string[]) =>
  everyTable(
    ["url", name],
    urls(values.length).map((url, i) => [url, values[i]!]),
  );

describe("a column can tell rows apart", () => {
  const many = (value: (i: number) => string) => Array.from({ length: 40 }, (_, i) => value(i));
  test.each<[string, readonly string[]]>([
    ["two values in a short table", ["zararsız", "tehlikeli"]],
    ["a value in only one row", ["", "cleared"]],
    ["numbers that mean something", ["0", "1"]],
    ["scores", ["9", "0", "7"]],
    ["one row of many", many((i) => (i === 30 ? "none detected" : "bad"))],
    ["values of which one is repeated", many((i) => (i === 39 ? "0" : String(i)))],
    ["the day on which an entry expires", many(() => "2999-01-01")],
    ["the day on which an entry was removed", many((i) => (i === 3 ? "2026-01-01" : ""))],
    ["a date among other words", ["2026-01-01", "never"]],
  ])("%s", (what, values) => {
    for (const [table, options] of column("x", values)) {
      const constant = new Set(values).size === 1;
      const { events, error } = read(table, options);
      expect([events, error], `${what}: ${table}`).toEqual(
        constant ? [expect.any(Array), null] : [[], "rows-unclear"],
      );
      expect(entriesOf(table, { ...options, where: "all" })).toHaveLength(values.length);
    }
  });

  test.each<[string, readonly string[]]>([
    ["a constant", ["x", "x", "x"]],
    ["numbers of rows", ["1", "2", "3"]],
    ["numbers that count down", ["12", "11"]],
    ["dates", ["2026-01-01", "2026-01-01", "2026-01-02 10:00:00"]],
    ["seconds since 1970", ["1600000000", "1600000000", "1600000001"]],
    ["addresses", ["192.0.2.1", "192.0.2.1:80", "2001:db8::1"]],
    ["texts that only describe", many((i) => `note ${i}`)],
  ])("but not %s", (_, values) => {
    for (const [table, options] of column("x", values)) {
      expect(entriesOf(table, options), table).toHaveLength(values.length);
    }
  });
});

test("one row has nothing that could tell it from others", () => {
  // A single object is a document, whose path has to be named.
  const tables = column("verdict", ["harmless"]).filter(([table]) => !table.startsWith('{"url"'));
  for (const [table, options] of tables) {
    expect(entriesOf(table, options)).toEqual(["evil0.example/"]);
  }
});

test("a column tells rows apart if a value repeats only after thousands of others", {
  tags: "deep",
}, () => {
  const values = Array.from({ length: 5000 }, (_, i) => `note ${i}`);
  const rows = (notes: readonly string[]): Rows =>
    notes.map((note, i) => [`http://evil${i}.example/`, note]);
  for (const [table, options] of everyTable(["url", "note"], rows(values))) {
    expect(entriesOf(table, options)).toHaveLength(values.length);
  }
  for (const [table, options] of everyTable(["url", "note"], rows([...values, "note 3000"]))) {
    expect(read(table, options).error).toBe("rows-unclear");
  }
});

test("rows with other values are left out, and counted by value", () => {
  const rows: Rows = [
    ["http://a.example/", "malicious", "x"],
    ["http://b.example/", "phishing", "x"],
    ["http://c.example/", "harmless, or so", "x"],
    ["http://d.example/", "malicious", "y"],
    ["http://e.example/", "harmless, or so", "x"],
  ];
  for (const [table, options] of everyTable(["url", "verdict", "kind"], rows)) {
    const where = ["verdict=malicious,phishing", "kind=x"];
    const { summary } = read(table, { ...options, where });
    expect(entriesOf(table, { ...options, where })).toEqual(["a.example/", "b.example/"]);
    expect(summary).toMatchObject({
      notApplicable: 3,
      rowsLeftOut: [
        { column: "verdict", value: "harmless, or so", rows: 2 },
        { column: "kind", value: "y", rows: 1 },
      ],
    });
    expect(entriesOf(table, { ...options, where: 'verdict="harmless, or so"' })).toHaveLength(2);
    expect(read(table, { ...options, where: "verdikt=malicious" }).error).toBe("rows-unclear");
  }
});

test("the message shows each column, its values, how often each occurs, and an example", () => {
  const reader = listSourceReader({ column: "url", onEntry: () => {} });
  const lines = ["url,verdict", ...urls(30).map((url, i) => `${url},${i < 20 ? "bad" : "good"}`)];
  reader.push(new TextEncoder().encode(`${lines.join("\n")}\n`));
  expect(() => reader.end()).toThrow(
    'This looks like a table of 30 rows that may mean different things: "verdict" is "bad" (20, such as "http://evil0.example/"), "good" (10, such as "http://evil20.example/"): expected a condition on the rows (where), such as "verdict=bad", or "all".',
  );
});

test("fields inside and around a record count, and so do the names of members", () => {
  const inside = [
    { url: "http://a.example/", verdict: { malicious: true } },
    { url: "http://b.example/", verdict: { malicious: false } },
  ];
  const options = { column: "[].url" };
  expect(read(JSON.stringify(inside), options).error).toBe("rows-unclear");
  const where = "verdict.malicious=true";
  expect(entriesOf(JSON.stringify(inside), { ...options, where })).toEqual(["a.example/"]);
  const around = [
    { verdict: "bad", page: { url: "http://a.example/" } },
    { verdict: "good", page: { url: "http://b.example/" } },
  ];
  const path = { column: "[].page.url" };
  expect(read(JSON.stringify(around), path).error).toBe("rows-unclear");
  expect(entriesOf(JSON.stringify(around), { ...path, where: "verdict=bad" })).toEqual([
    "a.example/",
  ]);
  const names = { bad: ["a.example"], good: ["b.example"] };
  expect(read(JSON.stringify(names), { column: "*[]" }).error).toBe("rows-unclear");
  expect(entriesOf(JSON.stringify(names), { column: "*[]", where: "*=bad" })).toEqual([
    "a.example/",
  ]);
});

test("a known layout needs no option, and one more column makes it unknown", () => {
  const header =
    "phish_id,url,phish_detail_url,submission_time,verified,verification_time,online,target";
  const row = (id: number, verified: string) =>
    `${id},http://evil${id}.example/,https://publisher.example/${id},2026-11-20,${verified},2026-11-20,yes,Bank ${id}`;
  const table = [header, row(1, "yes"), row(2, "no"), row(3, "yes")];
  expect(entriesOf(table.join("\n"))).toEqual(["evil1.example/", "evil3.example/"]);
  expect(read(table.map((line) => `${line},x`).join("\n")).error).toBe("column-missing");
  expect(entriesOf(table.join("\n"), { where: "all" })).toHaveLength(3);
});

test("no added row changes what other rows mean", { tags: "deep" }, () => {
  const cell = fc.constantFrom(
    "bad",
    "good",
    "",
    "http://x.example/",
    "whitelist:",
    '"',
    "# x",
    "=",
  );
  const base = urls(25).map((url) => [url, "bad"]);
  const before = base.map(([url]) => `${url!.slice("http://".length)}`);
  const ends = new Set<string>();
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 2 }), fc.nat(25), (row, at) => {
      const rows = [...base.slice(0, at), row, ...base.slice(at)];
      const escaped = rows.map((each) => each.map((field) => field!.replaceAll('"', '""')));
      for (const [table, options] of everyTable(["url", "verdict"], escaped)) {
        for (const where of [undefined, "verdict=bad", "all"]) {
          const { events, error } = read(table, { ...options, where });
          ends.add(error ?? "read");
          if (error !== null) continue;
          const found = events.filter((event) => /evil\d/.test(event) && /^\d+: /.test(event));
          expect(found.map((event) => event.replace(/^\d+: /, ""))).toEqual(before);
        }
      }
    }),
    { numRuns: 60 },
  );
  expect([...ends]).toEqual(expect.arrayContaining(["read", "rows-unclear"]));
});

test("no first row takes the place of a header in a comment", () => {
  const rows = ["http://a.example/,x,bad", "http://b.example/,y,good"];
  const options = { column: "url", where: "verdict=bad" };
  for (const first of ["x,url,verdict", "verdict,url,x", "url,verdict,bad"]) {
    const table = ["#url,tag,verdict", first, ...rows].join("\n");
    expect(entriesOf(table, options), first).toEqual(["a.example/"]);
  }
  const twice = ["#url,tag,verdict", "url,tag,verdict", ...rows].join("\n");
  expect(read(twice, options).events).toEqual(["3: a.example/"]);
});

test.each([
  ["all", true],
  ["a=b", true],
  ["a=", true],
  ['a="b,c",d', true],
  [["a=b", "c=d"], true],
  ["a", false],
  ["=b", false],
  ['a="b', false],
  [["all", "a=b"], false],
  [[], false],
  [1, false],
] as const)("where: %j", (where, isValid) => {
  expect(isWhere(where)).toBe(isValid);
  const open = () => listSourceReader({ where: where as string, onEntry: () => {} });
  if (isValid) open();
  else expect(open).toThrow(TypeError);
});

test("a table that may mean different things is held only up to a size", async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `http://h${i}.example/,${i % 2 ? "a" : "b"}`);
  const source = new TextEncoder().encode(`url,state\n${rows.join("\n")}\n`);
  await expect(
    readListSource([source], { column: "url", maxListBytes: 10_000, onEntry: () => {} }),
  ).rejects.toMatchObject({ code: "list-too-large" });
});

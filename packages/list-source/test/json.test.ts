import { listSourceReader } from "@x/list-source";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ReadOptions, readPieces, readText } from "./read.ts";

const read = (document: unknown, options?: ReadOptions) =>
  readText(JSON.stringify(document), options).events;

/** Every string at the path, found in the tree that the platform's parser builds. */
function valuesAt(value: unknown, steps: readonly string[]): unknown[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  if (step === "[]")
    return Array.isArray(value) ? value.flatMap((each) => valuesAt(each, rest)) : [];
  if (Array.isArray(value) || !Object.hasOwn(value, step)) return [];
  return valuesAt((value as Record<string, unknown>)[step], rest);
}

const noise = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
const host = fc.stringMatching(/^[a-z]{1,8}$/).map((name) => `${name}.example`);
const record = fc.record({ url: host, note: noise, 'é"\\': noise });

test("the values of a path are those in the tree of the platform's parser", () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(undefined, 1, "\t"),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (records, indent, size, isDeep) => {
        const document = isDeep ? { meta: { page: records } } : records;
        const text = JSON.stringify(document, null, indent);
        const column = isDeep ? "meta.page[].url" : "[].url";
        const bytes = new TextEncoder().encode(text);
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        const { events } = readPieces(pieces, { format: "json", column });
        const steps = column
          .replaceAll("[]", ".[]")
          .split(".")
          .filter((step) => step !== "");
        const expected = valuesAt(JSON.parse(text), steps).map((url) => `${url}/`);
        expect(events.map((event) => event.replace(/^\d+: /, ""))).toEqual(expected);
      },
    ),
  );
});

test("text is refused exactly when the platform's parser refuses it", { tags: "deep" }, () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"url"',
    '"http://a.example/"',
    '"\\u00e9"',
    '"\\x"',
    "1",
    "-0.5e+3",
    "01",
    "tru",
    "true",
    "null",
    " ",
    "\n",
  );
  let valid = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = `{"list":[{"url":"http://evil.example/"}],"more":${pieces.join("")}}`;
      let isValid = true;
      try {
        JSON.parse(text);
        valid++;
      } catch {
        isValid = false;
      }
      const { error } = readText(text, { format: "json", column: "list[].url" });
      expect(error === "json-document").toBe(!isValid);
    }),
    { numRuns: 3000 },
  );
  expect(valid).toBeGreaterThan(10);
});

test("any document and any path give entries or the package's own error", { tags: "deep" }, () => {
  const name = fc.constantFrom(
    ..."url host domains data type value pattern Attribute to_ids rules action list whitelist trackers".split(
      " ",
    ),
    ..."a.example 1 * [] __proto__ constructor error status version objects indicator".split(" "),
    "",
  );
  const scalar = fc.constantFrom(
    "evil.example",
    "http://a.example/",
    "indicator",
    "",
    "allow",
    0,
    1,
    true,
    null,
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthSize: "medium" },
      scalar,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map((members) => new Map(members)),
    ),
  }));
  /** Unlike objects, maps may have names such as `__proto__`. */
  const textOf = (json: unknown): string => {
    if (Array.isArray(json)) return `[${json.map(textOf)}]`;
    if (!(json instanceof Map)) return JSON.stringify(json);
    return `{${[...json].map(([key, each]) => `${JSON.stringify(key)}:${textOf(each)}`)}}`;
  };
  const path = fc
    .array(fc.constantFrom("url", "data", "[]", ".", "*", "a.example", "whitelist"), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join(""));
  const ends = new Map<string, number>();
  fc.assert(
    fc.property(value, fc.option(path), (document, column) => {
      const text = textOf(document);
      const { events, error } = readText(text, { format: "json", column: column ?? undefined });
      const end = error ?? (events.length > 0 ? "read" : "nothing");
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }),
    { numRuns: 5000 },
  );
  expect([...ends.keys()]).toEqual(expect.arrayContaining(["read", "column-missing"]));
});

test("a document is cut short at every place, and nothing of it is read", () => {
  const text = '{"data":[{"url":"http://evil.example/","n":-1.5},{"url":"http://bad.example/"}]}';
  for (let length = 1; length < text.length; length++) {
    const { events, error } = readText(text.slice(0, length), { format: "json" });
    expect([events, error]).toEqual([[], "json-document"]);
  }
});

test("what may not be an entry is refused, and the records beside it are read", () => {
  const text =
    '{"data":[{"url":"http://b.example/"},{"id":1},{"url":null},{"url":{"x":1}},' +
    '"http://c.example/",null,[],{"url":["http://d.example/",2,"http://e.example/"]},{"url":[]}]}';
  expect(readText(text, { column: "data[].url" }).events).toEqual([
    "1: b.example/",
    "2+1 refused field-missing",
    "3+1 refused field-empty",
    "4+1 refused field-empty",
    "5+1 refused field-missing",
    "6+1 refused field-missing",
    "7+1 refused field-missing",
    "8: d.example/",
    "9+1 refused field-empty",
    "10: e.example/",
    "11+1 refused field-empty",
  ]);
});

test("a document is read only if its layout is known, or the path of the entries is named", () => {
  for (const document of [
    { allowlist: ["good.example"] },
    { data: [{ url: "http://good.example/" }] },
    [{ url: "http://good.example/" }],
    { "evil.example": { url: "http://good.example/" } },
    { url: "http://good.example/" },
  ]) {
    expect(readText(JSON.stringify(document))).toMatchObject({
      events: [],
      error: "column-missing",
    });
  }
  expect(read(["http://evil.example/", "bad.example"])).toEqual([
    "1: evil.example/",
    "2: bad.example/",
  ]);
  const two = JSON.stringify({ a: [{ url: "evil.example" }], b: [{ url: "good.example" }] });
  expect(readText(two, { column: "a[].url" }).events).toEqual(["1: evil.example/"]);
  for (const column of ["url", "c[].url", 1]) {
    expect(readText(two, { column }).error).toBe("column-missing");
  }
});

test.each([
  [{ "http://evil.example/": "bad", "http://good.example/": "good" }],
  [{ names: ["intranet"] }],
])("no path is offered where none helps: %j", (document) => {
  const reader = listSourceReader({ onEntry: () => {} });
  reader.push(new TextEncoder().encode(JSON.stringify(document)));
  expect(() => reader.end()).toThrow(
    "a JSON document; it has no entries: expected URLs or hosts in a column, or as values.",
  );
});

test("arrays of entries in an array are read by their path", () => {
  expect(read([["evil.example"], ["bad.example"]], { column: "[][]" })).toHaveLength(2);
  expect(readText(JSON.stringify([["evil.example"]])).error).toBe("column-missing");
});

test("the message names the places of the entries, with counts and examples", () => {
  const reader = listSourceReader({ onEntry: () => {} });
  const document = { source: "https://publisher.example/", data: [{ url: "evil.example" }] };
  reader.push(new TextEncoder().encode(JSON.stringify(document)));
  expect(() => reader.end()).toThrow(
    'This looks like a JSON document; it has "data[].url" (1 value, such as "evil.example"), "source" (1 value, such as "https://publisher.example/"): expected the path of the entries as the column.',
  );
});

test("the host of a publisher never becomes an entry", () => {
  const envelopes = [
    { host: "publisher.example" },
    { hostname: "publisher.example", status: "ok" },
    { url: "https://publisher.example/v1", data: [] },
    { domain: "publisher.example", count: 0, results: [] },
    { url: "https://publisher.example/v1", results: [{ name: "x" }] },
    { meta: { url: "https://publisher.example/" }, data: [] },
    { source: { url: "https://publisher.example/" }, entries: [] },
    { sources: [{ url: "https://publisher.example/list.txt" }] },
    { authors: [{ name: "x", url: "https://publisher.example/" }], items: [] },
  ];
  for (const envelope of envelopes) {
    expect(read(envelope)).toEqual([]);
    expect(readText(JSON.stringify(envelope, null, 2)).events).toEqual([]);
  }
});

test("envelopes are not mistaken for records", () => {
  const lines = (object: object) => `${JSON.stringify(object)}\n`.repeat(2);
  const envelope = { host: "publisher.example", data: [{ url: "http://evil.example/" }] };
  expect(readText(lines(envelope)).error).toBe("column-missing");
  const { events } = readText(lines(envelope), { column: "data[].url" });
  expect(events).toEqual(["1: evil.example/", "2: evil.example/"]);
});

const indicator = (host: string, more: object = {}) => ({
  type: "indicator",
  id: "indicator--1",
  pattern: `[domain-name:value = '${host}']`,
  ...more,
});
const attribute = (value: string, more: object = {}) => ({
  type: "domain",
  value,
  to_ids: true,
  ...more,
});

test("a record that looks like STIX or MISP takes no other entry away", () => {
  for (const record of [indicator("bad.example"), attribute("bad.example")]) {
    const hosts = Array.from({ length: 80 }, (_, i) => ({ url: `http://evil${i}.example/` }));
    for (const document of [
      { data: [...hosts, record] },
      { data: [...hosts, { Attribute: [record] }] },
      { data: hosts, objects: { objects: [record] } },
    ]) {
      expect(readText(JSON.stringify(document)).error).toMatch(/^column-/);
      const { events } = readText(JSON.stringify(document), { column: "data[].url" });
      expect(events.filter((event) => event.includes("evil"))).toHaveLength(80);
    }
    // What is no object of STIX, or no attribute of MISP, is refused and counted.
    for (const document of [
      { objects: [...hosts, indicator("bad.example")] },
      { Attribute: [...hosts, attribute("bad.example")] },
    ]) {
      const { events } = readText(JSON.stringify(document));
      expect(events.filter((event) => event.includes("refused field-missing"))).toHaveLength(80);
    }
  }
});

test("names of members say nothing", () => {
  const document = {
    "whitelist.evil.example": [{ url: "http://whitelist.evil.example/" }],
    "bad.example": [{ url: "http://bad.example/" }],
  };
  expect(read(document, { column: "*[].url" })).toEqual([
    "1: whitelist.evil.example/",
    "2: bad.example/",
  ]);
});

test("the fields of STIX say what an indicator means", () => {
  const objects = [
    indicator("a.example", { revoked: true }),
    indicator("b.example", { valid_until: "2001-01-01T00:00:00Z" }),
    indicator("c.example", { indicator_types: ["benign"] }),
    indicator("d.example", { labels: ["benign"], description: "benign" }),
    indicator("e.example", { valid_until: "9999-01-01T00:00:00Z", revoked: false }),
    indicator("f.example", { pattern_type: "yara" }),
    { type: "report", id: "report--1" },
  ];
  const { events, summary } = readText(JSON.stringify({ type: "bundle", objects }));
  expect(events).toEqual(["3+1 refused exception", "4: d.example/", "5: e.example/"]);
  expect(summary).toMatchObject({ notApplicable: 4, column: "pattern" });
});

test("MISP attributes are entries if they are meant for detection", () => {
  const attributes = [
    attribute("a.example", { to_ids: "true" }),
    attribute("b.example", { to_ids: 1 }),
    attribute("c.example", { to_ids: "0" }),
    attribute("d.example", { to_ids: false }),
    attribute("e.example", { deleted: "true" }),
    attribute("f.example", { deleted: "0", comment: "whitelisted" }),
    { type: "domain|ip", value: "g.example|192.0.2.1", to_ids: "1" },
    { type: "md5", value: "d41d8cd98f00b204e9800998ecf8427e", to_ids: true },
  ];
  const entries = ["a.example/", "b.example/", "f.example/", "g.example/"];
  for (const document of [
    { Event: { Attribute: attributes } },
    { response: [{ Event: { Attribute: attributes } }] },
    { response: { Attribute: attributes } },
    { Event: { Object: [{ Attribute: attributes }] } },
  ]) {
    const { events, summary } = readText(JSON.stringify(document));
    expect(events.map((event) => event.replace(/^\d+: /, ""))).toEqual(entries);
    expect(summary).toMatchObject({ notApplicable: 4 });
  }
});

test.each([
  ["[url:value = 'http://a.example/x']", ["1: a.example/x"]],
  [
    "[ url:value='http://a.example/' ] OR [hostname:value = 'b.example']",
    ["1: a.example/", "1: b.example/"],
  ],
  ["[domain-name:value IN ('a.example', 'b.example')]", ["1: a.example/", "1: b.example/"]],
  ["[domain-name:value = 'a.example' OR ipv4-addr:value = '192.0.2.1']", ["1: a.example/"]],
  ["[url:value = 'http://a.example/\\'']", ["1: a.example/'"]],
  ["[ipv4-addr:value = '192.0.2.1']", []],
  ["[domain-name:value = 'a.example' AND url:value = 'http://b.example/']", null],
  ["[domain-name:value = 'a.example'] AND [domain-name:value = 'b.example']", null],
  ["[domain-name:value = 'a.example'] FOLLOWEDBY [domain-name:value = 'b.example']", null],
  ["[domain-name:value = 'a.example'] WITHIN 5 SECONDS", null],
  ["[NOT domain-name:value = 'a.example']", null],
  ["[domain-name:value NOT = 'a.example']", null],
  ["[domain-name:value != 'a.example']", null],
  ["[domain-name:value LIKE '%.example']", null],
  ["[domain-name:value MATCHES 'a']", null],
  ["[domain-name:value = 'a.example'", null],
  ["domain-name:value = 'a.example'", null],
  ["", null],
] as const)("the STIX pattern %s", (pattern, expected) => {
  const events = read({ objects: [{ type: "indicator", pattern }] }).filter(
    (event) => !event.includes("warning"),
  );
  expect(events).toEqual(expected ?? ["1+1 refused stix-pattern"]);
});

test("memory and nesting are limited", () => {
  const deep = `${"[".repeat(101)}${"]".repeat(101)}`;
  expect(readText(deep, { format: "json" }).error).toBe("json-document");
  const depth = 100_000;
  const inside = `{"url":"a.example","x":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  expect(readText(`[${inside}]`, { column: "[].url" }).error).toBe("json-document");
  expect(
    readText(`${inside}\n{"url":"b.example"}\n`, { format: "json-lines", column: "url" }).events,
  ).toEqual(["1+1 refused json-invalid", "2: b.example/"]);
  const long = JSON.stringify(["http://evil.example/"]);
  expect(readText(long, { maxListBytes: long.length }).error).toBe(null);
  expect(readText(long, { maxListBytes: long.length - 1 }).error).toBe("list-too-large");
});

test("a document in which an object has a member twice is not read", () => {
  for (const text of [
    '{"list":["http://a.example/"],"list":["http://b.example/"]}',
    '[{"url":"http://a.example/","verdict":"bad","verdict":"good"}]',
    '[{"url":"http://a.example/","u\\u0072l" : "http://b.example/"}]',
    '{"type":"bundle","objects":[],"objects":[]}',
  ]) {
    expect(readText(text, { column: "[].url" }).error, text).toBe("json-document");
  }
  const once = { 'a":"b\\': '"url":', __proto__: 1, url: 'http://a.example/?\\"x":' };
  const text = JSON.stringify([{ ...once, deep: [once, { url: "" }] }], null, 1);
  expect(readText(text, { column: "[].url" }).error).toBe(null);
});

test("UTF-16 and damaged UTF-8 are not read", () => {
  const wide = new Uint8Array(Buffer.from('\ufeff[{"url":"http://evil.example/"}]', "utf16le"));
  expect(readPieces([wide], { format: "json" }).error).toBe("utf-16");
  const bytes = new TextEncoder().encode('["http://evil.example/x","http://bad.example/"]');
  bytes[22] = 0xff;
  expect(readPieces([bytes], { format: "json" }).events).toEqual([
    "1+1 refused not-utf-8",
    "2: bad.example/",
  ]);
});

test("damaged UTF-8 in STIX and MISP is refused, too", () => {
  const url = "http://evil.example/caf\xe9";
  const pattern = `[url:value = '${url}']`;
  const indicator = { type: "indicator", id: "indicator--1", pattern };
  const attribute = { type: "url", to_ids: true, value: url };
  const documents = [{ type: "bundle", objects: [indicator] }, { Attribute: [attribute] }];
  for (const document of documents) {
    const bytes = new Uint8Array(Buffer.from(JSON.stringify(document), "latin1"));
    expect(readPieces([bytes]).events).toEqual(["1+1 refused not-utf-8"]);
  }
});

test("a byte order mark, and escapes in names and values", () => {
  const text = '\ufeff[{"\\u0075rl":"http:\\/\\/evil.ex\\u0061mple\\/"}]';
  expect(readText(text, { column: "[].url" }).events).toEqual(["1: evil.example/"]);
});

test("the summary of a document has its path and the number of its records", () => {
  const reader = listSourceReader({ column: "data[].url", onEntry: () => {} });
  reader.push(
    new TextEncoder().encode('{\n "data": [\n  { "url": "http://evil.example/" }\n ]\n}\n'),
  );
  expect(reader.end()).toMatchObject({ column: "data[].url", entries: 1, lines: 1, refused: 0 });
});

test("a path names the values in each of the JSON lines", () => {
  const lines = [
    '{"hit":{"url":"http://evil.example/"}}',
    '{"hit":{"url":"bad.example"}}',
    '{"hit":{}}',
    '{"hit.url":"worse.example"}',
  ];
  const { events } = readText(lines.join("\n"), { format: "json-lines", column: "hit.url" });
  expect(events).toEqual([
    "1: evil.example/",
    "2: bad.example/",
    "3+1 refused field-missing",
    "4: worse.example/",
  ]);
});

test("a column by its number is found behind tabs, although URLs have commas", () => {
  const table = "1\thttp://evil.example/a,b\n2\thttp://bad.example/c,d\n";
  expect(readText(table, { format: "csv", column: 2 }).events).toEqual([
    "1: evil.example/a,b",
    "2: bad.example/c,d",
  ]);
});

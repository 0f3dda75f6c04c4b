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
        // Fields such as "error" say that a record is not an entry.
        const hasMeaning = /"(?:error|ok|type|status|code|fault|exception)/i.test(text);
        fc.pre(!hasMeaning);
        expect(events.map((event) => event.replace(/^\d+: /, ""))).toEqual(expected);
      },
    ),
  );
});

test("text is refused exactly when the platform's parser refuses it", () => {
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
      } catch (error) {
        isValid = false;
        // Several documents in one text are read, too.
        fc.pre(!/after JSON/.test((error as Error).message));
      }
      const { error } = readText(text, { format: "json", column: "list[].url" });
      expect(error === "json-document").toBe(!isValid);
    }),
    { numRuns: 3000 },
  );
  expect(valid).toBeGreaterThan(10);
});

test("any document and any path give entries or the package's own error", () => {
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
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 2 }),
      fc.option(path),
      (values, column) => {
        const text = values.map(textOf).join("\n");
        // The same document with other hosts, in a member that contains exceptions.
        const good = text.replaceAll(/a\.example|evil\.example/g, "good.example").split("\n")[0]!;
        const both = `{"data":${text.split("\n")[0]},"whitelist":${good}}`;
        if (!column?.includes("whitelist")) {
          const read = readText(both, { format: "json", column: column ?? undefined });
          expect(read.events.filter((event) => event.endsWith(": good.example/"))).toEqual([]);
        }
        const { events, error } = readText(text, { format: "json", column: column ?? undefined });
        const end = error ?? (events.length > 0 ? "read" : "nothing");
        ends.set(end, (ends.get(end) ?? 0) + 1);
      },
    ),
    { numRuns: 5000 },
  );
  expect([...ends.keys()]).toEqual(
    expect.arrayContaining(["read", "column-missing", "column-ambiguous"]),
  );
  expect(readText('"a.example"\n"b.example"', { format: "json" }).events).toEqual([
    "1: a.example/",
    "2: b.example/",
  ]);
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
    '{"data":[{"url":"http://a.example/","url":"http://b.example/"},\n{"id":1},\n{"url":null},\n{"url":{"x":1}},\n' +
    '"http://c.example/",\nnull,\n[],\n{"url":["http://d.example/",2,"http://e.example/"]}]}';
  expect(readText(text, { column: "data[].url" }).events).toEqual([
    "1+1 refused field-repeated",
    "2+1 refused field-missing",
    "3+1 refused field-empty",
    "4+1 refused field-empty",
    "5+1 refused field-missing",
    "6+1 refused field-missing",
    "7+1 refused field-empty",
    "8: d.example/",
    "8+1 refused field-empty",
    "8: e.example/",
  ]);
});

test.each([
  "whitelist",
  "white_list",
  "allowlist",
  "allowed",
  "AllowList",
  "exceptions",
  "excluded",
  "false_positives",
  "falsePositives",
  "tolerated",
  "safe",
  "benign",
  "trusted",
  "ignore",
  "fuzzylist",
  "legitimate",
])("%s is read only if it is named", (name) => {
  expect(read({ [name]: ["good.example"] })).toEqual([]);
  expect(read({ [name]: [{ url: "http://good.example/" }] })).toEqual([]);
  expect(read({ [name]: { domains: ["good.example"] } })).toEqual([]);
  expect(read({ data: { [name]: ["good.example"] }, domains: ["evil.example"] })).toEqual([
    "1: evil.example/",
  ]);
  expect(read({ a: [{ urls: ["evil.example"], [name]: ["good.example"] }] })).toEqual([
    "1: evil.example/",
  ]);
  expect(read({ [name]: ["good.example"], bad: ["evil.example"] }, { column: "*[]" })).toEqual([
    "1: evil.example/",
  ]);
  expect(read({ [name]: ["good.example"] }, { column: `${name}[]` })).toEqual(["1: good.example/"]);
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

test("lists about an entry are not mistaken for entries, and envelopes not for records", () => {
  const record = { url: "http://evil.example/", screenshots: [{ url: "http://cdn.example/1" }] };
  expect(readText(JSON.stringify(record)).error).toBe("column-ambiguous");
  expect(readText(JSON.stringify([record])).error).toBe("column-ambiguous");
  const lines = (object: object) => `${JSON.stringify(object)}\n`.repeat(2);
  expect(readText(lines(record)).events).toEqual(["1: evil.example/", "2: evil.example/"]);
  const envelopes = [
    { url: "https://publisher.example/v1", results: [{ url: "http://evil.example/" }] },
    { host: "publisher.example", detections: [{ url: "http://evil.example/" }] },
    { data: [{ url: "http://evil.example/" }] },
  ];
  for (const envelope of envelopes) {
    expect(readText(lines(envelope)).events).toEqual([
      "1+1 refused records-inside",
      "2+1 refused records-inside",
    ]);
  }
});

test("indicators and attributes inside what is allowed are not read", () => {
  const attribute = (value: string) => ({ type: "domain", value, to_ids: true });
  const event = (value: string) => ({ Event: { Attribute: [attribute(value)] } });
  expect(read({ whitelist: event("good.example"), response: [event("evil.example")] })).toEqual([
    "1: evil.example/",
  ]);
  const indicator = (value: string) => ({
    type: "indicator",
    pattern: `[domain-name:value = '${value}']`,
  });
  expect(
    read({ allowlist: [indicator("good.example")], objects: [indicator("evil.example")] }),
  ).toEqual(["1: evil.example/"]);
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
  const events = read([{ type: "indicator", pattern }]).filter(
    (event) => !event.includes("warning"),
  );
  expect(events).toEqual(expected ?? ["1+1 refused stix-pattern"]);
});

test("an object alone that can only be a record is read", () => {
  expect(read({ url: "http://evil.example/", tags: [], seen: 1 })).toEqual(["1: evil.example/"]);
});

test("memory and nesting are limited", () => {
  const deep = `${"[".repeat(101)}${"]".repeat(101)}`;
  expect(readText(deep, { format: "json" }).error).toBe("json-document");
  const long = JSON.stringify([{ url: "http://evil.example/" }]);
  expect(readText(long, { maxListBytes: long.length }).error).toBe(null);
  expect(readText(long, { maxListBytes: long.length - 1 }).error).toBe("list-too-large");
});

test("UTF-16 and damaged UTF-8 are not read", () => {
  const wide = new Uint8Array(Buffer.from('\ufeff[{"url":"http://evil.example/"}]', "utf16le"));
  expect(readPieces([wide], { format: "json" }).error).toBe("utf-16");
  const bytes = new TextEncoder().encode('["http://evil.example/x","http://bad.example/"]');
  bytes[22] = 0xff;
  expect(readPieces([bytes], { format: "json" }).events).toEqual([
    "1+1 refused not-utf-8",
    "1: bad.example/",
  ]);
});

test("a byte order mark, and escapes in names and values", () => {
  const text = '\ufeff[{"\\u0075rl":"http:\\/\\/evil.ex\\u0061mple\\/"}]';
  expect(readText(text).events).toEqual(["1: evil.example/"]);
});

test("the summary of a document has its path and its lines", () => {
  const reader = listSourceReader({ onEntry: () => {} });
  reader.push(
    new TextEncoder().encode('{\n "data": [\n  { "url": "http://evil.example/" }\n ]\n}\n'),
  );
  expect(reader.end()).toMatchObject({ column: "data[].url", entries: 1, lines: 5, refused: 0 });
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

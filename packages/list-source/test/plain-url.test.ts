import { topLevelDomains } from "@x/canon/top-level-domains";
import { exactExpression } from "@x/expressions";
import { listSourceReader, type SourceFormat } from "@x/list-source";
import { isPublicSuffix } from "@x/list-source/public-suffixes";
import { fullHash, toHex } from "@x/sha256-prefix";
import { createHashBatch } from "@x/sha256-prefix/batch";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { acceptEntry } from "../src/accept-entry.ts";
import { linter } from "../src/entry-warnings.ts";
import type { EntryKind } from "../src/formats/format.ts";
import { MAX_PLAIN_BYTES, plainUrlReader } from "../src/plain-entries.ts";
import { readPieces } from "./read.ts";

const hashBatch = createHashBatch({ bytes: 2 ** 13, slices: 2 ** 7 });

const KINDS: readonly EntryKind[] = ["line", "field", "host", "rule", "open-rule"];

const plainHost = fc.constantFrom(
  ..."evil.example www.evil.example a-b.co.uk github.io 1.evil.example -a.example h.example com.br".split(
    " ",
  ),
  ...["xn--bcher-kva.example", "xn--a.example", "a.b.c.d.e.f.g.example", "evil.invalidtld", "com"],
);
const oddHost = fc.constantFrom(
  ...["EVIL.example", "1.2.3.4", "a.1", "a.0x1", "a.xn--p1ai", "a.http", "a.hxxps", "a..example"],
  ...["intranet", "-.-", "a.-b", "a.b-", "ü.example", "a_b.example", "http__evil.example", "a.b."],
  ...[`${"a".repeat(64)}.example`, `${"a".repeat(63)}.example`, `${"a.".repeat(130)}example`],
  ...["www.http", "httpevil.example", "http.example", "https.example"],
);
const piece = fc.constantFrom(
  ..."/.?#%@:&=-_~!$'()*+,;|\\^`{}[]<>\"aZ0 ",
  ...["//", "..", "...", "/.", "/..", "%41", "%25", "?a=b&c=d", "&hl=en", "&amp;", "&hellip;"],
  ...["http://", "/a/b/", "/index.html", "ü", "…", ":80", "\u0168", "\u2f2f", "truncated)", "/*"],
);
const path = fc.oneof(
  { weight: 2, arbitrary: fc.constant("") },
  { weight: 2, arbitrary: fc.constantFrom("", "/", "/a", "/a/b.html", "/a?b=c&d=e", "/@me/x+y/") },
  { weight: 1, arbitrary: fc.constant(`/${"a/".repeat(12)}`) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom("/", "/a", "/a/?b", "?"), piece)
      .map((pieces) => pieces.join("")),
  },
  {
    weight: 3,
    arbitrary: fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join("")),
  },
  {
    weight: 2,
    arbitrary: fc.array(piece, { maxLength: 4 }).map((pieces) => `/${pieces.join("")}`),
  },
);
const scheme = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("", "http://", "https://") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("HTTP://", "ftp://", "//", "http:/", "\u0168ttp://", "hxxp://"),
  },
);
const host = fc.oneof(
  { weight: 3, arbitrary: plainHost },
  { weight: 1, arbitrary: oddHost },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."ab1-.hx_"), maxLength: 12 }) },
);
const text = fc.tuple(scheme, host, path).map((parts) => parts.join(""));

test("a text that is plain by its bytes is the entry that it is when it is parsed, with no warning about it", () => {
  const bytes = new Uint8Array(MAX_PLAIN_BYTES + 9).fill(0xff);
  const { read, spans } = plainUrlReader(bytes);
  const seen = { plain: 0, bare: 0, host: 0, query: 0, parsed: 0 };
  const endsInTopLevelDomain = topLevelDomains(isPublicSuffix);
  fc.assert(
    fc.property(text, fc.constantFrom(...KINDS), fc.boolean(), (each, kind, allowBroad) => {
      const url = read(each, kind, 9);
      if (url === null) {
        seen.parsed++;
        return;
      }
      expect(url).toEqual(acceptEntry(each, kind, { allowBroad, endsInTopLevelDomain }));
      const expression = exactExpression(url);
      expect(new TextDecoder().decode(bytes.subarray(spans.host, spans.end))).toBe(expression);
      expect(bytes.subarray(0, 9).every((byte) => byte === 0xff)).toBe(true);
      const warnings: string[] = [];
      const lint = linter({ endsInTopLevelDomain }, (code) => warnings.push(code));
      lint.text(each, url);
      expect(warnings).toEqual([]);
      seen.plain++;
      if (!each.includes("://")) seen.bare++;
      if (kind === "host") seen.host++;
      if (url.query !== null) seen.query++;
    }),
    { seed: 50, numRuns: sampleSize(30_000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(100));
});

test("a plain text is at most as long as its bytes may be", () => {
  const { read } = plainUrlReader(new Uint8Array(MAX_PLAIN_BYTES));
  const long = (length: number) => `evil.example/${"a".repeat(length - 13)}`;
  const most = MAX_PLAIN_BYTES - 8;
  expect(read(long(most), "line", 0)?.host).toBe("evil.example");
  expect(read(long(most + 1), "line", 0)).toBeNull();
});

/** The same entry with a capital letter in the scheme or host, so that it is not plain. */
function disguised(entry: string): string {
  const at = entry.search(/[a-z]/);
  return at < 0 ? entry : entry.slice(0, at) + entry[at]!.toUpperCase() + entry.slice(at + 1);
}

interface Layout {
  readonly format: SourceFormat;
  readonly write: (entry: string) => string;
  readonly other: readonly string[];
}

const LAYOUTS: readonly Layout[] = [
  {
    format: "urls",
    write: (entry) => entry,
    other: ["# Whitelist", "# Malware", "", "1.2.3.4", "hxxp://a.example/", "a b", "-a.example"],
  },
  { format: "domains", write: (entry) => entry, other: ["*.b.example", "a.example/", "!x", "a"] },
  {
    format: "hosts",
    write: (entry) => `0.0.0.0 ${entry}`,
    other: ["127.0.0.1 localhost", "1.2.3.4 c.example", "0.0.0.0 a.example b.example # x", "a"],
  },
  { format: "adblock", write: (entry) => `||${entry}^`, other: ["@@||a.example^", "! x", "a##b"] },
  { format: "csv", write: (entry) => `1,${entry}`, other: ['2,"a\n', 'b"', "3,", "4,a.example,x"] },
];

test("plain lines give the same entries and warnings as when they are parsed, in the same order", {
  tags: "deep",
}, () => {
  const entry = fc.tuple(scheme, plainHost, path).map((parts) => parts.join(""));
  const copies = fc.constantFrom(1, 1, 12, 150);
  const cutAt = fc.array(fc.nat({ max: 20_000 }), { maxLength: 5 });
  const lines = fc.array(fc.tuple(entry, fc.nat({ max: 20 }), copies), { maxLength: 12 });
  const seen = { entries: 0, warnings: 0, refused: 0, long: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...LAYOUTS), lines, cutAt, (layout, all, places) => {
      const { format, write, other } = layout;
      const isTable = format === "csv";
      const source = (form: (entry: string) => string) =>
        [
          ...(isTable ? ["id,url"] : []),
          ...all.flatMap(
            ([each, kind, count]) => other[kind] ?? Array(count).fill(write(form(each))),
          ),
        ]
          .map((line) => `${line}\n`)
          .join("");
      const read = (text: string) => {
        const bytes = new TextEncoder().encode(text);
        const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
        const sorted = ends.sort((a, b) => a - b);
        const pieces = sorted.map((end, i) => bytes.subarray(sorted[i - 1] ?? 0, end));
        const column = isTable ? { column: "url" } : {};
        return readPieces(pieces, { format, isPublicSuffix, hashBatch, ...column });
      };
      const plain = read(source((each) => each));
      const parsed = read(source(disguised));
      expect(plain).toEqual(parsed);
      seen.entries += plain.summary?.entries ?? 0;
      seen.warnings += plain.summary?.warnings ?? 0;
      seen.refused += plain.summary?.refused ?? 0;
      if (plain.events.length > 300) seen.long++;
    }),
    { seed: 50, numRuns: sampleSize(1500) },
  );
  expect(seen.long).toBeGreaterThan(fewest(50));
  for (const count of [seen.entries, seen.warnings, seen.refused]) {
    expect(count, JSON.stringify(seen)).toBeGreaterThan(fewest(1000));
  }
});

test("entries before a line that cannot be read are reported before the error", () => {
  const entries = Array.from({ length: 20 }, (_, i) => `h${i}.example`);
  const read = (form: (entry: string) => string) =>
    readPieces(
      [new TextEncoder().encode(`${entries.map(form).join("\n")}\n{ +block }\nb.example\n`)],
      {
        format: "urls",
      },
    );
  const plain = read((each) => each);
  expect(plain.error).not.toBeNull();
  expect(plain.events).toHaveLength(20);
  expect(plain).toEqual(read(disguised));
});

test("hashes of entries are right, own their memory, and each entry is reported once if a callback throws", () => {
  const source = new TextEncoder().encode(
    Array.from({ length: 300 }, (_, i) => `h${i}.example\n`).join(""),
  );
  const hashes: Uint8Array[] = [];
  const reader = listSourceReader({
    format: "domains",
    hashBatch,
    onEntry({ line, expression, hash }) {
      expect(toHex(hash)).toBe(toHex(fullHash(expression!)));
      expect(hash.buffer.byteLength).toBe(32);
      expect(line).toBe(hashes.length + 1);
      hashes.push(hash);
      // A second reader in a callback does not disturb the first.
      const inner = listSourceReader({ format: "domains", hashBatch, onEntry: () => {} });
      inner.push(source.subarray(0, 500));
      inner.end();
    },
  });
  reader.push(source);
  reader.end();
  expect(hashes).toHaveLength(300);
  expect(new Set(hashes.map(toHex)).size).toBe(300);

  const others: string[] = [];
  const small = createHashBatch({ bytes: 100, slices: 2 ** 7 });
  for (const other of [undefined, small]) {
    const onEntry = ({ hash }: { hash: Uint8Array }) => others.push(toHex(hash));
    const alone = listSourceReader({ format: "domains", hashBatch: other, onEntry });
    alone.push(source);
    alone.end();
  }
  const all = hashes.map(toHex);
  expect(others).toEqual([...all, ...all]);

  const reported: number[] = [];
  const throwing = listSourceReader({
    format: "domains",
    onEntry({ line }) {
      reported.push(line);
      if (line === 10) throw new Error("full");
    },
  });
  expect(() => {
    throwing.push(source);
    throwing.end();
  }).toThrow("full");
  throwing.end();
  expect(reported.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(new Set(reported).size).toBe(reported.length);
});

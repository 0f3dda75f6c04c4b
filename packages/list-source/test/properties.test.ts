import { readFileSync } from "node:fs";
import { isDefanged } from "@x/canon/defanged";
import { readUrl } from "@x/canon/readings";
import { exactExpression } from "@x/expressions";
import {
  foreignLine,
  listSourceReader,
  RECOGNITION_BYTES,
  recognizeSource,
  SOURCE_FORMATS,
} from "@x/list-source";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, loadVectors, type ReadOptions, readPieces, type VectorInput } from "./read.ts";

interface Source {
  readonly name: string;
  readonly input: VectorInput;
  readonly eol?: string;
  readonly options?: ReadOptions;
}

const load = (file: string) => loadVectors<Source>(file, (path) => readFileSync(path, "utf8"));
const FILES = ["wild.json", "mistakes.json", "hashes.json"];

/** Every source of the vectors, as it is and repeated until it is longer than the bytes used for recognition. */
const SOURCES: readonly { bytes: Uint8Array; options: ReadOptions }[] = FILES.flatMap(load).flatMap(
  ({ input, eol, options = {} }) => {
    const bytes = bytesOf(input, eol);
    const copies = Math.ceil((1.2 * RECOGNITION_BYTES) / Math.max(1, bytes.length));
    const long = new Uint8Array(Buffer.concat(Array.from({ length: copies }, () => bytes)));
    return [
      { bytes, options },
      { bytes: long, options },
    ];
  },
);
const LIST = encodePrefixList(
  prefixList(
    Array.from({ length: 500 }, (_, i) => fullHash(`${i}.example/`)),
    { prefixBytes: 8 },
  ),
);

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b)];
  return at.map((start, i) => bytes.subarray(start, at[i + 1] ?? bytes.length));
}

test("the results do not depend on how the bytes are split", { tags: "deep" }, () => {
  const sources = [...SOURCES, { bytes: LIST, options: {} }];
  const whole = sources.map(({ bytes, options }) => JSON.stringify(readPieces([bytes], options)));
  const places = fc.array(fc.nat({ max: 2 * RECOGNITION_BYTES }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.nat({ max: sources.length - 1 }), places, (i, each) => {
      const { bytes, options } = sources[i]!;
      expect(JSON.stringify(readPieces(cut(bytes, each), options))).toBe(whole[i]);
    }),
    { seed: 13, numRuns: sampleSize(600) },
  );
  sources.forEach(({ bytes, options }, i) => {
    if (bytes.length > 1000) return;
    const bytewise = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(JSON.stringify(readPieces(bytewise, options))).toBe(whole[i]);
  });
});

const PIECES = [
  "evil.example",
  "www.",
  "http://",
  "https://",
  "//",
  "/",
  "0.0.0.0",
  "127.0.0.1",
  "::1",
  " ",
  "\t",
  "\n",
  "\n",
  "\r\n",
  "\r",
  "#",
  "##",
  "!",
  "||",
  "|",
  "^",
  "@@",
  "$",
  "document",
  ",",
  ",",
  ";",
  '"',
  "{",
  "}",
  '{"url":"',
  '"}',
  "[",
  "]",
  "*",
  "*.",
  ".",
  "@",
  ":",
  ":80",
  "?",
  "%20",
  "%",
  "\\",
  "<",
  ">",
  "<a>",
  "\0",
  "\ufeff",
  "\ufffd",
  "ü",
  "。",
  "xn--",
  "hxxp",
  "[.]",
  "CNAME",
  "$TTL",
  "SOA",
  "(",
  ")",
  "address=/",
  "server=/",
  "local",
  "url",
  "id,url\n",
  "73d986e0",
  "c9mG4A==",
  "1",
  "a",
  "-",
  "_",
  "=",
  "~",
  "'",
];

const start = fc.constantFrom(
  "",
  "",
  "",
  "http://",
  "0.0.0.0 ",
  "||",
  "*.",
  "1,",
  '{"url":"',
  "address=/",
  "id,url\n",
  '"',
);
const end = fc.constantFrom("", "", "", "/", "/a", "^", " CNAME .", '"}', "/0.0.0.0", '"', " # x");
const piece = fc.constantFrom(...PIECES);
const line = fc
  .tuple(
    start,
    fc.array(piece, { maxLength: 2 }),
    fc.constantFrom("evil.example", "b.example", "ü.example"),
    fc.array(piece, { maxLength: 2 }),
    end,
  )
  .map(([before, some, host, more, after]) => [before, ...some, host, ...more, after].join(""));
const text = fc
  .oneof(
    { weight: 3, arbitrary: fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n")) },
    { weight: 1, arbitrary: fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")) },
  )
  // Without a long first line, one control character would make a short text look binary.
  .map((each) => new TextEncoder().encode(`${";".repeat(500)}\n${each}`));
const anyBytes = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
);

test("any bytes give results that add up, or the package's own error; every entry can be reached", {
  tags: "deep",
}, () => {
  let entries = 0;
  let refused = 0;
  let errors = 0;
  const format = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(undefined, "urls" as const) },
    { weight: 1, arbitrary: fc.constantFrom(...SOURCE_FORMATS) },
  );
  fc.assert(
    fc.property(anyBytes, format, (bytes, named) => {
      let summary: ReturnType<ReturnType<typeof listSourceReader>["end"]>;
      let made = 0;
      let lines = 0;
      try {
        const reader = listSourceReader({
          format: named,
          onEntry: ({ line, expression, hash }) => {
            made++;
            expect(line).toBeGreaterThan(0);
            if (expression === null) return;
            expect(toHex(hash)).toBe(toHex(fullHash(expression)));
            expect(exactExpression(`http://${expression}`)).toBe(expression);
            const host = expression.slice(0, expression.indexOf("/"));
            // Browsers refuse invalid Punycode; other clients do not check it.
            if (host.includes("xn--")) return;
            expect(new URL(`http://${host}/`).hostname).toBe(host);
            expect(host).toMatch(/^(?:[a-z0-9_.-]+|\[[0-9a-f:]+\])$/);
          },
          onRefusal: (refusal) => {
            lines += refusal.lines;
            expect(refusal.expected).not.toBe("");
            expect(refusal.text).not.toMatch(/[\p{C}\u2028\u2029]/u);
          },
        });
        reader.push(bytes);
        summary = reader.end();
      } catch (error) {
        expect(error).toHaveProperty("name", "ListSourceError");
        errors++;
        return;
      }
      expect(summary.entries).toBe(made);
      expect(summary.refused).toBe(lines);
      expect(summary.bytes).toBe(bytes.length);
      entries += made;
      refused += lines;
    }),
    { seed: 13, numRuns: sampleSize(20_000) },
  );
  expect(entries).toBeGreaterThan(fewest(1000));
  expect(refused).toBeGreaterThan(fewest(1000));
  expect(errors).toBeGreaterThan(fewest(1000));
});

test("recognition is deterministic, and says why", () => {
  fc.assert(
    fc.property(anyBytes, fc.boolean(), (bytes, isWhole) => {
      const recognize = () => {
        try {
          return recognizeSource(bytes, { isWhole });
        } catch (error) {
          expect(error).toHaveProperty("name", "ListSourceError");
          return {
            code: (error as { code: string }).code,
            found: (error as { found: string }).found,
          };
        }
      };
      const recognition = recognize();
      expect(recognition.found).not.toBe("");
      expect(recognize()).toEqual(recognition);
      expect(() => foreignLine(bytes)).not.toThrow();
    }),
    { seed: 13, numRuns: sampleSize(5000) },
  );
});

test("the text of an entry is a URL with the expression of the entry", { tags: "deep" }, () => {
  let count = 0;
  for (const { bytes, options } of SOURCES) {
    const reader = listSourceReader({
      ...options,
      onEntry({ text, expression }) {
        expect(text === null).toBe(expression === null);
        if (text === null) return;
        expect(exactExpression(text)).toBe(expression);
        count++;
      },
    });
    try {
      reader.push(bytes);
      reader.end();
    } catch (error) {
      expect((error as Error).name).toBe("ListSourceError");
    }
  }
  expect(count).toBeGreaterThan(fewest(1000));
});

test("plain URLs count in the same way as other URLs when the format of a source is recognized", () => {
  const line = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("http://a.example/", "http://a.b.example/c?d=%2f&e") },
    fc.constantFrom(
      "https://a.example",
      "http://a.example/b\t",
      "http://a.example/,x",
      "a.example",
    ),
    fc.constantFrom("url", "url,date", "# url,date", "a.example,2", "a.example;2", "# x", "sep=,"),
    fc.constantFrom(
      "||a.example^",
      "0.0.0.0 a.example",
      "- a",
      "acl x y",
      "DOMAIN,a.example",
      "[Adblock]",
    ),
    fc.constantFrom(
      "hxxp://a.example/",
      "words and words",
      "{ +block }",
      "0123456789abcdef0123456789abcdef",
    ),
  );
  const recognize = (lines: readonly string[]): string => {
    try {
      return JSON.stringify(
        recognizeSource(new TextEncoder().encode(lines.join("\n")), { isWhole: true }),
      );
    } catch (error) {
      return String(error);
    }
  };
  const seen = { urls: 0, others: 0 };
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const found = recognize(lines);
      seen[found.includes('"urls"') ? "urls" : "others"]++;
      expect(recognize(lines.map((each) => each.replace(/^http/, "HTTP")))).toBe(found);
    }),
    { seed: 20, numRuns: sampleSize(10_000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(500));
});

test("what looks like something else is a line of a list, defanged, or not read as one URL", {
  tags: "deep",
}, () => {
  const unit = fc.constantFrom(..."http:/.,;|#?=%&@!*^~-_$'\\0aZ", " ", "\t", "[", ")", '"', "ü");
  const rest = fc.string({ unit, maxLength: 40 });
  const text = fc.oneof(
    rest,
    rest.map((end) => `http://${end}`),
    rest.map((end) => `https://a.example/${end}`),
    rest.map((end) => `http://a.example/##.${end}`),
    rest.map((end) => `a.example${end}`),
  );
  const seen = { url: 0, foreign: 0, unclear: 0 };
  fc.assert(
    fc.property(text, (line) => {
      const found = foreignLine(new TextEncoder().encode(line));
      const { problem } = readUrl(line);
      if (found === null) {
        seen.url++;
        expect(problem?.code, line).not.toBe("url-unclear");
      } else if (/-line$|-rule$|^defanged$/.test(found.code)) seen.foreign++;
      else {
        seen.unclear++;
        expect(problem, line).not.toBeNull();
      }
    }),
    { seed: 17, numRuns: sampleSize(10_000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(100));
});

test("no host by itself looks like something else, unless it is defanged", () => {
  const labels = fc.array(
    fc.oneof(
      fc.stringMatching(/^[a-zA-Z0-9-]{1,12}$/),
      fc.constantFrom("hxxp", "deadbeef", "0", "127", "xn--bcher-kva", "-"),
    ),
    { minLength: 2, maxLength: 6 },
  );
  const seen = { host: 0, defanged: 0 };
  fc.assert(
    fc.property(labels, (parts) => {
      const host = parts.join(".");
      const found = foreignLine(new TextEncoder().encode(host));
      if (found !== null) expect(isDefanged(host) || readUrl(host).problem !== null).toBe(true);
      seen[found === null ? "host" : "defanged"]++;
    }),
    { seed: 20261122, numRuns: sampleSize(2000) },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(50));
});

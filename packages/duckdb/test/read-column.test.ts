import {
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBScalarFunction,
  VARCHAR,
} from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";
import { anyCharacter, webUrl } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeTable } from "./database.ts";

const folder = temporaryFolder();
let connection: DuckDBConnection;
/** The strings that were read, by row number. */
const read = new Map<number, string | null>();
/** The number of times that DuckDB's memory was read. */
let reads = 0;

beforeAll(async () => {
  // The functions of the bindings cannot be replaced.
  const counting: typeof duckdb = Object.create(duckdb, {
    get_data_from_pointer: {
      value: (...place: Parameters<typeof duckdb.get_data_from_pointer>) => {
        reads++;
        return duckdb.get_data_from_pointer(...place);
      },
    },
  });
  vi.doMock("@duckdb/node-bindings", () => ({ default: counting }));
  vi.resetModules();
  const { readColumn } = await import("@x/duckdb/read-column");
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: "record_texts",
      parameterTypes: [VARCHAR, VARCHAR],
      returnType: VARCHAR,
      mainFunction(_, input, output) {
        const numbers = readColumn(input, 0);
        const texts = readColumn(input, 1);
        texts.forEach((text, row) => {
          read.set(Number(numbers[row]), text);
          output.setItem(row, text);
        });
        output.flush();
      },
    }),
  );
});

afterAll(() => {
  vi.doUnmock("@duckdb/node-bindings");
  vi.resetModules();
});

/**
 * Reads a table whose columns `text` and `n` contain texts of `all` and their indices. DuckDB compares the texts, too.
 */
async function readFrom(source: string, all: readonly (string | null)[]): Promise<void> {
  read.clear();
  reads = 0;
  const result = await connection.runAndReadAll(
    `SELECT count(*), count(*) FILTER (record_texts(n::VARCHAR, text) IS DISTINCT FROM text) FROM ${source}`,
  );
  const [count, different] = result.getRowsJson()[0]!.map(Number);
  expect(different).toBe(0);
  expect(read.size).toBe(count);
  for (const [n, text] of read) expect(text).toBe(all[n]);
}

const words = fc.constantFrom(
  "a",
  "http://",
  "evil.example",
  "/login?q=1",
  "%2561",
  "é",
  "\u{1f600}",
  "\ufeff",
  "\n",
  "\0",
  " ",
);
const text = fc.oneof(
  { weight: 8, arbitrary: webUrl },
  { weight: 2, arbitrary: fc.array(words, { maxLength: 30 }).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat(6000).map((length) => "x".repeat(length)) },
);

const isLong = (text: string | null) => text !== null && new TextEncoder().encode(text).length > 12;
const isAscii = (text: string | null) => text === null || /^[\0-\x7f]*$/.test(text);

test("every text is read as it is, wherever DuckDB keeps it", { tags: "deep" }, async () => {
  let together = 0;
  let alone = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 150, size: "max" }), async (texts) => {
      await makeTable(connection, texts);
      for (const source of ["(FROM t ORDER BY hash(n))", "(FROM t WHERE n % 3 < 2)", "t"]) {
        await readFrom(source, texts);
      }
      expect(read.size).toBe(texts.length);
      const long = texts.filter(isLong);
      if (reads < long.length / 2) together++;
      if (!long.every(isAscii)) alone++;
    }),
    { seed: 20261123, numRuns: sampleSize(300) },
  );
  expect(together).toBeGreaterThan(fewest(100));
  expect(alone).toBeGreaterThan(fewest(100));
});

describe("files", () => {
  const texts = Array.from({ length: 5000 }, (_, n) =>
    n % 97 === 0
      ? null
      : n % 89 === 0
        ? `http://é${n}.example/`
        : `http://host-${n % 700}.example/path/${n}`,
  );

  test.each(["parquet", "csv", "json"])("%s", async (format) => {
    await makeTable(connection, texts);
    const file = folder.path(`texts.${format}`);
    await connection.run(`COPY t TO '${file}' (FORMAT ${format})`);
    await readFrom(`'${file}'`, texts);
    expect(read.size).toBe(texts.length);
    expect(reads, "most texts are read together").toBeLessThan(texts.length / 4);
  });
});

test("strings in one place are read together, 64 at a time", async () => {
  const texts = Array.from({ length: 6400 }, (_, n) => `http://example.com/${n}/`);
  await makeTable(connection, texts);
  await readFrom("t", texts);
  expect(reads).toBeLessThan(200);
});

test.each([
  ["empty", []],
  ["one NULL", [null]],
  ["one empty text", [""]],
  ["12 bytes", ["123456789012"]],
  ["13 bytes", ["1234567890123"]],
  ["6 × é is 12 bytes", ["é".repeat(6)]],
  ["a byte order mark", ["\ufeffa", "\ufeffhttp://evil.example/"]],
  ["2 MB", ["x".repeat(2 ** 21), "http://evil.example/", "é".repeat(2 ** 20)]],
])("%s", async (_, texts) => {
  await makeTable(connection, texts);
  await readFrom("t", texts);
  expect(read.size).toBe(texts.length);
});

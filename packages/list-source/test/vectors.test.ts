import { readFileSync } from "node:fs";
import { foreignLine, listSourceReader, recognizeSource, sourceProblem } from "@x/list-source";
import { fullHash, toHex } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { bytesOf, loadVectors, type ReadOptions, readPieces, type VectorInput } from "./read.ts";

const load = <Vector>(file: string) =>
  loadVectors<Vector>(file, (path) => readFileSync(path, "utf8"));

interface Wild {
  readonly name: string;
  readonly input: readonly string[];
  readonly eol?: string;
  readonly options?: ReadOptions;
  readonly format: string;
  readonly column?: string;
  readonly entries: readonly [line: number, expression: string][];
  readonly refused: readonly [line: number, code: string][];
  readonly notApplicable: number;
  readonly warnings: readonly [line: number, code: string][];
}

describe("formats from the wild", () => {
  test.each(load<Wild>("wild.json"))("$name", (vector) => {
    const entries: unknown[] = [];
    const refused: unknown[] = [];
    const warnings: unknown[] = [];
    let refusedLines = 0;
    const reader = listSourceReader({
      where: "all",
      ...vector.options,
      onEntry: ({ line, expression, hash }) => {
        entries.push([line, expression]);
        expect(toHex(hash)).toBe(toHex(fullHash(expression!)));
      },
      onRefusal: ({ line, lines, code }) => {
        refused.push([line, code]);
        refusedLines += lines;
      },
      onWarning: ({ line, code }) => warnings.push([line, code]),
    });
    const bytes = bytesOf(vector.input, vector.eol);
    reader.push(bytes);
    const summary = reader.end();
    expect(entries).toEqual(vector.entries);
    expect(refused).toEqual(vector.refused);
    expect(warnings).toEqual(vector.warnings);
    expect(summary).toMatchObject({
      recognition: { format: vector.format },
      column: vector.column ?? null,
      bytes: bytes.length,
      lines: vector.input.flatMap((line) => line.split("\n")).length,
      entries: vector.entries.length,
      refused: refusedLines,
      notApplicable: vector.notApplicable,
      warnings: vector.warnings.length,
    });
    if (vector.options === undefined) {
      expect(recognizeSource(bytes, { isWhole: true }).format).toBe(vector.format);
    }
  });
});

interface Hashes {
  readonly name: string;
  readonly input: readonly string[];
  readonly options?: ReadOptions;
  readonly format: string;
  readonly hashes: readonly [line: number, hex: string][];
  readonly refused: readonly [line: number, code: string][];
}

describe("hashes", () => {
  test.each(load<Hashes>("hashes.json"))("$name", ({ input, options, format, hashes, refused }) => {
    const { events, summary } = readPieces([bytesOf(input)], options);
    expect(summary?.recognition?.format).toBe(format);
    const expected = [
      ...hashes.map(([line, hex]) => [line, `${line}: ${hex}`] as const),
      ...refused.map(([line, code]) => [line, `${line}+1 refused ${code}`] as const),
    ];
    expect(events).toEqual(expected.sort(([a], [b]) => a - b).map(([, event]) => event));
  });
});

interface Line {
  readonly input: string;
  readonly expected?: string;
  readonly error?: string;
  readonly warnings?: readonly string[];
}

// Without a filler, one control character would make a short text look binary.
const FILLER =
  "# a list of URLs, written for a test; this line is long enough for the next one to be odd";

describe("lines of a list of URLs", () => {
  test.each(load<Line>("lines.json"))("$input", ({ input, expected, error, warnings = [] }) => {
    const { events } = readPieces([bytesOf(`${FILLER}\nfiller.example\n${input}\n`)], {
      format: "urls",
    });
    const made =
      expected === undefined
        ? [`3+1 refused ${error}`]
        : [`3: ${expected}`, ...warnings.map((code) => `3 warning ${code}`)];
    expect(events).toEqual(["2: filler.example/", ...made]);
  });
});

interface Mistake {
  readonly name: string;
  readonly input: VectorInput;
  readonly format?: string;
  readonly entries?: readonly string[];
  readonly problem?: string;
  readonly error?: string;
}

describe("common mistakes", () => {
  test.each(load<Mistake>("mistakes.json"))("$name", (vector) => {
    const { summary, events, error } = readPieces([bytesOf(vector.input)]);
    expect(error).toBe(vector.error ?? null);
    if (summary === null) return;
    expect(summary.recognition?.format).toBe(vector.format);
    const entries = events.filter((event) => event.includes(": "));
    expect(entries.map((event) => event.replace(/^.*: /, ""))).toEqual(vector.entries);
    expect(sourceProblem(summary)?.code).toBe(vector.problem);
  });
});

describe("what a line looks like", () => {
  const cases = load<{ readonly input: string; readonly expected: string | null }>(
    "foreign-line.json",
  );
  test.each(cases)("$input", ({ input, expected }) => {
    expect(foreignLine(bytesOf(input))?.code ?? null).toBe(expected);
  });
});

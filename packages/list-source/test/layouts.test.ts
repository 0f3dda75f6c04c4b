import { readFileSync } from "node:fs";
import { listSourceReader } from "@x/list-source";
import { describe, expect, test } from "vitest";
import { bytesOf, loadVectors, type ReadOptions } from "./read.ts";

interface Layout {
  readonly publisher: string;
  readonly layout: string;
  readonly input: readonly string[];
  readonly options?: ReadOptions;
  readonly format?: string;
  readonly column?: string;
  readonly entries?: readonly string[];
  /** The number of hashes, for a layout without URLs. */
  readonly hashes?: number;
  readonly refused?: readonly string[];
  readonly notApplicable?: number;
  readonly error?: string;
  readonly message?: string;
}

const LAYOUTS = loadVectors<Layout>("layouts.json", (path) => readFileSync(path, "utf8"));

function read({ input, options }: Layout) {
  const entries: (string | null)[] = [];
  const refused: string[] = [];
  try {
    const reader = listSourceReader({
      ...options,
      onEntry: ({ expression }) => entries.push(expression),
      onRefusal: ({ code }) => refused.push(code),
    });
    reader.push(bytesOf(input));
    const { recognition, column, notApplicable } = reader.end();
    return { format: recognition.format, column, entries, refused, notApplicable };
  } catch (error) {
    if ((error as Error).name !== "ListSourceError") throw error;
    return { error: (error as { code: string }).code, message: (error as Error).message };
  }
}

describe("layouts of public lists", () => {
  test.each(LAYOUTS)("$publisher: $layout", (layout) => {
    const { format, column = null, entries, refused = [], notApplicable = 0 } = layout;
    const { error, message, hashes } = layout;
    const expected =
      error === undefined
        ? {
            format,
            column,
            entries: entries ?? Array<null>(hashes!).fill(null),
            refused,
            notApplicable,
          }
        : { error, message };
    expect(read(layout)).toEqual(expected);
  });
});

/** The row of a layout in the document. */
function rowOf(layout: Layout): string {
  const { publisher, error, message, format, column, refused = [], notApplicable = 0 } = layout;
  const cells = [publisher, layout.layout];
  if (error !== undefined) cells.push(`refused (\`${error}\`)`, message!);
  else {
    const read = column === undefined ? `\`${format}\`` : `\`${format}\`, \`${column}\``;
    const codes = [...new Set(refused)].map((code) => `\`${code}\``);
    const parts = codes.length === 0 ? [] : [`refuses ${codes.join(", ")}`];
    if (notApplicable > 0) parts.push(`leaves out ${notApplicable}`);
    cells.push(`read as ${read}`, parts.join("; "));
  }
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

test("the document has a row for each layout, and no other", () => {
  const document = readFileSync(new URL("../../../docs/list-layouts.md", import.meta.url), "utf8");
  const rows = document.split("\n").filter((line) => line.startsWith("| "));
  expect(rows.slice(2)).toEqual(LAYOUTS.map(rowOf));
});

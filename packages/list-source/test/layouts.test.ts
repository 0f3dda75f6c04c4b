import { readFileSync } from "node:fs";
import { type ListSourceOptions, listSourceReader } from "@x/list-source";
import { describe, expect, test } from "vitest";
import { bytesOf, loadVectors } from "./read.ts";

interface Refused {
  readonly error: string;
  readonly message: string;
}

interface Layout extends Partial<Refused> {
  readonly publisher: string;
  readonly layout: string;
  readonly input: readonly string[];
  /** The options that the layout needs. Without them, it is refused with the error in `without`. */
  readonly options?: Pick<ListSourceOptions, "format" | "column" | "where">;
  readonly without?: Refused;
  readonly format?: string;
  readonly column?: string;
  readonly entries?: readonly string[];
  /** The number of hashes, for a layout without URLs. */
  readonly hashes?: number;
  readonly refused?: readonly string[];
  readonly notApplicable?: number;
}

const LAYOUTS = loadVectors<Layout>("layouts.json", (path) => readFileSync(path, "utf8"));
/** The top-level domain of the hosts in the layouts. */
const isPublicSuffix = (host: string) => host === "example";

function read(input: Layout["input"], options: Layout["options"]) {
  const entries: (string | null)[] = [];
  const refused: string[] = [];
  try {
    const reader = listSourceReader({
      ...options,
      isPublicSuffix,
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
    const { input, options, without, error, message, hashes } = layout;
    const { format, column = null, entries, refused = [], notApplicable = 0 } = layout;
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
    expect(read(input, options)).toEqual(expected);
    if (options !== undefined) expect(read(input, undefined)).toEqual(without);
  });
});

/** Options as they are written on the command line. */
function optionsText({ format, column, where = [] }: NonNullable<Layout["options"]>): string {
  const given = format === undefined ? [] : [`--input ${format}`];
  if (column !== undefined) given.push(`--column '${column}'`);
  for (const each of [where].flat()) given.push(`--where '${each}'`);
  return `\`${given.join(" ")}\``;
}

/** Layouts in groups, in the order of the first layout of each. */
function groupsOf(layouts: readonly Layout[], nameOf: (layout: Layout) => string) {
  const groups = new Map<string, Layout[]>();
  for (const each of layouts) groups.set(nameOf(each), [...(groups.get(nameOf(each)) ?? []), each]);
  return [...groups];
}

const layoutOf = ({ layout }: Layout) => layout.replace("; the layout is known", "");

/** Layouts as the document lists them: publishers, each with its layouts. */
function listed(layouts: readonly Layout[]): string {
  const names = groupsOf(layouts, ({ publisher }) => publisher).map(
    ([publisher, each]) => `${publisher} (${each.map(layoutOf).join("; ")})`,
  );
  return `${names.join(", ")}.`;
}

/** A section of the document, without line breaks in its sentences and padding in its tables. */
function sectionOf(title: string): string {
  const document = readFileSync(new URL("../../../docs/list-layouts.md", import.meta.url), "utf8");
  const [, section] = document.split(`\n## ${title}\n\n`);
  return section!
    .split("\n\n## ")[0]!
    .trimEnd()
    .replace(/\n(?![|-])\s*/g, " ")
    .replace(/ +\|/g, " |");
}

test("the document has a row for each layout that needs an option, and no other", () => {
  const rows = LAYOUTS.filter(({ options }) => options !== undefined).map(
    ({ publisher, layout, options }) => `| ${publisher} | ${layout} | ${optionsText(options!)} |`,
  );
  expect(sectionOf("Layouts that need an option").split("\n").slice(2)).toEqual(rows);
});

test("the document lists the layouts that need no option, and no other", () => {
  const layouts = LAYOUTS.filter(
    ({ options, error }) => options === undefined && error === undefined,
  );
  expect(sectionOf("Layouts that need none")).toContain(listed(layouts));
});

test("the document lists the layouts that are not read, by the error, and no other", () => {
  const refused = LAYOUTS.filter(({ error }) => error !== undefined);
  const items = groupsOf(refused, ({ error }) => error!).map(
    ([error, layouts]) => `- \`${error}\`: ${listed(layouts)}`,
  );
  expect(sectionOf("What is not read").split("\n")).toEqual(items);
});

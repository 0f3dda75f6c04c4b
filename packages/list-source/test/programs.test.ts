import { readFileSync } from "node:fs";
import { expressions } from "@x/expressions";
import { listSourceReader } from "@x/list-source";
import { describe, expect, test } from "vitest";
import { bytesOf, loadVectors } from "./read.ts";

interface Program {
  readonly name: string;
  readonly format: "hosts" | "dnsmasq" | "unbound" | "rpz";
  readonly input: readonly string[];
  /** Whether the program blocks a name. */
  readonly blocks: Readonly<Record<string, boolean>>;
  readonly refused: readonly string[];
  /** The names for which the list says the opposite, and why. */
  readonly differs?: Readonly<Record<string, string>>;
}

/** The lines before the records of a zone. */
const ZONE = ["$ORIGIN rpz.", "$TTL 60", "@ SOA ns.test. root.test. 1 60 60 60 60", " NS ns.test."];

const CASES = loadVectors<Program>("programs.json", (path) => readFileSync(path, "utf8"));

describe("the list from a source blocks what the format's program blocks", () => {
  test.each(CASES)("$format: $name", ({ format, input, blocks, refused, differs = {} }) => {
    const entries = new Set<string | null>();
    const codes: string[] = [];
    const reader = listSourceReader({
      format,
      onEntry: ({ expression }) => entries.add(expression),
      onRefusal: ({ code }) => codes.push(code),
    });
    reader.push(bytesOf(format === "rpz" ? [...ZONE, ...input] : input));
    reader.end();
    const isListed = (name: string) =>
      expressions(`http://${name}/`).some((each) => entries.has(each));
    const listed = Object.keys(blocks).map((name) => [name, isListed(name)]);
    const expected = Object.entries(blocks).map(([name, is]) => [name, is !== name in differs]);
    expect(listed).toEqual(expected);
    expect(codes).toEqual(refused);
  });
});

/** The rows of a vector in the document, one for each reason. */
function rowsOf({ format, name, blocks, differs = {} }: Program): string[] {
  const reasons = [...new Set(Object.values(differs))];
  return reasons.map((reason) => {
    const each = Object.keys(differs).filter((key) => differs[key] === reason);
    const does = blocks[each[0]!] ? "blocks" : "does not block";
    const quoted = each.map((text) => `\`${text}\``).join(", ");
    return `| \`${format}\` | ${name} | ${quoted} | ${does} | ${reason} |`;
  });
}

test("the document lists each difference, and no other", () => {
  const document = readFileSync(new URL("../../../docs/list-formats.md", import.meta.url), "utf8");
  const [, section = ""] = /^## What resolvers block$(.*?)^## /ms.exec(document)!;
  const rows = section.split("\n").filter((line) => line.startsWith("| "));
  expect(rows.slice(2)).toEqual(CASES.flatMap(rowsOf));
});

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

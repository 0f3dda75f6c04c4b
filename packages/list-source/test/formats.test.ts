import { readFileSync } from "node:fs";
import { foreignLine, SOURCE_FORMATS } from "@x/list-source";
import { expect, test } from "vitest";
import { FORMATS } from "../src/formats/table.ts";
import { readText } from "./read.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** A line of each format that has a shape. */
const LINES: Readonly<Record<string, string>> = {
  hosts: "0.0.0.0 evil.example",
  dnsmasq: "address=/evil.example/0.0.0.0",
  unbound: 'local-zone: "evil.example" always_nxdomain',
  rpz: "evil.example CNAME .",
  adblock: "||evil.example^",
  "json-lines": '{"url":"http://evil.example/"}',
  hex: "deadbeef00",
};

test("all formats can be named", () => {
  expect(SOURCE_FORMATS).toEqual([...FORMATS.map(({ name }) => name), "json", "prefix-list"]);
});

test.each(SOURCE_FORMATS)("the table of formats describes %s", (name) => {
  expect(read("../../../docs/list-formats.md")).toMatch(
    new RegExp(`^\\| \`${name}\` +\\|(?:[^|]|\\\\\\|)+\\|`, "m"),
  );
});

test.each(FORMATS)("$name has a title", ({ title }) => {
  expect(title).not.toBe("");
});

const SHAPED = FORMATS.flatMap(({ name, title, shape }) =>
  shape === null ? [] : [{ name, title, shape }],
);

test.each(SHAPED)("$name is recognized by its shape", ({ name, title, shape }) => {
  const line = LINES[name];
  if (line === undefined) throw new Error(`LINES has no line of ${name}`);
  expect(foreignLine(line)).toEqual({ code: shape.code, found: shape.found });
  const source = `${line}\n${line}\n`;
  const column = name === "json-lines" ? "url" : undefined;
  expect(readText(source, { column }).summary?.recognition).toEqual({
    format: name,
    found: title,
    evidence: "2 of 2 lines",
  });
  const { summary } = readText(source, { format: "urls" });
  expect(summary).toMatchObject({ entries: 0, refused: 2 });
});

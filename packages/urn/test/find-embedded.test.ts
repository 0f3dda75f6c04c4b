import { fewest, sampleSize } from "@x/test-support/sample-size";
import { findUrns, formatUrn, urnFinder } from "@x/urn";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SEED } from "./arbitraries.ts";

/**
 * Writes URNs as programs write them into files of other formats. Each URN must be found whole, or as the part before
 * an escape, and then `isCut` must say so: never as another name.
 */

const hex = (character: string, digits: number) =>
  character.charCodeAt(0).toString(16).padStart(digits, "0");

interface Notation {
  /** Writes a character of a name that the writer escapes. */
  readonly escape: (character: string) => string;
  /** The characters that a writer may escape. Letters and digits after a backslash have another meaning. */
  readonly escapable: string;
  readonly around: readonly (readonly [before: string, after: string])[];
}

const MARKS = "()+,-.:=@;$_!*/";
const ALL = `${MARKS}aZ09`;
const QUOTED = ['{"id":"', '"}'] as const;

const NOTATIONS: Readonly<Record<string, Notation>> = {
  "text without escapes": {
    escape: (character) => character,
    escapable: ALL,
    around: [
      ["See <", ">."],
      ["", "\n"],
      ["- ", " and"],
      ["x--", "\t"],
      ["\\n-", "\\n"],
      ["\\u0022", "\\u0022"],
      ["&lt;", "&gt;"],
      ["\\(", "\\)"],
      ["\\*", "\\*"],
    ],
  },
  JSON: { escape: (c) => (c === "/" ? "\\/" : c), escapable: "/", around: [QUOTED] },
  "JSON of .NET and Java": {
    escape: (c) => `\\u${hex(c, 4)}`,
    escapable: ALL,
    around: [QUOTED, ["\\u0022", "\\u0022"]],
  },
  "Java, several u": { escape: (c) => `\\uu${hex(c, 4)}`, escapable: ALL, around: [QUOTED] },
  "JSON in JSON": { escape: (c) => `\\\\u${hex(c, 4)}`, escapable: ALL, around: [['\\"', '\\"']] },
  "JavaScript, braces": {
    escape: (c) => `\\u{${hex(c, 2)}}`,
    escapable: ALL,
    around: [["`", "`"]],
  },
  "C and JavaScript": { escape: (c) => `\\x${hex(c, 2)}`, escapable: ALL, around: [['"', '\\n"']] },
  "C, octal": {
    escape: (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`,
    escapable: ALL,
    around: [['"', '"']],
  },
  Python: { escape: (c) => `\\U${hex(c, 8)}`, escapable: ALL, around: [['"', '"']] },
  "HTML, decimal": {
    escape: (c) => `&#${c.charCodeAt(0)};`,
    escapable: ALL,
    around: [
      ["<b>", "</b>"],
      ['"', '"'],
    ],
  },
  "XML, hexadecimal": {
    escape: (c) => `&#x${hex(c, 1).toUpperCase()};`,
    escapable: ALL,
    around: [["<a>", "</a>"]],
  },
  "XML, escaped twice": {
    escape: (c) => `&amp;#x${hex(c, 4)};`,
    escapable: ALL,
    around: [[" ", " "]],
  },
  "HTML, named": {
    escape: (c) => `&${{ "+": "plus", _: "lowbar", "/": "sol", ":": "colon", ".": "period" }[c]};`,
    escapable: "+_/:.",
    around: [["<b>", "</b>"]],
  },
  "properties, shells, Markdown": {
    escape: (c) => `\\${c}`,
    escapable: MARKS,
    around: [
      ["key=", "\n"],
      ["run ", " &"],
      ["", ""],
    ],
  },
  "shells, continued lines": { escape: (c) => `\\\n${c}`, escapable: ALL, around: [["", " \n"]] },
  LaTeX: {
    escape: (c) => (c === "_" ? "{\\_}" : c === "/" ? "\\slash " : `{${c}}`),
    escapable: "_-/",
    around: [["\\url{", "}"]],
  },
};

const isWhole = fc.boolean();
const syntax = fc.constantFrom("rfc2141" as const, "rfc8141" as const);

test.each(Object.entries(NOTATIONS))("%s", (_, { escape: escaped, escapable, around }) => {
  const character = fc.constantFrom(...escapable);
  const plain = fc.stringMatching(/^[a-z0-9]{1,4}$/);
  const name = fc.array(fc.tuple(plain, fc.option(character)), { minLength: 1, maxLength: 4 });
  let cut = 0;
  const property = fc.property(
    name,
    plain,
    fc.constantFrom(...around),
    isWhole,
    syntax,
    (parts, last, [before, after], trimPunctuation, syntax) => {
      const nss = `${parts.map(([text, mark]) => text + (mark ?? "")).join("")}${last}`;
      const written = `${parts.map(([text, mark]) => text + (mark === null ? "" : escaped(mark))).join("")}${last}`;
      // An asterisk that opens a text also closes it.
      fc.pre(!before.endsWith("*") || !written.includes("*"));
      const text = `${before}urn:example:${written}${after}`;
      const options = { syntax, trimDelimiters: true, trimPunctuation };
      const [found, ...others] = findUrns(text, options);
      expect(others).toEqual([]);
      const finder = urnFinder(options);
      const inPieces = [...[...text].flatMap((piece) => finder.push(piece)), ...finder.end()];
      expect(inPieces).toEqual([found]);
      expect(found!.start).toBe(before.length);
      if (found!.isCut) cut++;
      else expect(formatUrn(found!.urn, { syntax })).toBe(`urn:example:${nss}`);
      expect(found!.isCut).toBe(written !== nss);
    },
  );
  fc.assert(property, { seed: SEED, numRuns: sampleSize(1000) });
  expect(cut > fewest(100)).toBe(escaped("/") !== "/");
});

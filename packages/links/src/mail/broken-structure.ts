import { parseHeaderValue } from "./header-value.ts";

/** A header that says how a part is read, with the lines that continue it. */
const READING =
  /^(content-type|content-transfer-encoding)[ \t]{0,9}:([^\n]{0,2000}(?:\n[ \t][^\n]{0,2000}){0,50})/gim;
const BLANK_LINE = /\n\r?\n/;
const BOUNDARY_LINE = /^--([^\n]{1,200})/gm;

type StructureProblem = "boundary-missing" | "headers-differ";

/**
 * Returns the problems in the headers of a message and its parts. A multipart without a boundary, or with one that does
 * not occur, hides its contents. If a part has the same header or parameter twice with different values, programs
 * disagree on which of them counts.
 *
 * @param raw The message, with one character for each byte.
 */
export function structureProblems(raw: string): readonly StructureProblem[] {
  const found = new Set<StructureProblem>();
  const lines = boundaryLines(raw);
  let values = new Map<string, string>();
  let end = 0;
  for (const { index, 0: header, 1: name, 2: value } of raw.matchAll(READING)) {
    if (BLANK_LINE.test(raw.slice(end, index))) values = new Map();
    end = index + header.length;
    const key = name!.toLowerCase();
    const own = value!.replace(/\s+/g, "").toLowerCase();
    if ((values.get(key) ?? own) !== own) found.add("headers-differ");
    values.set(key, own);
    if (key !== "content-type") continue;
    const {
      value: type,
      parameters,
      conflicting,
    } = parseHeaderValue(value!.replace(/[\r\n]/g, ""));
    if (conflicting.has("boundary") || conflicting.has("charset")) found.add("headers-differ");
    if (type.startsWith("multipart/")) {
      const boundary = parameters.get("boundary")?.trimEnd() ?? "";
      // A line of two hyphens is that of a signature.
      if (boundary === "" || !lines.has(boundary)) found.add("boundary-missing");
    }
  }
  return [...found].sort();
}

/** The lines that may be boundaries, without their hyphens. */
function boundaryLines(raw: string): ReadonlySet<string> {
  const lines = new Set<string>();
  for (const [, line] of raw.matchAll(BOUNDARY_LINE)) {
    const trimmed = line!.trimEnd();
    lines.add(trimmed);
    if (trimmed.endsWith("--")) lines.add(trimmed.slice(0, -2));
  }
  return lines;
}

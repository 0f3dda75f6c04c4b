import { decodePercents } from "../unwrap/decode.ts";

/** Headers that say what a part is, with the lines that continue them. */
const CONTENT_TYPE = /^content-type:[^\n]{0,2000}(?:\n[ \t][^\n]{0,2000}){0,50}/gim;
const BOUNDARY = /\bboundary\s{0,9}=\s{0,9}(?:"([^"\n]{1,200})"|([^\s;"]{1,200}))/i;
/** RFC 2231 §3 and §4: a parameter in parts, which may be percent-encoded. */
const BOUNDARY_PART =
  /\bboundary\*(\d{0,2})\*?\s{0,9}=\s{0,9}(?:"([^"\n]{1,200})"|([^\s;"]{1,200}))/gi;
const BOUNDARY_LINE = /^--([^\n]{1,200})/gm;

/**
 * Whether a message has a multipart without a boundary, or with one that no line has. Its contents would not be seen.
 *
 * @param raw The bytes of the message, a character each.
 */
export function hasMissingBoundary(raw: string): boolean {
  const lines = new Set<string>();
  for (const [, line] of raw.matchAll(BOUNDARY_LINE)) {
    const trimmed = line!.trimEnd();
    lines.add(trimmed);
    if (trimmed.endsWith("--")) lines.add(trimmed.slice(0, -2));
  }
  for (const [header] of raw.matchAll(CONTENT_TYPE)) {
    if (!/^content-type:\s*multipart\//i.test(header)) continue;
    const boundary = boundaryOf(header);
    if (boundary === null || !lines.has(boundary.trimEnd())) return true;
  }
  return false;
}

/** A header that says how a part is read, with the lines that continue it. */
const READING =
  /^(content-type|content-transfer-encoding)[ \t]{0,9}:([^\n]{0,2000}(?:\n[ \t][^\n]{0,2000}){0,50})/gim;
const BLANK_LINE = /\n\r?\n/;

/**
 * Whether a part has the same header twice, with different values. Programs do not agree on which one counts, so its
 * contents may be read in another way than people see them.
 *
 * @param raw The bytes of the message, a character each.
 */
export function hasContradiction(raw: string): boolean {
  let values = new Map<string, string>();
  let end = 0;
  for (const { index, 0: header, 1: name, 2: value } of raw.matchAll(READING)) {
    if (BLANK_LINE.test(raw.slice(end, index))) values = new Map();
    end = index + header.length;
    const key = name!.toLowerCase();
    const own = value!.replace(/\s+/g, "").toLowerCase();
    if ((values.get(key) ?? own) !== own) return true;
    values.set(key, own);
  }
  return false;
}

function boundaryOf(header: string): string | null {
  const whole = BOUNDARY.exec(header);
  if (whole !== null) return (whole[1] ?? whole[2])!;
  const parts = [...header.matchAll(BOUNDARY_PART)].sort(
    (one, other) => Number(one[1]) - Number(other[1]),
  );
  if (parts.length === 0) return null;
  const written = parts.map(([, , quoted, token]) => quoted ?? token).join("");
  return decodePercents(written.replace(/^[\w-]*'[\w-]*'/, ""));
}

/** Headers that say what a part is, with the lines that continue them. */
const CONTENT_TYPE = /^content-type:[^\n]{0,2000}(?:\n[ \t][^\n]{0,2000}){0,50}/gim;
const BOUNDARY = /\bboundary\s{0,9}=\s{0,9}(?:"([^"\n]{1,200})"|([^\s;"]{1,200}))/i;
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
    const boundary = BOUNDARY.exec(header);
    if (boundary === null || !lines.has((boundary[1] ?? boundary[2])!.trimEnd())) return true;
  }
  return false;
}

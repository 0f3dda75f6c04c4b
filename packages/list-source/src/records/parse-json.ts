/** Objects and arrays that are nested more deeply are refused. */
export const MAX_DEPTH = 100;

/** What JSON says, or why it cannot be read. */
export type ParsedJson =
  | { readonly value: unknown; readonly problem: null }
  | { readonly problem: SyntaxError | "nested-too-deeply" | "member-repeated" };

/** Parses JSON. Of a member that an object has twice, `JSON.parse` keeps only one, so such a text is refused. */
export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: error };
    throw error;
  }
  const kept = countMembers(value, 0);
  if (Number.isNaN(kept)) return { problem: "nested-too-deeply" };
  return kept === membersInText(text) ? { value, problem: null } : { problem: "member-repeated" };
}

/** The number of members of all objects in a value; `NaN` if they are nested too deeply. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth === MAX_DEPTH) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) count += countMembers(each, depth + 1);
    return count;
  }
  for (const name of Object.keys(value)) {
    count += 1 + countMembers((value as Record<string, unknown>)[name], depth + 1);
  }
  return count;
}

const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;

/** The number of strings in valid JSON that a colon follows. */
function membersInText(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    do at = text.indexOf('"', at + 1);
    while (isEscaped(text, at));
    while (text.charCodeAt(++at) <= SPACE);
    if (text.charCodeAt(at) === COLON) count++;
  }
  return count;
}

function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (index - start) % 2 === 1;
}

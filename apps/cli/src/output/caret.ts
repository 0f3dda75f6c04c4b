import { printable } from "@x/explain/printable";
import { columnsOf } from "./layout.ts";

const INDENT = "    ";
const ELLIPSIS = "…";

function totalColumns(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + columnsOf(character), 0);
}

/** Returns as many of the last characters as fit into `room` columns. */
function lastThatFit(characters: readonly string[], room: number): string[] {
  const kept: string[] = [];
  for (let i = characters.length - 1; i >= 0; i--) {
    room -= columnsOf(characters[i]!);
    if (room < 0) break;
    kept.unshift(characters[i]!);
  }
  return kept;
}

/** Names the code point of a character. Returns `""` for visible ASCII, which people recognize. */
function nameOf(character: string | undefined): string {
  if (character === undefined) return " the end";
  if (character > " " && character <= "~") return "";
  return ` U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Returns two lines: the text around an index, and a caret under the character at the index. Unsafe characters are
 * escaped.
 *
 * @param index in UTF-16 code units, at most the length of the text.
 */
export function pointAt(text: string, index: number, columns: number | null): string[] {
  const room = (columns ?? 80) - INDENT.length - 2 * ELLIPSIS.length - 1;
  const far = Math.max(0, index - room);
  const before = [...text.slice(far, index)].map(printable);
  const after = [...text.slice(index, index + room)];
  const half = Math.floor(room / 2);
  const end = index + room < text.length ? ELLIPSIS : "";
  const behind = after.map(printable);

  let left = before;
  if (far > 0 || totalColumns([...before, ...behind]) > room) left = lastThatFit(before, half);
  const isCut = far > 0 || left.length < before.length;
  const shown: string[] = [];
  let used = totalColumns(left);
  for (const character of behind) {
    used += columnsOf(character);
    if (used > room) break;
    shown.push(character);
  }
  const start = isCut ? ELLIPSIS : "";
  const stop = shown.length < behind.length ? ELLIPSIS : end;
  const line = start + left.join("");
  return [
    INDENT + line + shown.join("") + stop,
    `${INDENT}${" ".repeat(columnsOf(line))}^${nameOf(after[0])}`,
  ];
}

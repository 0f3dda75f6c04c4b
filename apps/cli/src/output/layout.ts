import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";

const ZERO_WIDTH = /^\p{M}$/u;
/** Matches East Asian wide and full-width characters, and emoji, which take two columns of a terminal. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

function widthOf(character: string): number {
  if (character >= " " && character <= "~") return 1;
  return ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
}

/** The number of terminal columns that a printable text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** Splits a printable text into pieces of at most `columns` columns. */
export function fold(text: string, columns: number | null): string[] {
  if (columns === null) return [text];
  const room = Math.max(columns, 10);
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const character of text) {
    const width = widthOf(character);
    if (used + width > room) {
      lines.push(line);
      line = "";
      used = 0;
    }
    line += character;
    used += width;
  }
  lines.push(line);
  return lines;
}

/** Puts words on lines of at most `columns` columns. */
export function fill(words: readonly string[], columns: number | null): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const isFitting = last !== undefined && last.length + 1 + word.length <= (columns ?? 78);
    if (isFitting) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Puts the lines of a text beside a label of `indent` columns. Each line is styled separately. */
export function hang(
  label: string,
  indent: number,
  lines: readonly string[],
  style: (line: string) => string = (line) => line,
): string[] {
  return lines.map((line, i) => (i === 0 ? label : " ".repeat(indent)) + style(line));
}

/** Puts a text beside a label, as {@link hang} does, on lines of at most `columns` columns. */
type Beside = (
  label: string,
  indent: number,
  text: string,
  columns: number | null,
  style?: (line: string) => string,
) => string[];

/** Breaks the text wherever a line is full, even inside words. */
export const foldBeside: Beside = (label, indent, text, columns, style) =>
  hang(label, indent, fold(text, columns === null ? null : columns - indent), style);

/** Breaks the text between words. */
export const fillBeside: Beside = (label, indent, text, columns, style) =>
  hang(label, indent, columns === null ? [text] : fill(text.split(" "), columns - indent), style);

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

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Formats a duration in whole minutes, hours or days, rounded down. */
export function durationText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / MINUTE));
  if (minutes < 120) return counted(minutes, "minute", "minutes");
  const hours = Math.floor(milliseconds / HOUR);
  return hours < 48 ? `${hours} hours` : counted(Math.floor(hours / 24), "day", "days");
}

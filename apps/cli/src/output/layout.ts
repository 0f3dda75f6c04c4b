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

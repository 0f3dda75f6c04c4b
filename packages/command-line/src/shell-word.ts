/** Text in single quotes, for any shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word of a command that a message suggests, in single quotes if a shell needs them. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : quoted(word);
}

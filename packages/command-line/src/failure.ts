/** An error that ends a command with one line for the person who ran it. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** A word of a command that a message suggests, in single quotes if a shell needs them. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

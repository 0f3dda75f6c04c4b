import type { Readable, Writable } from "node:stream";

/** What the command needs of the process that runs it. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Context {
  readonly io: Io;
  print(line: string): void;
  complain(line: string): void;
  /** Waits until what was printed has been read. */
  drained(): Promise<void>;
  /** Sets the exit status, which is 0 otherwise. */
  exitWith(status: number): void;
}

/** Escapes control characters, with which a file name or a line of a list could control the terminal. */
export function printable(text: string): string {
  return text.replace(
    /[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    },
  );
}

import { readFileSync } from "node:fs";

/** A message as written in the vector files: text, perhaps repeated, or bytes in hexadecimal. */
export type MessageInput = { text: string; repeat?: number } | { hex: string };

/** The contents of a file in `test/vectors`. */
export interface Vectors<Input, Expected> {
  readonly source: string;
  readonly cases: readonly { input: Input; expected: Expected; section: string }[];
}

export function readVectors<Input, Expected>(name: string): Vectors<Input, Expected> {
  return JSON.parse(readFileSync(new URL(`./vectors/${name}`, import.meta.url), "utf8"));
}

export function message(input: MessageInput): string | Uint8Array {
  if ("hex" in input) return Uint8Array.from(Buffer.from(input.hex, "hex"));
  return input.text.repeat(input.repeat ?? 1);
}

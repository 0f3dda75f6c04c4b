import { inPieces } from "./in-pieces.ts";

/** Lower-cases A–Z and nothing else: `toLowerCase` makes a `k` of the Kelvin sign. */
export function asciiLowerCase(text: string): string {
  if (!/[A-Z]/.test(text)) return text;
  return inPieces(text, (piece) => piece.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
}

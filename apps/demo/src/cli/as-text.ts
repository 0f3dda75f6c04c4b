import { isPlain } from "../text/unsafe-characters.ts";

/** Octets of printable ASCII as text, which everything after is quicker with; anything else as it is. */
export function asText(text: string | Uint8Array): string | Uint8Array {
  if (typeof text === "string") return text;
  // A character for each octet; what TextDecoder calls "latin1" is windows-1252, where 0x80 is the euro sign.
  const characters = Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("latin1");
  return isPlain(characters) ? characters : text;
}

import { MAX_LINE_BYTES } from "../lines.ts";
import { printableInShort } from "./printable.ts";

/** What is said of a line that is longer than is taken; `beginning` is what was kept of it. */
export function lineTooLong(beginning: string | Uint8Array): {
  readonly code: "line-too-long";
  readonly message: string;
} {
  const message = `"${printableInShort(beginning)}…" is longer than ${MAX_LINE_BYTES} octets`;
  return { code: "line-too-long", message };
}

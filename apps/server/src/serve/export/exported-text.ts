import { createHash } from "node:crypto";
import { StoreError } from "@x/list-store";

/** A list as a text file for another program. */
export interface ExportedText {
  readonly contentType: string;
  readonly head: string;
  /** A value that changes whenever the body changes. */
  readonly bodyHash: string;
  /** The length of the body in bytes, which is known before the body is made. */
  readonly bodyBytes: number;
  body(): AsyncIterable<Uint8Array>;
}

export function etagOf({ head, bodyHash }: ExportedText): string {
  return `"${createHash("sha256")
    .update(head + bodyHash)
    .digest("hex")
    .slice(0, 32)}"`;
}

export function lengthOf({ head, bodyBytes }: ExportedText): number {
  return Buffer.byteLength(head) + bodyBytes;
}

/** Yields the head and the body. Throws if the body is longer or shorter than `bodyBytes`. */
export async function* bytesOf(text: ExportedText): AsyncGenerator<Uint8Array> {
  let left = text.bodyBytes;
  yield Buffer.from(text.head);
  for await (const piece of text.body()) {
    left -= piece.length;
    if (left < 0) break;
    yield piece;
  }
  if (left !== 0)
    throw new StoreError(
      "damaged",
      "An exported list does not have the length that its version says",
    );
}

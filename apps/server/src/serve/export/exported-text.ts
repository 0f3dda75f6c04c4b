import { createHash } from "node:crypto";
import { StoreError } from "@x/list-store";

/** A list in the form that another program reads. */
export interface ExportedText {
  readonly contentType: string;
  readonly head: string;
  /** Changes when the body does. */
  readonly bodyHash: string;
  /** The length of the body, which is known before it is made. */
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

/** The bytes of a text. Throws when the body is longer or shorter than `bodyBytes`. */
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

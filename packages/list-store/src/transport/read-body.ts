import { concatBytes } from "@x/prefix-list/raw-hashes";
import type { StallWatch } from "./stall-watch.ts";

/**
 * Reads the body of a response, at most `most` bytes. If the body is longer, the result is `null` or, for an error
 * response, the bytes before the limit.
 *
 * The bytes are counted after decompression, because a host may compress any file.
 */
export async function readBody(
  response: Response,
  most: number,
  watch: StallWatch,
): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  watch.extend(0);
  const reader = response.body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) break;
    watch.progress(piece.value.length);
    length += piece.value.length;
    if (length > most) {
      await reader!.cancel().catch(() => {});
      if (response.ok) return null;
      break;
    }
    pieces.push(piece.value);
  }
  return concatBytes(pieces);
}

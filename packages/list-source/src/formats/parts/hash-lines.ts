import { FULL_HASH_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import type { LineParser, Output } from "../format.ts";
import { isComment, withoutComment } from "./plain-lines.ts";

/** The lengths of MD5 and SHA-1 hashes. Hash prefixes may have the same lengths, but rarely do. */
const OTHER_HASH_BYTES: ReadonlySet<number> = new Set([16, 20]);

/** One full hash or hash prefix per line. `decode` returns null for text in another encoding. */
export function hashParser(
  output: Output,
  decode: (text: string) => Uint8Array<ArrayBuffer> | null,
): LineParser {
  return {
    line(line) {
      if (isComment(line)) return;
      const text = withoutComment(line);
      const bytes = text.length > 2 * FULL_HASH_BYTES ? null : decode(text);
      if (bytes === null) output.refuse("hash-invalid", line);
      else if (bytes.length < MIN_PREFIX_BYTES || bytes.length > FULL_HASH_BYTES) {
        output.refuse("hash-length", line);
      } else output.hash(bytes, OTHER_HASH_BYTES.has(bytes.length) ? "other-hash" : undefined);
    },
  };
}

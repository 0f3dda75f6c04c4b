import { FULL_HASH_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import type { LineParser, Output } from "../format.ts";
import { isComment, withoutComment } from "./plain-lines.ts";

/** The lengths of MD5 and SHA-1 hashes. Hash prefixes may be as long, but rarely are. */
const OTHER_HASH_BYTES: ReadonlySet<number> = new Set([16, 20]);

/** What would be accepted instead of a line that is refused. */
export const HASH_REFUSALS: Readonly<Record<"hash-line" | "hash-invalid" | "hash-length", string>> =
  {
    "hash-line": 'a URL or host; name the format "hex" or "base64" to read hashes',
    "hash-invalid": "only a full hash or hash prefix, in the format that was named or recognized",
    "hash-length": "a full hash of 32 bytes or a hash prefix of 4 to 31 bytes",
  };

/** One full hash or hash prefix per line. `decode` returns null for text in another form. */
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

import { createHash } from "node:crypto";

/** The SHA-256 hash of bytes, computed by Node's native code because that is faster than JavaScript. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

/** The SHA-256 hash of a text, in hex. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

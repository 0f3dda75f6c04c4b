import { createHash } from "node:crypto";

/** The SHA-256 of bytes, which the platform computes faster than JavaScript. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

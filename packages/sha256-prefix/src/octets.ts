/**
 * Whether a value is a `Uint8Array`: what all functions for octets here take, and nothing else.
 *
 * It may be one of another realm, such as a frame's or a test runner's, which `instanceof` does not know. Other
 * views, `Uint8ClampedArray` among them, and an `ArrayBuffer` are none.
 *
 * @example
 * ```ts
 * import { isOctets } from "@x/sha256-prefix";
 *
 * isOctets(new TextEncoder().encode("abc")); // → true
 * isOctets([97, 98, 99]); // → false
 * ```
 */
export function isOctets(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag as never] === "Uint8Array";
}

/**
 * Whether a value is a `Uint8Array`, the only kind of bytes that the functions here take.
 *
 * An array of another realm (a frame's or a test runner's) is one too, although `instanceof` says it is not.
 * Other views, such as `Uint8ClampedArray`, and `ArrayBuffer` are not.
 *
 * @example
 * ```ts
 * import { isUint8Array } from "@x/sha256-prefix";
 *
 * isUint8Array(new TextEncoder().encode("abc")); // → true
 * isUint8Array([97, 98, 99]); // → false
 * ```
 */
export function isUint8Array(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag as never] === "Uint8Array";
}

/**
 * Returns whether a value is a `Uint8Array`, the only kind of bytes that these functions accept.
 *
 * The result is `true` for an array of another realm (such as that of a frame or a test runner), although `instanceof`
 * says otherwise. The result is `false` for other views, such as `Uint8ClampedArray`, for an `ArrayBuffer`, and for an
 * array that has lost its memory because its buffer was transferred to a worker or became too small.
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
  return (
    ArrayBuffer.isView(value) &&
    value[Symbol.toStringTag as never] === "Uint8Array" &&
    (value.byteLength > 0 || hasMemory(value))
  );
}

/** Whether an array still has its memory. Without it, an array looks empty. */
function hasMemory(array: ArrayBufferView): boolean {
  try {
    Uint8Array.prototype.keys.call(array as Uint8Array);
    return true;
  } catch {
    return false;
  }
}

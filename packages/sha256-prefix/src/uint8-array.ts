/**
 * Whether a value is a `Uint8Array`, the only kind of bytes that the functions here take.
 *
 * An array of another realm (a frame's or a test runner's) is one too, although `instanceof` says it is not.
 * Other views, such as `Uint8ClampedArray`, and `ArrayBuffer` are not. Nor is an array whose memory is gone,
 * because it was transferred to a worker or became too small.
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

/** Whether the memory of an array is still there. Without it, an array looks like an empty one. */
function hasMemory(array: ArrayBufferView): boolean {
  try {
    Uint8Array.prototype.keys.call(array as Uint8Array);
    return true;
  } catch {
    return false;
  }
}

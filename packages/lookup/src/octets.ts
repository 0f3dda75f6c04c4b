/** Whether a value is a `Uint8Array`, of whatever realm (a frame's or a test runner's has another class). */
export function isOctets(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag as never] === "Uint8Array";
}

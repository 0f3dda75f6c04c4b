/** Whether a value is a `Uint8Array`, of whatever realm (a frame's or a test runner's has another class). */
export function isOctets(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag as never] === "Uint8Array";
}

/** A `TypeError` that says which argument was expected to be what, and what it is. */
export function typeError(argument: string, expected: string, value: unknown): TypeError {
  const actual = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return new TypeError(`${argument} must be ${expected}, not ${actual}`);
}

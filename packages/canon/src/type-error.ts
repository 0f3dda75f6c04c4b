/** What a value is, in words: `"a number"`, `"an object"`, `"null"`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  const kind = Array.isArray(value) ? "array" : typeof value;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

/** A `TypeError` that says which argument was expected to be what, and what it is. */
export function typeError(argument: string, expected: string, value: unknown): TypeError {
  return new TypeError(`${argument} must be ${expected}, not ${kindOf(value)}`);
}

/** A `TypeError` that says what an argument was expected to be, and what it is. */
export function typeError(argument: string, expected: string, value: unknown): TypeError {
  return new TypeError(`${argument} must be ${expected}, not ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

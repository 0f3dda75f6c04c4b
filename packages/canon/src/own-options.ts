/**
 * Copies only the own properties of an options object. Properties that other code added to `Object.prototype`
 * are not options.
 *
 * @throws TypeError when `options` is not an object.
 */
export function ownOptions<Options extends object>(options: Options): Options {
  if (Object(options) !== options) throw typeError("options", "an object", options);
  return Object.assign(Object.create(null) as Options, options);
}

/**
 * The value of an option that is `false` by default.
 *
 * @throws TypeError when `value` is neither a boolean nor `undefined`.
 */
export function booleanOption(name: string, value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value !== "boolean") throw typeError(name, "a boolean", value);
  return value;
}

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

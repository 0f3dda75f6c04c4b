import { typeError } from "./type-error.ts";

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

import { isUint8Array, MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";

/** Returns a copy of the options without inherited properties, such as those of `Object.prototype`. */
export function ownOptions<T extends object>(options: T): T {
  return { __proto__: null, ...options };
}

/** Whether a value is an object with these own properties. */
export function hasOwn<Name extends string>(
  value: unknown,
  ...names: Name[]
): value is Record<Name, unknown> {
  return (
    typeof value === "object" && value !== null && names.every((name) => Object.hasOwn(value, name))
  );
}

/** Whether a value is a `Uint8Array`, even if its buffer was transferred. */
export function isByteArray(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag as never] === "Uint8Array";
}

export function isUint32Array(value: unknown): value is Uint32Array {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag as never] === "Uint32Array";
}

/** Throws unless `value` is a `Uint8Array` whose buffer has not been transferred. */
export function checkBytes(argument: string, value: unknown): asserts value is Uint8Array {
  if (isUint8Array(value)) return;
  if (!isByteArray(value)) throw typeError(argument, "a Uint8Array", value);
  throw new TypeError(`${argument} must not be a Uint8Array whose buffer was transferred`);
}

/** Throws unless `prefixBytes` is a valid length of a hash prefix. */
export function checkPrefixBytes(argument: string, prefixBytes: unknown): void {
  if (typeof prefixBytes !== "number") throw typeError(argument, "a number", prefixBytes);
  if (
    !Number.isInteger(prefixBytes) ||
    prefixBytes < MIN_PREFIX_BYTES ||
    prefixBytes > MAX_PREFIX_BYTES
  ) {
    const range = `from ${MIN_PREFIX_BYTES} to ${MAX_PREFIX_BYTES}`;
    throw new RangeError(`${argument} must be a whole number ${range}, not ${prefixBytes}`);
  }
}

/** Whether a value is a SHA-256 hash in lower-case hex. */
export function isChecksum(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

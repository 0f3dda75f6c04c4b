/**
 * Whether an error has a name, and so is of the class of that name.
 *
 * Use this function for the classes of other packages, because a program may have two copies of a package, and
 * `instanceof` is false for an error of the other copy.
 *
 * @example
 * ```ts
 * import { Sha256PrefixError } from "@x/sha256-prefix";
 * import { hasName } from "@x/sha256-prefix/has-name";
 *
 * hasName<Sha256PrefixError>(new TypeError("no"), "Sha256PrefixError"); // → false
 * ```
 */
export function hasName<Named extends Error>(error: unknown, name: Named["name"]): error is Named {
  return error instanceof Error && error.name === name;
}

import { typeError } from "@x/sha256-prefix/type-error";
import { isAllowedIdentifier } from "./algorithms.ts";
import { HashedUriError } from "./error.ts";
import { type HashedUri, parseHashedUri } from "./parse.ts";

/**
 * The text of a hashed URI, in lower case and with `+frag` before `+query`.
 *
 * @throws {@link HashedUriError} `hash-algorithm-invalid` or `hash-value-invalid`, when the parts do not
 * form a hashed URI; `algorithm-not-allowed`, when the algorithm is neither registered nor for private use, although
 * `parseHashedUri` reads such hashed URIs.
 * @throws TypeError when `hashed` is not a {@link HashedUri}.
 *
 * @example
 * ```ts
 * import { formatHashedUri, parseHashedUri } from "@x/hashed-uri";
 *
 * formatHashedUri({ algorithm: "md5", value: "00FF", fragment: false, query: true }); // → "hashed:md5=00ff+query"
 * formatHashedUri(parseHashedUri("hashed:md5=00ff+query+FRAG+query")); // → "hashed:md5=00ff+frag+query"
 * ```
 * @see draft-feather-hashed-uri-03 §4.1, §4.2
 */
export function formatHashedUri(hashed: HashedUri): string {
  const normal = normalizeHashedUri(hashed);
  if (!isAllowedIdentifier(normal.algorithm)) {
    throw new HashedUriError("algorithm-not-allowed", normal.algorithm, null);
  }
  return writeHashedUri(normal);
}

/** The text of a normalized hashed URI, whatever its algorithm. */
export function writeHashedUri({ algorithm, value, fragment, query }: HashedUri): string {
  return `hashed:${algorithm}=${value}${fragment ? "+frag" : ""}${query ? "+query" : ""}`;
}

/**
 * Whether two hashed URIs have the same algorithm, value and flags, regardless of case and of the order of flags.
 *
 * Two hashed URIs that are not equal may still stand for the same URI, if they were made with different
 * algorithms, flags or variants.
 *
 * @throws {@link HashedUriError} when an argument is not a hashed URI; the codes are those of
 * `parseHashedUri`.
 * @throws TypeError when an argument is neither a string nor a {@link HashedUri}.
 *
 * @example
 * ```ts
 * import { equalHashedUris } from "@x/hashed-uri";
 *
 * equalHashedUris("hashed:md5=0A+query+frag", "HASHED:MD5=0a+frag+query"); // → true
 * equalHashedUris("hashed:md5=0a", "hashed:md5=0a+frag"); // → false
 * ```
 * @see draft-feather-hashed-uri-03 §4.1
 */
export function equalHashedUris(a: HashedUri | string, b: HashedUri | string): boolean {
  return canonicalText(a) === canonicalText(b);
}

function canonicalText(hashed: HashedUri | string): string {
  return writeHashedUri(
    typeof hashed === "string" ? parseHashedUri(hashed) : normalizeHashedUri(hashed),
  );
}

/** The parts of a hashed URI, checked and in lower case. */
export function normalizeHashedUri(hashed: HashedUri): HashedUri {
  const { algorithm, value, fragment, query } = checkShape(hashed);
  if (!/^[a-z0-9.-]+$/i.test(algorithm)) {
    throw new HashedUriError("hash-algorithm-invalid", algorithm, null);
  }
  if (!/^[0-9a-f]+$/i.test(value)) throw new HashedUriError("hash-value-invalid", value, null);
  return { algorithm: algorithm.toLowerCase(), value: value.toLowerCase(), fragment, query };
}

function checkShape(hashed: HashedUri): HashedUri {
  if (typeof hashed !== "object" || hashed === null) {
    throw typeError("hashed", "{ algorithm, value, fragment, query }", hashed);
  }
  for (const part of ["algorithm", "value"] as const) {
    if (typeof hashed[part] !== "string")
      throw typeError(`hashed.${part}`, "a string", hashed[part]);
  }
  for (const part of ["fragment", "query"] as const) {
    if (typeof hashed[part] !== "boolean")
      throw typeError(`hashed.${part}`, "a boolean", hashed[part]);
  }
  return hashed;
}

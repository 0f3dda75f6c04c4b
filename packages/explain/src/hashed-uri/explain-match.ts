import { formatHashedUri, type HashedUri, type UnusableHashedUri } from "@x/hashed-uri";
import { readText } from "../line-input.ts";
import { printableInShort } from "../printable/printable.ts";
import type { Refusal } from "../refusal.ts";

/** Whether a URI matches a list of hashed URIs, as plain data. */
export type HashedUriMatch<Entry extends HashedUri = HashedUri> =
  | { readonly matched: true; readonly entry: Entry & { readonly hashed: string } }
  | { readonly matched: false; readonly entry: null };

/**
 * Returns whether a URI matches an entry of a list, and the entry. The result is a {@link Refusal} for an input that is
 * not a URI, and for bytes that are not UTF-8.
 *
 * `match` is a matcher of `@x/hashed-uri`. A matcher returns the very objects that it was made from, so an entry can
 * have additional properties, such as its line number.
 *
 * @example
 * ```ts
 * import { explainMatch } from "@x/explain";
 * import { hashedUriMatcher } from "@x/hashed-uri";
 *
 * const match = hashedUriMatcher(["hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481"]);
 * const found = explainMatch("HTTP://www.thus.net", match);
 * "entry" in found && found.entry?.algorithm; // → "sha1"
 * const missed = explainMatch("http://www.thus.net/other", match);
 * "matched" in missed && missed.matched; // → false
 * ```
 * @see draft-feather-hashed-uri-03 §4.3
 */
export function explainMatch<Entry extends HashedUri>(
  input: string | Uint8Array,
  match: (uri: string) => Entry | null,
): HashedUriMatch<Entry> | Refusal {
  return readText(input, (uri) => {
    const entry = match(uri);
    return entry === null
      ? { matched: false, entry }
      : { matched: true, entry: { ...entry, hashed: formatHashedUri(entry) } };
  });
}

/**
 * Says in words why a hashed URI can never match.
 *
 * @example
 * ```ts
 * import { unusableReason } from "@x/explain";
 * import { hashedUriMatcher } from "@x/hashed-uri";
 *
 * const { unusable } = hashedUriMatcher(["hashed:sha512=00", "hashed:sha1=00ff"]);
 * unusable.map(unusableReason); // → ['the algorithm "sha512" is not known', "no sha1 hash has 4 digits"]
 * ```
 */
export function unusableReason({ hashed, reason }: UnusableHashedUri): string {
  const { algorithm, value } = hashed;
  const name = printableInShort(algorithm);
  if (reason === "algorithm-unknown") return `the algorithm "${name}" is not known`;
  return `no ${name} hash has ${value.length} ${value.length === 1 ? "digit" : "digits"}`;
}

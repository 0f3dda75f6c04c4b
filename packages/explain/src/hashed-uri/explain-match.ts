import { formatHashedUri, type HashedUri } from "@x/hashed-uri";
import { inputText } from "../input.ts";
import { type Refusal, refusalOf } from "../refusal.ts";

/** Whether a URI matches a list of hashed URIs, as plain data. */
export type HashedUriMatch<Entry extends HashedUri = HashedUri> =
  | { readonly matched: true; readonly entry: Entry & { readonly hashed: string } }
  | { readonly matched: false; readonly entry: null };

/**
 * Whether a URI matches an entry of a list, and which one. An input that is not a URI, or bytes that are not UTF-8, give a {@link Refusal}.
 *
 * `match` is a matcher of `@x/hashed-uri`. It returns the entries that were given to it, so an entry can carry more
 * than a hashed URI, such as the number of its line.
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
  const uri = inputText(input);
  if (typeof uri !== "string") return uri;
  try {
    const entry = match(uri);
    if (entry === null) return { matched: false, entry: null };
    return { matched: true, entry: { ...entry, hashed: formatHashedUri(entry) } };
  } catch (error) {
    return refusalOf(error);
  }
}

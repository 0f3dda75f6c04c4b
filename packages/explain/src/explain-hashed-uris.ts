import {
  formatHashedUri,
  type HashedUri,
  type HashUriOptions,
  hashUri,
  parseHashedUri,
  type UnusableHashedUri,
} from "@x/hashed-uri";
import { type Refusal, readText } from "./input.ts";
import { printableInShort } from "./printable.ts";

/** Whether a URI matches a list of hashed URIs, as plain data. */
type HashedUriMatch<Entry extends HashedUri = HashedUri> =
  | { readonly matched: true; readonly entry: Entry & { readonly hashed: string } }
  | { readonly matched: false; readonly entry: null };

/**
 * Returns whether a URI matches an entry of a list, and the entry. The result is a {@link Refusal} for an input that is
 * not a URI, and for bytes that are not UTF-8.
 *
 * `match` is a matcher of `@x/hashed-uri`. A matcher returns the very objects that it was made from, so an entry can
 * have additional properties, such as its line number.
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

/** Says in words why a hashed URI can never match. */
export function unusableReason({ hashed, reason }: UnusableHashedUri): string {
  const { algorithm, value } = hashed;
  const name = printableInShort(algorithm);
  if (reason === "algorithm-unknown") return `the algorithm "${name}" is not known`;
  return `no ${name} hash has ${value.length} ${value.length === 1 ? "digit" : "digits"}`;
}

/** A hashed URI and its parts, as plain data. */
export interface PublishedUri extends HashedUri {
  /** The hashed URI as text: `"hashed:sha1=…"`. */
  readonly hashed: string;
}

/**
 * Returns the hashed URI of a URI, with its parts. The result is a {@link Refusal} for an input that is not a URI, and
 * for bytes that are not UTF-8.
 * @see draft-feather-hashed-uri-03 §4.3
 */
export function publishedUri(
  input: string | Uint8Array,
  options: HashUriOptions = {},
): PublishedUri | Refusal {
  return readText(input, (uri) => {
    const hashed = hashUri(uri, options);
    return { hashed, ...parseHashedUri(hashed) };
  });
}

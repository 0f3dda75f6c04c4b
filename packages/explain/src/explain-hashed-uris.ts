import {
  formatHashedUri,
  type HashedUri,
  type HashUriOptions,
  hashUri,
  parseHashedUri,
  type UnusableHashedUri,
} from "@x/hashed-uri";
import { readText } from "./line-input.ts";
import { printableInShort } from "./printable/printable.ts";
import type { Refusal } from "./refusal.ts";

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

const CAPTURE = "x-capture";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A hashed URI and its parts, as plain data. */
export interface PublishedUri extends HashedUri {
  /** The hashed URI as text: `"hashed:sha1=…"`. */
  readonly hashed: string;
}

/**
 * Returns the hashed URI of a URI, with its parts. The result is a {@link Refusal} for an input that is not a URI, and
 * for bytes that are not UTF-8.
 *
 * @example
 * ```ts
 * import { publishedUri } from "@x/explain";
 *
 * const published = publishedUri("http://www.thus.net");
 * "hashed" in published && published.hashed; // → "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481"
 * const refused = publishedUri("page.html");
 * "error" in refused && refused.error.code; // → "base-missing"
 * ```
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

/**
 * The text that `hashUri` hashes: the canonical form of a URI, without the components that are not kept. The result is
 * a {@link Refusal} for an input that is not a URI, and for bytes that are not UTF-8.
 *
 * @param options the options of `hashUri` of `@x/hashed-uri`. The algorithm does not matter.
 * @example
 * ```ts
 * import { hashedForm } from "@x/explain";
 *
 * hashedForm("HTTP://WWW.Thus.net:80/%61?q#end"); // → "http://www.thus.net/a"
 * hashedForm("HTTP://WWW.Thus.net/?q", { keepQuery: true }); // → "http://www.thus.net/?q"
 * hashedForm("http://www.thus.net/", { variant: "P" }); // → "http://www.thus.net"
 * ```
 * @see draft-feather-hashed-uri-03 §4.3, Appendix A
 */
export function hashedForm(
  input: string | Uint8Array,
  options: HashUriOptions = {},
): string | Refusal {
  return readText(input, (uri) => {
    let form = "";
    // This function replaces the hash function and keeps the bytes to be hashed.
    const capture = (bytes: Uint8Array): Uint8Array => {
      form = decoder.decode(bytes);
      return Uint8Array.of(0);
    };
    hashUri(uri, { ...options, algorithm: CAPTURE, algorithms: { [CAPTURE]: capture } });
    return form;
  });
}

import { type HashedUri, type HashUriOptions, hashUri, parseHashedUri } from "@x/hashed-uri";
import { inputText } from "../input.ts";
import { type Refusal, refusalOf } from "../refusal.ts";

/** A hashed URI and its parts, as plain data. */
export interface PublishedUri extends HashedUri {
  /** The hashed URI as text: `"hashed:sha1=…"`. */
  readonly hashed: string;
}

/**
 * The hashed URI of a URI. An input that is not a URI, or bytes that are not UTF-8, give a {@link Refusal}.
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
  const uri = inputText(input);
  if (typeof uri !== "string") return uri;
  try {
    const hashed = hashUri(uri, options);
    return { hashed, ...parseHashedUri(hashed) };
  } catch (error) {
    return refusalOf(error);
  }
}

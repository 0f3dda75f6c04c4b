import { allowedAlgorithm, type HashAlgorithms, knownAlgorithms } from "./algorithms.ts";
import { hexDigest, toOctets } from "./digest.ts";
import { formatHashedUri } from "./format.ts";
import { type CanonicalFormOptions, initialUriReader } from "./initial-uri.ts";

/** How {@link hashUri} makes a hashed URI. */
export interface HashUriOptions extends CanonicalFormOptions {
  /** `"sha1"` unless given: every reader must accept that one. */
  readonly algorithm?: string | undefined;
  /** Whether a fragment is hashed too; `false` unless given. */
  readonly keepFragment?: boolean | undefined;
  /** Whether a query is hashed too; `false` unless given. */
  readonly keepQuery?: boolean | undefined;
  /** Hash functions for private use, by their `x-…` identifiers. */
  readonly algorithms?: HashAlgorithms | undefined;
}

/**
 * The hashed URI of a URI.
 *
 * The URI is made absolute, loses its query and fragment unless they are to be kept, is reduced to its
 * canonical form and hashed. A flag says that a component was there and was kept; `keepQuery` alone
 * writes none. The canonical form depends on the scheme: `http` and `https` by Appendix A after decoding
 * escapes of unreserved characters, other hierarchical URIs by Appendix A, `urn` by the rules of URNs, and
 * any other opaque URI by its scheme in lower case. Characters outside ASCII are hashed as UTF-8,
 * unescaped as they are.
 *
 * @throws {@link HashedUriError} `algorithm-not-allowed` or `algorithm-unknown`; `base-missing`,
 * `base-relative`, `base-opaque`, `scheme-invalid`, `character-excluded`, `lone-surrogate` or
 * `urn-invalid` for what is no URI; `too-long` for more than 2²⁴ UTF-16 code units.
 * @throws TypeError when an argument is of the wrong type.
 *
 * @example
 * ```ts
 * import { hashUri } from "@x/hashed-uri";
 *
 * hashUri("HTTP://www.Thus.net#end"); // → "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481"
 * hashUri("http://www.thus.net#end", { keepFragment: true }); // → "hashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag"
 * hashUri("mailto:clive@demon.net", { algorithm: "md5" }); // → "hashed:md5=cd933f3b87ee60e58917448c9678ee32"
 * hashUri("mailto:clive@demon.net", { algorithm: "sha256" }); // throws algorithm-not-allowed
 * ```
 * @see draft-feather-hashed-uri-03 §4.3
 */
export function hashUri(uri: string, options: HashUriOptions = {}): string {
  const known = knownAlgorithms(options.algorithms);
  const { identifier, hash } = allowedAlgorithm(options.algorithm ?? "sha1", known);
  const initial = initialUriReader(options)(uri);
  const fragment = initial.fragment && (options.keepFragment ?? false);
  const query = initial.query && (options.keepQuery ?? false);
  const octets = toOctets(initial.canonicalForm({ fragment, query }));
  return formatHashedUri({
    algorithm: identifier,
    value: hexDigest(octets, hash),
    fragment,
    query,
  });
}

import { ownOptions } from "@x/canon/own-options";
import {
  allowedAlgorithm,
  type HashAlgorithms,
  hexDigest,
  knownAlgorithms,
  toBytes,
} from "./algorithms.ts";
import { writeHashedUri } from "./format.ts";
import { type CanonicalFormOptions, initialUriReader } from "./initial-uri.ts";
import { type RetainingOptions, retainedBy } from "./kept-components.ts";

/** Options of {@link hashUri}. */
export interface HashUriOptions extends CanonicalFormOptions, RetainingOptions {
  /** `"sha1"` by default, the only algorithm that every reader must support. */
  readonly algorithm?: string | undefined;
  /** Hash functions for private use, by their `x-…` identifiers. */
  readonly algorithms?: HashAlgorithms | undefined;
}

/**
 * Returns the hashed URI of a URI.
 *
 * The URI is made absolute, its query and fragment are removed unless you keep them, and its canonical form is hashed.
 * The query of an opaque URI such as `magnet:?xt=…` is kept by default, because without it, all magnet links would have
 * one hash. A flag is written only if the URI had the component and it was kept. The scheme decides how the canonical
 * form is made: by its rule in `schemes`, if there is one; for `http` and `https`, by Appendix A after decoding escapes
 * of unreserved characters; for other hierarchical URIs, by Appendix A; for `urn`, by the rules of URNs. In other
 * opaque URIs, only the scheme changes, to lower case. Characters outside ASCII are not escaped, but hashed as UTF-8.
 *
 * @throws {@link HashedUriError} `algorithm-not-allowed` or `algorithm-unknown`; `base-missing`,
 * `base-relative`, `base-opaque`, `scheme-invalid`, `character-excluded`, `lone-surrogate` or `urn-invalid` when
 * `uri` is not a URI; `too-long` for more than 2²⁴ UTF-16 code units.
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
  const own = ownOptions(options);
  const { identifier, hash } = allowedAlgorithm(
    own.algorithm ?? "sha1",
    knownAlgorithms(own.algorithms),
  );
  const initial = initialUriReader(own)(uri);
  const retained = retainedBy(own, initial);
  const value = hexDigest(toBytes(initial.canonicalForm(retained)), hash);
  return writeHashedUri({ algorithm: identifier, value, ...retained });
}

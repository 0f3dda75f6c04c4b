import { describeProblem } from "@x/canon";
import { type AbsoluteUri, readUri } from "@x/canon/hierarchical";
import { booleanOption, ownOptions } from "@x/canon/own-options";
import { typeError } from "@x/sha256-prefix/type-error";
import {
  allowedAlgorithm,
  type HashAlgorithms,
  hexDigest,
  knownAlgorithms,
  toBytes,
} from "./algorithms.ts";
import { HashedUriError } from "./error.ts";
import { writeHashedUri } from "./format.ts";
import { genericForm, type SchemeRules, schemeRules, type Variant } from "./scheme-rules.ts";

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

/**
 * If the canonical form of `uri` is the root of a site, returns that form with the slash after the host added
 * or removed, unless the hashed URI of `uri` matches the result as well. Otherwise returns `null`.
 *
 * `http://www.thus.net` and `http://www.thus.net/` are the same page, and browsers always write the slash. Under
 * variant N they have different hashes, so a list needs both to match the page. Only `http`, `https`, `ftp`, `ws` and
 * `wss` URLs have this other spelling.
 *
 * @throws {@link HashedUriError} when `uri` is not a URI; the codes are those of `hashUri`.
 * @throws TypeError when an argument is of the wrong type.
 *
 * @example
 * ```ts
 * import { otherSpelling } from "@x/hashed-uri";
 *
 * otherSpelling("http://www.thus.net"); // → "http://www.thus.net/"
 * otherSpelling("http://www.thus.net/index.html"); // → "http://www.thus.net"
 * otherSpelling("http://www.thus.net", { variant: "P" }); // → null
 * otherSpelling("http://www.thus.net/a"); // → null
 * ```
 * @see draft-feather-hashed-uri-03, Appendix A
 */
export function otherSpelling(uri: string, options: HashUriOptions = {}): string | null {
  const own = ownOptions(options);
  const read = initialUriReader(own);
  const initial = read(uri);
  const retained = retainedBy(own, initial);
  const form = initial.canonicalForm(retained);
  const root = ROOT.exec(form);
  if (root === null) return null;
  const [withRoot, site, slash] = root;
  const other = `${site}${slash === "" ? "/" : ""}${form.slice(withRoot.length)}`;
  return read(other).canonicalForm(retained) === form ? null : other;
}

/** A canonical URI up to its query, if its path is empty or a slash. */
const ROOT = /^((?:https?|ftp|wss?):\/\/[^/?#]+)(\/?)(?=[?#]|$)/;

/** Options for the canonical form of an initial URI, for publishing and for matching. */
export interface CanonicalFormOptions {
  /**
   * The variant of Appendix A for hierarchical URIs. The default, `"N"`, hardly ever equates URIs that differ
   * in meaning. Publishers and their readers must use the same variant.
   */
  readonly variant?: Variant | undefined;
  /** The absolute URI that a relative URI is resolved against. */
  readonly base?: string | undefined;
  /** Rules for schemes, in place of the built-in ones. */
  readonly schemes?: SchemeRules | undefined;
}

/** An absolute URI, with the components that it has. */
interface InitialUri extends ComponentsOfUri {
  /** The canonical form with the given components. */
  canonicalForm(retained: Retained): string;
}

/**
 * Returns a function that parses an initial URI. §4.3 steps (1) and (2) are done in two parts: parsing is the same for
 * all flags, and `canonicalForm` takes the steps that depend on the flags.
 *
 * The query is found as in RFC 2396 Appendix B, in opaque URIs too.
 */
export function initialUriReader(options: CanonicalFormOptions): (uri: string) => InitialUri {
  const { variant = "N", base, schemes } = ownOptions(options);
  if (variant !== "N" && variant !== "P") {
    throw typeError("variant", '"N" or "P"', variant);
  }
  const ruleFor = schemeRules(schemes);
  return (text) => {
    const uri = toAbsolute(text, base);
    const rule = ruleFor(uri.scheme);
    return {
      fragment: uri.fragment !== null,
      query: uri.query !== null,
      isOpaque: rule === genericForm && uri.authority === null && !uri.path.startsWith("/"),
      isOnlyQuery: uri.query !== null && !uri.authority && /^\/*$/.test(uri.path),
      canonicalForm({ fragment, query }) {
        const retained = {
          ...uri,
          query: query ? uri.query : null,
          fragment: fragment ? uri.fragment : null,
        };
        return rule(retained, variant);
      },
    };
  };
}

function toAbsolute(text: string, base: string | undefined): AbsoluteUri {
  const { uri, problem } = readUri(text, base);
  if (problem === null) return uri;
  const { input, code, index } = problem;
  throw new HashedUriError(code, input, index, describeProblem(input, problem));
}

/** Options for the components that §4.3 step (1) keeps. */
interface RetainingOptions {
  /** Whether to hash the fragment too. The default is `false`. */
  readonly keepFragment?: boolean | undefined;
  /**
   * Whether to hash the query too. By default, only the query of an opaque URI is hashed, such as `magnet:?xt=…`: RFC
   * 2396 §3 counts such a query as part of the name. The queries of URNs, and of schemes with a rule in `schemes`, are
   * not hashed by default. A query is always hashed if only the query tells the URI apart from others of its scheme.
   */
  readonly keepQuery?: boolean | undefined;
}

/** Whether a URI has, or keeps, each of the components that §4.3 step (1) may remove. */
export interface Retained {
  readonly fragment: boolean;
  readonly query: boolean;
}

/** The components that a URI has, and the facts that decide whether its query is kept. */
interface ComponentsOfUri extends Retained {
  /** Whether the URI is opaque, and there is no rule for its scheme. */
  readonly isOpaque: boolean;
  /** Whether only the query tells the URI apart from others of its scheme. */
  readonly isOnlyQuery: boolean;
}

/** The components of a URI that these options keep. */
function retainedBy(
  options: RetainingOptions,
  { fragment, query, isOpaque, isOnlyQuery }: ComponentsOfUri,
): Retained {
  const keepFragment = booleanOption("keepFragment", options.keepFragment);
  const keepQuery =
    options.keepQuery === undefined ? isOpaque : booleanOption("keepQuery", options.keepQuery);
  return { fragment: fragment && keepFragment, query: query && (keepQuery || isOnlyQuery) };
}

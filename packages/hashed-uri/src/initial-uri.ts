import { describeProblem } from "@x/canon";
import { type AbsoluteUri, readUri } from "@x/canon/hierarchical";
import { booleanOption, ownOptions } from "@x/canon/own-options";
import { typeError } from "@x/sha256-prefix/type-error";
import { HashedUriError } from "./error.ts";
import { genericForm, type SchemeRules, schemeRules, type Variant } from "./scheme-rules.ts";

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

/** Options for the components that §4.3 step (1) keeps. */
export interface RetainingOptions {
  /** Whether to hash the fragment too; `false` by default. */
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

/** The components of a URI that these options keep. */
export function retainedBy(
  options: RetainingOptions,
  { fragment, query, isOpaque, isOnlyQuery }: InitialUri,
): Retained {
  const keepFragment = booleanOption("keepFragment", options.keepFragment);
  const keepQuery =
    options.keepQuery === undefined ? isOpaque : booleanOption("keepQuery", options.keepQuery);
  return { fragment: fragment && keepFragment, query: query && (keepQuery || isOnlyQuery) };
}

/** An absolute URI, with the components that it has. */
export interface InitialUri extends Retained {
  /** Whether the URI is opaque, and there is no rule for its scheme. */
  readonly isOpaque: boolean;
  /** Whether only the query tells the URI apart from others of its scheme. */
  readonly isOnlyQuery: boolean;
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

import { booleanOption } from "@x/canon/own-options";

/** Options for the components that §4.3 step (1) keeps. */
export interface RetainingOptions {
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
export interface ComponentsOfUri extends Retained {
  /** Whether the URI is opaque, and there is no rule for its scheme. */
  readonly isOpaque: boolean;
  /** Whether only the query tells the URI apart from others of its scheme. */
  readonly isOnlyQuery: boolean;
}

/** The components of a URI that these options keep. */
export function retainedBy(
  options: RetainingOptions,
  { fragment, query, isOpaque, isOnlyQuery }: ComponentsOfUri,
): Retained {
  const keepFragment = booleanOption("keepFragment", options.keepFragment);
  const keepQuery =
    options.keepQuery === undefined ? isOpaque : booleanOption("keepQuery", options.keepQuery);
  return { fragment: fragment && keepFragment, query: query && (keepQuery || isOnlyQuery) };
}

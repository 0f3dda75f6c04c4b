import type { CanonError } from "@x/canon";
import { type AbsoluteUri, parseUri } from "@x/canon/hierarchical";
import { HashedUriError } from "./error.ts";
import { type SchemeRules, schemeRules, type Variant } from "./scheme-rules.ts";
import { typeError } from "./type-error.ts";

/** How the canonical form of an initial URI is made; the same for publishing and for matching. */
export interface CanonicalFormOptions {
  /**
   * The variant of Appendix A for hierarchical URIs. The default, `"N"`, equates two URIs only where
   * they are hardly ever different; the publisher's readers must use the same one.
   */
  readonly variant?: Variant | undefined;
  /** The absolute URI that a relative one is relative to. */
  readonly base?: string | undefined;
  /** Rules for schemes, in place of those built in. */
  readonly schemes?: SchemeRules | undefined;
}

/** The components of which step (1) says that they may be removed. */
export interface Retained {
  readonly fragment: boolean;
  readonly query: boolean;
}

/** An absolute URI that knows which components it has. */
export interface InitialUri extends Retained {
  /** The canonical form with those of its components that are to be retained. */
  canonicalForm(retained: Retained): string;
}

/**
 * A reader of initial URIs: §4.3 steps (1) and (2), in two parts. The reader does what is the same for
 * all flags, and what it returns does what is not.
 *
 * Which part is the query is asked of RFC 2396's Appendix B, which finds one in opaque URIs also.
 */
export function initialUriReader(options: CanonicalFormOptions): (uri: string) => InitialUri {
  const { variant = "N", base } = options;
  if (variant !== "N" && variant !== "P") {
    throw typeError("variant", '"N" or "P"', variant);
  }
  const ruleFor = schemeRules(options.schemes);
  return (text) => {
    const uri = toAbsolute(text, base);
    const rule = ruleFor(uri.scheme);
    return {
      fragment: uri.fragment !== null,
      query: uri.query !== null,
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

function toAbsolute(uri: string, base: string | undefined): AbsoluteUri {
  try {
    return parseUri(uri, base);
  } catch (error) {
    // By name, not by class: two versions of `@x/canon` may meet in one program.
    if ((error as Error).name !== "CanonError") throw error;
    const found = error as CanonError;
    throw new HashedUriError(found.code, found.input as string, found.index, found);
  }
}

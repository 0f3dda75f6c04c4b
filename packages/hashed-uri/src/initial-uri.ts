import { describeProblem } from "@x/canon";
import { type AbsoluteUri, readUri } from "@x/canon/hierarchical";
import { ownOptions } from "@x/canon/own-options";
import { typeError } from "@x/sha256-prefix/type-error";
import { HashedUriError } from "./error.ts";
import type { ComponentsOfUri, Retained } from "./kept-components.ts";
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

/** An absolute URI, with the components that it has. */
export interface InitialUri extends ComponentsOfUri {
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

import { canonicalizeHierarchical } from "@x/canon";
import { formatUrn, normalizeUrn, tryParseUrn } from "@x/urn";
import { HashedUriError } from "./error.ts";
import { decodeUnreserved } from "./unreserved.ts";

/** `"N"` tends to false negatives, `"P"` to false positives. */
export type Variant = "N" | "P";

/**
 * The canonical form of a URI of one scheme.
 *
 * It is given an absolute URI with its scheme in lower case, holding a query or fragment only where one
 * was retained, and returns the text to hash. It should return such a text unchanged.
 */
export type SchemeRule = (uri: string, variant: Variant) => string;

/** Rules by scheme, without `:` and in either case. */
export type SchemeRules = Readonly<Record<string, SchemeRule>>;

/** The rule for each scheme: §4.3 step (2), "any other changes depend on the specific scheme used". */
export function schemeRules(own: SchemeRules | undefined): (scheme: string) => SchemeRule {
  if (own === undefined) return (scheme) => BUILT_IN.get(scheme) ?? genericForm;
  const rules = new Map(BUILT_IN);
  for (const [scheme, rule] of Object.entries(own)) {
    if (!SCHEME.test(scheme)) {
      throw new TypeError(`the name of a scheme was expected, got ${JSON.stringify(scheme)}`);
    }
    rules.set(scheme.toLowerCase(), checked(scheme, rule));
  }
  return (scheme) => rules.get(scheme) ?? genericForm;
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;

/** A rule from outside may return anything. */
function checked(scheme: string, rule: SchemeRule): SchemeRule {
  if (typeof rule !== "function") {
    throw new TypeError(`the rule of ${scheme} must be a function, got ${typeof rule}`);
  }
  return (uri, variant) => {
    const form: unknown = rule(uri, variant);
    if (typeof form !== "string") {
      throw new TypeError(`the rule of ${scheme} must return a string, got ${typeof form}`);
    }
    const surrogate = form.search(/\p{Surrogate}/u);
    if (surrogate >= 0) throw new HashedUriError("lone-surrogate", form, surrogate);
    return form;
  };
}

const BUILT_IN: ReadonlyMap<string, SchemeRule> = new Map([
  ["http", webForm],
  ["https", webForm],
  ["urn", urnForm],
]);

/**
 * The fifth example of §4.4 hashes `a%62c` as `abc`. Decoding comes before Appendix A, so that its rules
 * find in the text what is still there when it is canonicalized again.
 */
function webForm(uri: string, variant: Variant): string {
  return genericForm(decodeUnreserved(uri), variant);
}

/** Appendix A for what is hierarchical; an opaque URI is canonical once its scheme is in lower case. */
function genericForm(uri: string, variant: Variant): string {
  const isHierarchical = uri[uri.indexOf(":") + 1] === "/";
  if (!isHierarchical) return uri;
  return canonicalizeHierarchical(uri, { variant, keepQuery: true, keepFragment: true });
}

/** The name up to a query or fragment is reduced, and those stay as they are. */
function urnForm(uri: string): string {
  const end = uri.search(/[?#]/);
  const name = end < 0 ? uri : uri.slice(0, end);
  const urn = tryParseUrn(name) ?? tryParseUrn(name, { syntax: "rfc8141" });
  if (urn === null) throw new HashedUriError("urn-invalid", uri, null);
  return formatUrn(normalizeUrn(urn)) + uri.slice(name.length);
}

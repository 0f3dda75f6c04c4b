import {
  type AbsoluteUri,
  canonicalizeHierarchical,
  formatUri,
  isHierarchical,
} from "@x/canon/hierarchical";
import { typeError } from "@x/sha256-prefix/type-error";
import { formatUrn, normalizeUrn, tryParseUrn } from "@x/urn";
import { HashedUriError } from "./error.ts";
import { writeHashedUri } from "./format.ts";
import { tryParseHashedUri } from "./parse.ts";

/** `"N"` tends towards false negatives, `"P"` towards false positives. */
export type Variant = "N" | "P";

/**
 * Returns the canonical form of a URI of one scheme, which is the text to hash.
 *
 * `uri` is absolute, has its scheme in lower case, and has a query or fragment only if it was retained. A
 * rule that is given one of its own results should return it unchanged.
 */
export type SchemeRule = (uri: string, variant: Variant) => string;

/** Rules by scheme. A scheme is written without the colon, in upper or lower case. */
export type SchemeRules = Readonly<Record<string, SchemeRule>>;

/** A rule for a URI that is already parsed and has only the components that were retained. */
type ParsedRule = (uri: AbsoluteUri, variant: Variant) => string;

/** The rule for each scheme: §4.3 step (2), "any other changes depend on the specific scheme used". */
export function schemeRules(own: SchemeRules | undefined): (scheme: string) => ParsedRule {
  if (own === undefined) return (scheme) => BUILT_IN.get(scheme) ?? genericForm;
  if (typeof own !== "object" || own === null) throw typeError("schemes", "an object", own);
  const rules = new Map(BUILT_IN);
  for (const [scheme, rule] of Object.entries(own)) {
    if (!SCHEME.test(scheme)) {
      throw typeError("a key of schemes", "the name of a scheme", scheme);
    }
    rules.set(scheme.toLowerCase(), checked(scheme, rule));
  }
  return (scheme) => rules.get(scheme) ?? genericForm;
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;

/** Wraps a caller's rule, which takes text and might return anything. */
function checked(scheme: string, rule: SchemeRule): ParsedRule {
  if (typeof rule !== "function") {
    throw typeError(`schemes["${scheme}"]`, "a function", rule);
  }
  return (uri, variant) => {
    const form: unknown = rule(formatUri(uri), variant);
    if (typeof form !== "string") {
      throw typeError(`the result of schemes["${scheme}"]`, "a string", form);
    }
    const surrogate = form.search(/\p{Surrogate}/u);
    if (surrogate >= 0) throw new HashedUriError("lone-surrogate", form, surrogate);
    return form;
  };
}

const BUILT_IN: ReadonlyMap<string, ParsedRule> = new Map([
  ["http", webForm],
  ["https", webForm],
  ["urn", urnForm],
  ["hashed", hashedForm],
]);

/**
 * The fifth example of §4.4 hashes `a%62c` as `abc`. Decoding comes before Appendix A, so that canonicalizing
 * the result again changes nothing. No delimiter is decoded, so the URI still has the same components.
 */
function webForm(uri: AbsoluteUri, variant: Variant): string {
  const { scheme, authority, path, query, fragment } = uri;
  const decoded = {
    scheme,
    authority: authority && decodeUnreserved(authority),
    path: decodeUnreserved(path),
    query: query && decodeUnreserved(query),
    fragment: fragment && decodeUnreserved(fragment),
  };
  return genericForm(decoded, variant);
}

/** Appendix A for hierarchical URIs. An opaque URI is canonical once its scheme is in lower case. */
export function genericForm(uri: AbsoluteUri, variant: Variant): string {
  if (!isHierarchical(uri)) return formatUri(uri);
  return canonicalizeHierarchical(uri, { variant, keepQuery: true, keepFragment: true });
}

/** Normalizes the name. A query or fragment after the name is unchanged. */
function urnForm(uri: AbsoluteUri): string {
  const name = formatUri({ ...uri, query: null, fragment: null });
  const urn = tryParseUrn(name) ?? tryParseUrn(name, { syntax: "rfc8141" });
  if (urn === null) throw new HashedUriError("urn-invalid", formatUri(uri), null);
  return formatUrn(normalizeUrn(urn)) + formatUri(uri).slice(name.length);
}

/** §4.1: "The entire URI is case-insensitive". Flags may be in any order, and more than once. */
function hashedForm(uri: AbsoluteUri): string {
  const hashed = tryParseHashedUri(formatUri(uri));
  return hashed === null ? formatUri(uri) : writeHashedUri(hashed);
}

/**
 * A percent escape, except after a `%` that begins no escape, or after such a `%` and a digit: there, the decoded
 * character could become part of a new escape.
 */
const ESCAPE = /(?<!%[0-9a-f]?)%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-_.!~*'()]/;

/**
 * Decodes the percent escapes of unreserved characters, which never changes the meaning of a URI.
 *
 * Everything else is unchanged, including `%2525` and `%2f`. Decoding the result again changes nothing.
 *
 * @see RFC 2396 §2.3
 */
function decodeUnreserved(text: string): string {
  return text.replace(ESCAPE, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return UNRESERVED.test(character) ? character : written;
  });
}

import { MAX_URL_LENGTH } from "./max-url-length.ts";
import { quoteOctets } from "./octets.ts";
import { WEB_RISK } from "./web-risk.ts";

/** What was wrong with the text; see {@link CanonError.code}. */
export type CanonErrorCode =
  /** More than `MAX_URL_LENGTH` UTF-16 code units of a text, or octets. */
  | "too-long"
  /** The text holds half of a surrogate pair, which has no UTF-8 form. */
  | "lone-surrogate"
  /** A scheme such as `mailto:` that is not followed by `//` and an authority. */
  | "authority-missing"
  /** Nothing is left of the host: `http:///x`, `http://:80/`, `.`. */
  | "host-missing"
  /** `canonicalizeHierarchical`, `parseUri`, `resolveUri`: a control, space, `"`, `<` or `>`, which no URI holds. */
  | "character-excluded"
  /** `canonicalizeHierarchical`, `parseUri`, `resolveUri`: a colon behind what cannot be a scheme. */
  | "scheme-invalid"
  /** `canonicalizeHierarchical`, `parseUri`, `resolveUri`: a relative URI, and no base to resolve it against. */
  | "base-missing"
  /** `canonicalizeHierarchical`, `parseUri`, `resolveUri`: a base that is itself relative. */
  | "base-relative"
  /** `canonicalizeHierarchical`, `parseUri`, `resolveUri`: a base without a hierarchy, such as `mailto:a@b`. */
  | "base-opaque"
  /** `canonicalizeHierarchical`: an opaque URI, such as `mailto:a@b`. */
  | "not-hierarchical";

/** A cause as the steps report it, before anybody throws. */
export interface CanonFailure {
  readonly code: CanonErrorCode;
  /** What stands before the trouble in the text that the step looked at; null where it has no place. */
  readonly before: string | null;
}

/** Whether a step failed; what others added to every object makes no failure. */
export function isFailure(result: object): result is CanonFailure {
  return Object.hasOwn(result, "code");
}

const PROBLEMS: Readonly<
  Record<CanonErrorCode, { readonly expected: string; readonly section: string }>
> = {
  "too-long": {
    expected: `at most ${MAX_URL_LENGTH} UTF-16 code units or octets`,
    section: "@x/canon, MAX_URL_LENGTH",
  },
  "lone-surrogate": {
    expected: "Unicode text, without half of a surrogate pair",
    section: "RFC 3629 §3",
  },
  "authority-missing": {
    expected: '"//" and a host behind the scheme, or no scheme',
    section: `${WEB_RISK}, Canonicalization`,
  },
  "host-missing": {
    expected: 'a host, as in "scheme://host/path" or "host/path"',
    section: `${WEB_RISK}, To canonicalize the hostname`,
  },
  "character-excluded": {
    expected: 'no control, space, "<", ">" or quotation mark (escape it, or cut it off)',
    section: "RFC 2396 §2.4.3",
  },
  "scheme-invalid": {
    expected: "a scheme, or no colon before the first slash",
    section: "RFC 2396 §3.1",
  },
  "base-missing": { expected: "an absolute URI, or a base", section: "RFC 2396 §5" },
  "base-relative": { expected: "an absolute URI as base", section: "RFC 2396 §5.1" },
  "base-opaque": { expected: "a hierarchical URI as base", section: "RFC 2396 §5" },
  "not-hierarchical": {
    expected: 'a hierarchical URI, with a "/" behind its scheme',
    section: "draft-feather-hashed-uri-03, Appendix A",
  },
};

const LONGEST_QUOTE = 60;

/** The input, or what is around the place of the trouble: on one line, printable, not longer than is useful. */
function quote(input: string | Uint8Array, index: number): string {
  const start = Math.max(0, Math.min(index - LONGEST_QUOTE / 2, input.length - LONGEST_QUOTE));
  const end = start + LONGEST_QUOTE;
  const piece = input.slice(start, end);
  const text = typeof piece === "string" ? piece : quoteOctets(piece);
  const printable = text.replace(
    /(?! )[\p{C}\p{Z}]/gu,
    (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`,
  );
  return `"${start > 0 ? "…" : ""}${printable}${end < input.length ? "…" : ""}"`;
}

/**
 * The one error for text or octets that are not a URL with a host, or not a URI.
 *
 * Compare `code`, which survives two versions of the package in one program, rather than the class.
 */
export class CanonError extends Error {
  override readonly name = "CanonError";
  readonly code: CanonErrorCode;
  /** What was given, whole. */
  readonly input: string | Uint8Array;
  /** Where the trouble starts in `input` (UTF-16 code units of a text, octets of octets), if known. */
  readonly index: number | null;
  /** What was expected there, in words. */
  readonly expected: string;
  /** The section of the text that asks for it. */
  readonly section: string;

  constructor(input: string | Uint8Array, code: CanonErrorCode, index: number | null) {
    const { expected, section } = PROBLEMS[code];
    const place = index === null ? "" : ` at index ${index}`;
    super(`${quote(input, index ?? 0)}${place}: expected ${expected} (${section}).`);
    this.code = code;
    this.input = input;
    this.index = index;
    this.expected = expected;
    this.section = section;
  }
}

import { MAX_URL_LENGTH } from "./max-url-length.ts";

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

const EXPLANATIONS: Record<CanonErrorCode, { section: string; expected: string }> = {
  "too-long": {
    section: "@x/canon, MAX_URL_LENGTH",
    expected: `is too long; expected at most ${MAX_URL_LENGTH} UTF-16 code units or octets`,
  },
  "lone-surrogate": {
    section: "RFC 3629 §3",
    expected: "holds a lone surrogate, which no octets stand for; expected Unicode text",
  },
  "authority-missing": {
    section: "Canonicalization",
    expected:
      'has a scheme without "//" and so no host; expected "scheme://host/path" or "host/path"',
  },
  "host-missing": {
    section: "To canonicalize the hostname",
    expected: 'has no host; expected "scheme://host/path" or "host/path"',
  },
  "character-excluded": {
    section: "RFC 2396 §2.4.3",
    expected:
      'holds a control, space, "<", ">" or quotation mark; expected it to be escaped, or cut off',
  },
  "scheme-invalid": {
    section: "RFC 2396 §3.1",
    expected: "has a colon before its first slash; expected a scheme before the colon",
  },
  "base-missing": {
    section: "RFC 2396 §5",
    expected: "is a relative URI; expected an absolute one, or a base",
  },
  "base-relative": {
    section: "RFC 2396 §5.1",
    expected: "is a relative URI; expected an absolute one as base",
  },
  "base-opaque": {
    section: "RFC 2396 §5",
    expected: "is an opaque URI; expected a hierarchical one as base",
  },
  "not-hierarchical": {
    section: "draft-feather-hashed-uri-03, Appendix A",
    expected: 'is an opaque URI; expected a "/" behind its scheme',
  },
};

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
  /** The section of the text that asks for what is missing. */
  readonly section: string;

  constructor(input: string | Uint8Array, code: CanonErrorCode, index: number | null) {
    const { section, expected } = EXPLANATIONS[code];
    const where = index === null ? "" : ` at index ${index}`;
    super(`${quote(input)} ${expected}${where} (${section}).`);
    this.code = code;
    this.input = input;
    this.index = index;
    this.section = section;
  }
}

const LONGEST_QUOTE = 60;

/** The input for a message: on one line, printable, not longer than is useful. */
function quote(input: string | Uint8Array): string {
  const start = input.slice(0, LONGEST_QUOTE);
  const text = typeof start === "string" ? start : new TextDecoder().decode(start);
  const printable = text.replace(/[\p{C}\p{Z}]/gu, (c) =>
    c === " " ? c : `\\u{${c.codePointAt(0)!.toString(16)}}`,
  );
  return `"${printable}${input.length > LONGEST_QUOTE ? "…" : ""}"`;
}

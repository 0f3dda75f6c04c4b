import { isAscii } from "./ascii.ts";
import { decodeCharacters, fromCodes, MAX_URL_LENGTH, textOf } from "./byte-string.ts";
import { isPossibleTopLevel } from "./not-a-url.ts";
import { UNICODE_VERSION } from "./steps/uts46-version.generated.ts";

/** The kind of problem with the input. The README explains each code. */
export type CanonErrorCode = CommonCode | UrlCode | UriCode;

/** Codes of both canonicalizations. */
type CommonCode = "too-long" | "lone-surrogate";

/** Codes of the canonicalization of Safe Browsing and Web Risk. */
type UrlCode =
  | "authority-missing"
  | "host-missing"
  | "host-undecided"
  | "host-invalid"
  | "url-unclear";

/** Codes of `@x/canon/hierarchical`. */
type UriCode =
  | "character-excluded"
  | "scheme-invalid"
  | "base-missing"
  | "base-relative"
  | "base-opaque"
  | "not-hierarchical";

const PROBLEMS: Readonly<
  Record<
    CanonErrorCode,
    { readonly expected: string; readonly section: string; readonly sentence?: string }
  >
> = {
  "too-long": {
    expected: `at most ${MAX_URL_LENGTH} UTF-16 code units or bytes`,
    section: "@x/canon, MAX_URL_LENGTH",
  },
  "lone-surrogate": {
    expected: "Unicode text, without half of a surrogate pair",
    section: "RFC 3629 §3",
  },

  "authority-missing": {
    expected: '"//" and a host after the scheme, or no scheme',
    section: "Web Risk, Hashing URLs, Canonicalization",
  },
  "host-missing": {
    expected: 'a host, as in "scheme://host/path" or "host/path"',
    section: "Web Risk, Hashing URLs, To canonicalize the hostname",
  },

  "host-undecided": {
    expected: `a host in UTF-8, without characters that are undefined or only recently defined in Unicode ${UNICODE_VERSION}, and without labels that are too long for a name`,
    section: "UTS #46 §5",
    sentence: `its host has bytes that are not UTF-8, characters that are not in Unicode ${UNICODE_VERSION} or are too new to compare, or labels that are too long to convert. Browsers may open the URL, so do not treat it as safe: there is no verdict and no hash`,
  },

  "host-invalid": {
    expected: 'a host of letters, digits, "-", "_" and dots, or an IP address (IPv6 in brackets)',
    section: "RFC 1123 §2.1",
    sentence: "no site can have this host, so there is no verdict: do not treat it as safe",
  },

  "url-unclear": {
    expected:
      "one URL, not defanged, without other text before it, and without tabs and NUL characters",
    section: "@x/canon, readUrl",
    sentence:
      "this is not clearly one URL: it seems to be several, a defanged one or a hash, or to have other text around it, or a tab or a NUL inside. There is no verdict: do not treat it as safe",
  },

  "character-excluded": {
    expected: 'no control character, space, "<", ">" or quotation mark (escape or remove it)',
    section: "RFC 2396 §2.4.3",
  },
  "scheme-invalid": {
    expected: "a scheme, or no colon before the first slash",
    section: "RFC 2396 §3.1",
  },
  "base-missing": { expected: "an absolute URI, or a base", section: "RFC 2396 §5" },
  "base-relative": { expected: "an absolute URI as the base", section: "RFC 2396 §5.1" },
  "base-opaque": { expected: "a hierarchical URI as the base", section: "RFC 2396 §5" },
  "not-hierarchical": {
    expected: 'a hierarchical URI, with a "/" after its scheme',
    section: "draft-feather-hashed-uri-03, Appendix A",
  },
};

/** Why an input is not a URL with a host, or not a URI. {@link describeProblem} puts the problem into words. */
export interface UrlProblem {
  readonly code: CanonErrorCode;
  /** Where the problem starts in the input (in UTF-16 code units or in bytes), or `null` if that is unknown. */
  readonly index: number | null;
}

/** A problem in words. A {@link CanonError} has the same properties. */
export interface DescribedProblem extends UrlProblem {
  /** The problem in words, with a quotation of the input around it. */
  readonly message: string;
  /** A description of the expected text at `index`. */
  readonly expected: string;
  /** The section of the specification with the rule that the input breaks. */
  readonly section: string;
}

/**
 * Puts into words why an input was refused. The function does not create an error object, which would keep the input
 * and a stack trace.
 *
 * @example
 * ```ts
 * import { describeProblem } from "@x/canon";
 * import { readUrl } from "@x/canon/readings";
 *
 * const { problem } = readUrl("http://");
 * problem && describeProblem("http://", problem).expected; // → 'a host, as in "scheme://host/path" or "host/path"'
 * ```
 */
export function describeProblem(
  input: string | Uint8Array,
  { code, index }: UrlProblem,
): DescribedProblem {
  const { expected, section, sentence = `expected ${expected}` } = PROBLEMS[code];
  const place = index === null ? "" : ` at index ${index}`;
  const meant = code === "host-invalid" ? meantUrl(input) : null;
  const hint = meant === null ? "" : ` Did you mean ${quote(meant, 0)}?`;
  const message = `${quote(input, index ?? 0)}${place}: ${sentence} (${section}).${hint}`;
  return { code, message, expected, index, section };
}

/**
 * The error thrown for input that cannot be read, for example because it is not a URL with a host, or not a
 * URI.
 *
 * Compare `code` rather than the class: two versions of the package may meet in one program.
 */
export class CanonError extends Error implements DescribedProblem {
  override readonly name = "CanonError";
  readonly code: CanonErrorCode;
  /** The whole input. */
  readonly input: string | Uint8Array;
  readonly index: number | null;
  readonly expected: string;
  readonly section: string;

  constructor(input: string | Uint8Array, code: CanonErrorCode, index: number | null) {
    const { message, expected, section } = describeProblem(input, { code, index });
    super(message);
    this.code = code;
    this.input = input;
    this.index = index;
    this.expected = expected;
    this.section = section;
  }
}

const LONGEST_QUOTE = 60;

/** Quotes the input or, if it is long, the part around `index`, in printable characters on one line. */
function quote(input: string | Uint8Array, index: number): string {
  const start = Math.max(0, Math.min(index - LONGEST_QUOTE / 2, input.length - LONGEST_QUOTE));
  const end = start + LONGEST_QUOTE;
  const piece = input.slice(start, end);
  const text = typeof piece === "string" ? piece : quoteBytes(piece);
  // Engines take a long time to compile these Unicode classes, so they are used only where they are needed.
  const printable = /^[ -~]*$/.test(text)
    ? text
    : text.replace(/(?! )[\p{C}\p{Z}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
  return `"${start > 0 ? "…" : ""}${printable}${end < input.length ? "…" : ""}"`;
}

/** Decodes the bytes that are UTF-8, and writes every other byte in the form `\xff`. */
function quoteBytes(bytes: Uint8Array): string {
  return decodeCharacters(fromCodes(bytes), (others) =>
    Array.from(others, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`).join(""),
  );
}

/** There is no suggestion for longer texts, because error messages quote only a part of them. */
const LONGEST_TEXT = 1024;
const LONGEST_AUTHORITY = 255;

const PARTS = /^(\s*[a-z][a-z0-9+.-]*:[/\\]{2})?([^/\\?#]*)(.*)$/isu;
const UNDERLINED = /^\s*(h)(?:tt|xx)(ps?)__(.*)/isu;
/** Matches a scheme without its colon, perhaps after another scheme or "www.". */
const WITHOUT_COLON = /^\s*(?:https?:[/\\]+)?(?:www\.)?(h)(?:tt|xx)(ps?)[/\\]+([\p{L}\p{N}].*)/isu;
const IPV6 = /^[0-9a-f]*:[0-9a-f:]*:(?:[0-9a-f]*|(?:[0-9]{1,3}\.){3}[0-9]{1,3})$/i;
/** Matches a name with at least one dot, and an optional port, between characters that no host contains. */
const named = (letters: string): RegExp =>
  new RegExp(
    `^[^${letters}_-]*((?:[${letters}_-]+\\.)+([${letters}-]*[${letters}]))(:[0-9]+)?(?![${letters}_-])[^.]*$`,
    "u",
  );
const NAME = /* @__PURE__ */ named("\\p{L}\\p{M}\\p{N}");
/** Like `NAME`, for ASCII hosts, because engines take a long time to compile Unicode classes. */
const ASCII_NAME = /* @__PURE__ */ named("A-Za-z0-9");

/**
 * The URL that a text was probably meant to be, or `null` if there is no suggestion. There is one if the host has a
 * quotation mark, a bracket or an entity at an end, if it contains spaces, if it is an IPv6 address without brackets,
 * or if it follows a scheme without a colon.
 */
function meantUrl(input: string | Uint8Array): string | null {
  if (input.length > LONGEST_TEXT) return null;
  const text = textOf(input);
  const withoutColon = UNDERLINED.exec(text) ?? WITHOUT_COLON.exec(text);
  if (withoutColon !== null) {
    const [, h, ps, url] = withoutColon;
    return `${h}tt${ps}://${url}`;
  }
  const [, scheme = "", authority, rest] = PARTS.exec(text)!;
  if (authority!.length > LONGEST_AUTHORITY) return null;
  const host = meantHost(authority!.slice(authority!.lastIndexOf("@") + 1));
  return host === null ? null : scheme.trimStart() + host + rest!.trimEnd();
}

function meantHost(written: string): string | null {
  const host = written.replace(/\s+/g, "");
  if (IPV6.test(host)) return `[${host}]`;
  const [, name, last, port = ""] = (isAscii(host) ? ASCII_NAME : NAME).exec(host) ?? [];
  if (name === undefined || !isPossibleTopLevel(last!.toLowerCase())) return null;
  return name + port === written ? null : name + port;
}

/** What was wrong with the text; see {@link CanonError.code}. */
export type CanonErrorCode =
  /** The text holds half of a surrogate pair, which has no UTF-8 form. */
  | "lone-surrogate"
  /** A scheme such as `mailto:` that is not followed by `//` and an authority. */
  | "authority-missing"
  /** Nothing is left of the host: `http:///x`, `http://:80/`, `.`. */
  | "host-missing";

/** A cause as the steps report it, before anybody throws. */
export interface CanonFailure {
  readonly code: CanonErrorCode;
  /** What stands before the trouble in the text that the step looked at. */
  readonly before: string;
}

const EXPLANATIONS: Record<CanonErrorCode, { section: string; expected: string }> = {
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
};

/**
 * The one error for text or octets that are not a URL with a host.
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

/** The problems that can occur, by section, each with a description of the expected input. */
const EXPECTED = {
  "RFC 9292 §3": {
    truncated: "the rest of the message",
    "framing-unknown": "the framing indicator of a request (0 or 2) or of a response (1 or 3)",
    "number-unsafe": "a length below 2^53",
    "padding-wrong": "only zeros after the end of the message",
  },
  "RFC 9292 §3.4": {
    "method-wrong": "a method of token characters",
    "scheme-wrong": "a scheme",
    "authority-wrong": "an authority without a user name, spaces or controls",
    "path-wrong": 'a path that begins with "/", or "*" for OPTIONS',
  },
  "RFC 9292 §3.5": {
    "status-wrong": "a status from 200 to 599, after any number from 100 to 199",
  },
  "RFC 9292 §3.6": {
    "field-name-wrong": "a field name of lower-case token characters",
    "field-value-wrong": "a field value without NUL, CR or LF, and without spaces at its ends",
  },
  "RFC 9458 §3": {
    "key-config-malformed": "a key configuration, or a sequence of them",
    "key-config-unsupported":
      "a key for DHKEM(X25519, HKDF-SHA256), with an algorithm that is supported",
  },
  "RFC 9458 §4": {
    "request-malformed": "an encapsulated request",
    "response-malformed": "an encapsulated response",
    "key-unknown": "a request for a key of this gateway",
    "algorithms-unknown": "algorithms of the key configuration",
    "not-decrypted": "a message that was encrypted for this key and was not changed",
  },
  "@x/ohttp, Limits": {
    "too-long": "a message within the limits",
    "too-many-fields": "fewer fields",
  },
} as const;

type Expected = typeof EXPECTED;

/** The kind of problem with a message. */
export type OhttpErrorCode = { [S in keyof Expected]: keyof Expected[S] }[keyof Expected];

const RULES = new Map<string, { readonly section: string; readonly expected: string }>(
  Object.entries(EXPECTED).flatMap(([section, codes]) =>
    Object.entries(codes).map(([code, expected]) => [code, { section, expected }] as const),
  ),
);

/**
 * The error for a message that breaks the rules. Compare `code`, not the class.
 *
 * @see RFC 9458, RFC 9292
 */
export class OhttpError extends Error {
  override readonly name = "OhttpError";
  readonly code: OhttpErrorCode;
  /** A description of the expected input. */
  readonly expected: string;
  /** The section with the rule, such as `"RFC 9292 §3.4"`. */
  readonly section: string;

  constructor(code: OhttpErrorCode, options?: ErrorOptions) {
    const { section, expected } = RULES.get(code)!;
    super(`${code}: expected ${expected} (${section})`, options);
    this.code = code;
    this.expected = expected;
    this.section = section;
  }
}

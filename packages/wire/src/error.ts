/** The error codes by section of a specification or of the README, each with a description of valid input. */
const EXPECTED = {
  "Protocol Buffers, Encoding": {
    truncated: "the rest of the message",
    "message-malformed": "a protobuf message",
    "text-malformed": "UTF-8",
    "fields-conflict": "at most one of the mutually exclusive fields",
  },
  "Protocol Buffers, ProtoJSON Format": {
    "json-malformed": "a JSON object",
    "value-invalid": "a value of the field's type",
    "base64-malformed": "base64, standard or URL-safe",
    "duration-invalid": "seconds from 0 to 315576000000",
    "timestamp-invalid": "a time in the years 1 to 9999",
  },
  "@x/wire, Forms of a request": {
    "path-unknown": "the path of a method",
    "http-method-wrong": "the HTTP method of this path",
    "content-type-unknown": "application/json or application/x-protobuf",
    "alt-unknown": '"json" or "proto"',
    "parameter-unknown": "only parameters of the method, with escaped values",
    "parameter-repeated": "each single-valued parameter only once",
  },
  "Safe Browsing v5, hashes.search": {
    "too-many-prefixes": "at most 1000 hash prefixes",
  },
  "Safe Browsing v5, urls.search": {
    "urls-missing": "at least one URL",
    "too-many-urls": "at most 50 URLs",
  },
  "Safe Browsing v5, hashLists.batchGet": {
    "names-missing": "the name of a list",
    "name-repeated": "each list only once",
  },
  "Safe Browsing v4, Update API": {
    "compression-wrong": "a compression type that fits the fields that are set",
  },
  // The rules in this section apply to several protocols.
  "@x/wire, Errors": {
    "hash-length-wrong": "a hash prefix or full hash of an allowed length",
    "prefixes-missing": "at least one hash prefix",
    "constraint-invalid": "0 or a large enough number of entries",
    "lists-mismatched": "each requested list, in the same order",
    "rice-parameter-wrong": "a Rice parameter in the range of its width",
    "rice-count-wrong": "no more values than the coded bytes can hold",
    "rice-data-damaged": "coded values that fill the bytes and fit their width",
    "response-type-missing": "a full or a partial update",
    "full-update-removes": "no removals in a full update",
    "removals-wrong": "ascending indices inside the old list",
    "additions-unordered": "hash prefixes in ascending order, each only once",
    "additions-overlap": "no hash prefix that begins with another one",
    "prefix-length-wrong": "hash prefixes of the length that the list or the protocol requires",
    "checksum-missing": "a checksum of 32 bytes if anything changes",
    "update-invalid": "removals inside the list, and additions that are not in it",
    "checksum-wrong": "a list with the checksum in the update",
    "base-missing": "a list to apply the partial update to",
  },
  "@x/wire, Limits": {
    "message-too-large": "a message no longer than the limit",
    "too-many-values": "a message with fewer fields and elements",
    "too-many-elements": "at most 100000 repeated elements",
    "too-many-entries": "no more entries than the limit",
  },
} as const;

type Codes<Section> = Section extends unknown ? keyof Section : never;

/** The code of a problem with a message. The README explains each code. */
export type WireErrorCode = Codes<(typeof EXPECTED)[keyof typeof EXPECTED]>;

const PROBLEMS: ReadonlyMap<string, readonly [section: string, expected: string]> = new Map(
  Object.entries(EXPECTED).flatMap(([section, problems]) =>
    Object.entries(problems).map(([code, expected]) => [code, [section, expected]]),
  ),
);

/**
 * The error thrown for messages that break the rules.
 *
 * Compare `code`, not the class. The error does not contain the message that was read, which may be megabytes long.
 *
 * @example
 * ```ts
 * import { decodeMessage } from "@x/wire";
 * import { searchHashes } from "@x/wire/v5";
 *
 * decodeMessage(searchHashes.request, Uint8Array.of(0x0a, 4, 1, 2)); // throws truncated
 * ```
 */
export class WireError extends Error {
  override readonly name = "WireError";
  /** The problem: `"truncated"`, `"checksum-missing"`, … */
  readonly code: WireErrorCode;
  /** The field with the problem, as a path such as `hashLists.name`; `""` for the message as a whole. */
  readonly field: string;
  /** A description of a valid value. */
  readonly expected: string;
  /** The section with the broken rule, in the specification or, if several protocols share the rule, in the README. */
  readonly section: string;

  constructor(code: WireErrorCode, field: string = "") {
    const [section, expected] = PROBLEMS.get(code)!;
    const isOfRequest = section.endsWith("Forms of a request") && code !== "content-type-unknown";
    const whole = isOfRequest ? "The request" : "The message";
    super(`${field === "" ? whole : field}: expected ${expected} (${section}).`);
    this.code = code;
    this.field = field;
    this.expected = expected;
    this.section = section;
  }
}

/** The problem with a message, as a code that programs can compare; see {@link WireError}. */
export type WireErrorCode =
  /** The bytes end before the message does. */
  | "truncated"
  /** The bytes are not a protobuf message. */
  | "message-malformed"
  /** The message is longer than the caller allows. */
  | "message-too-large"
  /** The message has more repeated elements than any real message. */
  | "too-many-elements"
  /** The message has more fields and elements than the caller allows. */
  | "too-many-values"
  /** The text is not JSON, or not a JSON object. */
  | "json-malformed"
  /** A field has a value that its type cannot hold. */
  | "value-invalid"
  /** A field of bytes is not base64. */
  | "base64-malformed"
  /** A field of text is not UTF-8. */
  | "text-malformed"
  /** A duration is negative, out of range or malformed. */
  | "duration-invalid"
  /** A time is out of range or malformed. */
  | "timestamp-invalid"
  /** Two fields that exclude each other are both set. */
  | "fields-conflict"
  /** None of the given methods has this path. */
  | "path-unknown"
  /** A method has this path, but with another HTTP method. */
  | "http-method-wrong"
  /** A body or `$req` is in an unsupported format. */
  | "content-type-unknown"
  /** `alt` asks for an unsupported format. */
  | "alt-unknown"
  /** The method does not have such a parameter. */
  | "parameter-unknown"
  /** A parameter for one value is given twice. */
  | "parameter-repeated"
  /** A full hash or hash prefix has a length that is not allowed there. */
  | "hash-length-wrong"
  /** The request names no hash prefix. */
  | "prefixes-missing"
  /** The request names more than 1000 hash prefixes. */
  | "too-many-prefixes"
  /** The request names no list. */
  | "names-missing"
  /** The request names a list twice. */
  | "name-repeated"
  /** A size constraint is negative, or below 1024 in v5. */
  | "constraint-invalid"
  /** The answer does not have one list for each list asked for, in that order. */
  | "lists-mismatched"
  /** A Rice parameter is out of the range of its width. */
  | "rice-parameter-wrong"
  /** A count of coded values is negative or more than the coded bytes can hold. */
  | "rice-count-wrong"
  /** The coded bytes end too early or too late, or hold a value that is too large. */
  | "rice-data-damaged"
  /** A set names no compression, an unknown one, or one that does not fit its contents. */
  | "compression-wrong"
  /** An update says neither that it is full nor that it is partial. */
  | "response-type-missing"
  /** A full update that removes entries. */
  | "full-update-removes"
  /** Removal indices are out of order or out of range. */
  | "removals-wrong"
  /** Hash prefixes are out of order, or occur twice. */
  | "additions-unordered"
  /** A hash prefix begins with another one of the same list. */
  | "additions-overlap"
  /** The hash prefixes do not have the length that the list's name or the protocol asks for. */
  | "prefix-length-wrong"
  /** Entries are added or removed, but there is no checksum of 32 bytes. */
  | "checksum-missing"
  /** A partial update removes entries that the list does not have, or adds entries that it already has. */
  | "update-invalid"
  /** The updated list does not have the checksum in the update. */
  | "checksum-wrong"
  /** A partial update without a list to apply it to. */
  | "base-missing"
  /** The updated list has more entries than the caller allows. */
  | "too-many-entries";

const PROTOBUF = "Protocol Buffers, Encoding";
const PROTO_JSON = "Protocol Buffers, ProtoJSON Format";
const HTTP_FORMS = "@x/wire, Forms of a request";
const SEARCH = "Safe Browsing v5, hashes.search";
const BATCH = "Safe Browsing v5, hashLists.batchGet";
const RICE = "Safe Browsing v5, Rice-delta encoding";
const UPDATE = "Safe Browsing v4, Update API";
const LIMITS = "@x/wire, Limits";

/** For each problem, what was expected and the section that requires it. */
const PROBLEMS: Readonly<Record<WireErrorCode, readonly [expected: string, section: string]>> = {
  truncated: ["the rest of the message", PROTOBUF],
  "message-malformed": ["a protobuf message", PROTOBUF],
  "message-too-large": ["a message no longer than the limit", LIMITS],
  "too-many-values": ["a message with fewer fields and elements", LIMITS],
  "too-many-elements": ["at most 100000 repeated elements", LIMITS],
  "json-malformed": ["a JSON object", PROTO_JSON],
  "value-invalid": ["a value of the field's type", PROTO_JSON],
  "base64-malformed": ["base64, standard or URL-safe", PROTO_JSON],
  "text-malformed": ["UTF-8", PROTOBUF],
  "duration-invalid": ["seconds from 0 to 315576000000", PROTO_JSON],
  "timestamp-invalid": ["a time in the years 1 to 9999", PROTO_JSON],
  "fields-conflict": ["at most one of the fields that exclude each other", PROTOBUF],
  "path-unknown": ["the path of a method", HTTP_FORMS],
  "http-method-wrong": ["the HTTP method of this path", HTTP_FORMS],
  "content-type-unknown": ["application/json or application/x-protobuf", HTTP_FORMS],
  "alt-unknown": ['"json" or "proto"', HTTP_FORMS],
  "parameter-unknown": ["only parameters of the method, with their values escaped", HTTP_FORMS],
  "parameter-repeated": ["each parameter for one value only once", HTTP_FORMS],
  "hash-length-wrong": ["a hash prefix or full hash of an allowed length", SEARCH],
  "prefixes-missing": ["at least one hash prefix", SEARCH],
  "too-many-prefixes": ["at most 1000 hash prefixes", SEARCH],
  "names-missing": ["the name of a list", BATCH],
  "name-repeated": ["each list only once", BATCH],
  "constraint-invalid": ["0, or a number of entries that is large enough", BATCH],
  "lists-mismatched": ["one list for each list asked for, in that order", BATCH],
  "rice-parameter-wrong": ["a Rice parameter in the range of its width", RICE],
  "rice-count-wrong": ["no more values than the coded bytes can hold", RICE],
  "rice-data-damaged": ["coded values that fill the bytes and fit their width", RICE],
  "compression-wrong": ["a compression type that fits the fields that are set", UPDATE],
  "response-type-missing": ["a full or a partial update", UPDATE],
  "full-update-removes": ["no removals in a full update", UPDATE],
  "removals-wrong": ["ascending indices inside the old list", UPDATE],
  "additions-unordered": ["hash prefixes in ascending order, each only once", UPDATE],
  "additions-overlap": ["no hash prefix that begins with another one", UPDATE],
  "prefix-length-wrong": [
    "hash prefixes of the length that the list or the protocol requires",
    UPDATE,
  ],
  "checksum-missing": ["a checksum of 32 bytes with additions or removals", UPDATE],
  "update-invalid": ["removals inside the list, and additions that are not in it", UPDATE],
  "checksum-wrong": ["a list with the checksum in the update", UPDATE],
  "base-missing": ["a list to apply the partial update to", UPDATE],
  "too-many-entries": ["no more entries than the limit", LIMITS],
};

/**
 * The error thrown for messages that break the rules.
 *
 * Compare `code`, not the class. The message itself is not kept, since it may be megabytes.
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
  /** What was expected there, in words. */
  readonly expected: string;
  /** The section that requires it. */
  readonly section: string;

  constructor(code: WireErrorCode, field: string = "") {
    const [expected, section] = PROBLEMS[code];
    super(`${field === "" ? "The message" : field}: expected ${expected} (${section}).`);
    this.code = code;
    this.field = field;
    this.expected = expected;
    this.section = section;
  }
}

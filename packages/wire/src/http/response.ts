import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";
import type { MessageInput } from "../message/complete.ts";
import { decodeMessage } from "../message/decode-message.ts";
import type { MessageLimits } from "../message/draft.ts";
import { encodeJsonParts } from "../message/encode-json.ts";
import { encodeMessageParts } from "../message/encode-message.ts";
import {
  type AnswerForm,
  type AnyMethod,
  type Format,
  formatOf,
  type HttpBody,
  type HttpBodyParts,
  JSON_IN_UTF8,
  PROTOBUF_TYPE,
  type ResponseOf,
  readBody,
  writeBody,
} from "./method.ts";

/**
 * Writes the body of the answer to a request, in the requested format, and returns it with its content type.
 *
 * @throws {WireError} when the message breaks a rule of the protocol.
 * @throws {TypeError} when a field has a value of the wrong type.
 * @throws {RangeError} when a number does not fit its field.
 * @example
 * ```ts
 * import { writeResponse } from "@x/wire";
 * import { searchHashes } from "@x/wire/v5";
 *
 * const answer = { format: "json", enums: "names" } as const;
 * const { body } = writeResponse(searchHashes, { cacheDuration: 300_000 }, answer);
 * new TextDecoder().decode(body); // → '{"cacheDuration":"300s"}'
 * ```
 */
export function writeResponse<M extends AnyMethod>(
  method: M,
  message: MessageInput<ResponseOf<M>>,
  answer: AnswerForm,
): HttpBody {
  return writeBody(method.response, message, answer);
}

/**
 * Writes the same body as {@link writeResponse} in parts, to be sent one after the other. Values of at least
 * `largeBytes` bytes, such as the hash prefixes of a list, are not copied, so answers with the same value share memory.
 *
 * In JSON, such a value is `{ base64 }`: its bytes, which the sender writes as standard base64 with padding. The bytes
 * can be encoded in chunks if the length of each chunk but the last is a multiple of three.
 *
 * @throws {WireError} when the message breaks a rule of the protocol.
 * @throws {TypeError} when a field has a value of the wrong type.
 * @throws {RangeError} when a number does not fit its field.
 * @example
 * ```ts
 * import { writeResponseParts } from "@x/wire";
 * import { getHashList } from "@x/wire/v5";
 *
 * const version = new Uint8Array(1000);
 * const answer = { format: "protobuf", enums: "names" } as const;
 * const { parts } = writeResponseParts(getHashList, { version }, answer, 1000);
 * parts.at(-1) === version; // → true
 * ```
 */
export function writeResponseParts<M extends AnyMethod>(
  method: M,
  message: MessageInput<ResponseOf<M>>,
  answer: AnswerForm,
  largeBytes: number,
): HttpBodyParts {
  const { response } = method;
  const { format, enums } = answer;
  if (format === "protobuf") {
    return {
      contentType: PROTOBUF_TYPE,
      parts: encodeMessageParts(response, message, largeBytes),
    };
  }
  const encoder = new TextEncoder();
  const parts = encodeJsonParts(response, message, { enums, largeBytes });
  return {
    contentType: JSON_IN_UTF8,
    parts: parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part)),
  };
}

/**
 * Reads the body of an answer.
 *
 * Check the HTTP status first: every status except 200 is an error, even 302.
 *
 * @param contentType the header `Content-Type`, which says whether the body is JSON.
 * @throws {WireError} when the content type is wrong, or the body is not a response of the method or breaks a rule.
 * @throws {TypeError} when `body` is not a `Uint8Array`, or `contentType` is not a string.
 * @example
 * ```ts
 * import { readResponse } from "@x/wire";
 * import { searchUris } from "@x/wire/web-risk";
 *
 * readResponse(searchUris, new TextEncoder().encode("{}"), "application/json"); // → { threat: null }
 * ```
 */
export function readResponse<M extends AnyMethod>(
  method: M,
  body: Uint8Array,
  contentType: string,
  limits: MessageLimits = {},
): ResponseOf<M> {
  return readBody(method.response, formatOfBody(body, contentType), body, limits);
}

/**
 * Does the same as {@link readResponse}, but refuses answers in JSON. A client that uses only this function is smaller,
 * because the code that reads JSON is left out.
 *
 * @throws {WireError} when the content type is wrong, or the body is not a response of the method or breaks a rule.
 * @throws {TypeError} when `body` is not a `Uint8Array`, or `contentType` is not a string.
 * @example
 * ```ts
 * import { readProtobufResponse } from "@x/wire";
 * import { searchHashes } from "@x/wire/v5";
 *
 * const body = new Uint8Array(0);
 * readProtobufResponse(searchHashes, body, "application/x-protobuf").fullHashes; // → []
 * ```
 */
export function readProtobufResponse<M extends AnyMethod>(
  method: M,
  body: Uint8Array,
  contentType: string,
  limits: MessageLimits = {},
): ResponseOf<M> {
  if (formatOfBody(body, contentType) !== "protobuf") throw new WireError("content-type-unknown");
  return decodeMessage(method.response, body, limits);
}

function formatOfBody(body: Uint8Array, contentType: string): Format {
  if (!isUint8Array(body)) throw typeError("body", "a Uint8Array", body);
  if (typeof contentType !== "string") throw typeError("contentType", "a string", contentType);
  const format = formatOf(contentType);
  if (format === null) throw new WireError("content-type-unknown");
  return format;
}

import { WireError } from "../error.ts";
import type { MessageInput } from "../message/complete.ts";
import { decodeJson } from "../message/decode-json.ts";
import { decodeMessage } from "../message/decode-message.ts";
import { checkLength, type MessageLimits } from "../message/draft.ts";
import { type Base64Part, encodeJson } from "../message/encode-json.ts";
import { encodeMessage } from "../message/encode-message.ts";
import type { MessageType } from "../message/message-type.ts";

export type Format = "protobuf" | "json";

/** One method of an API: its path, and the types of its request and response. */
export interface Method<Name extends string, Request, Response> {
  /** The name of the API and of the method in its reference, such as `"v5.hashes.search"`. */
  readonly name: Name;
  readonly httpMethod: "GET" | "POST";
  /** The path. If there is a `pathField`, this is only the part before the value of that field. */
  readonly path: string;
  /** The field of the request whose value is in the path. */
  readonly pathField?: keyof Request & string;
  /** Whether unknown parameters are an error, because they may be the end of a URL that was not escaped. */
  readonly refusesUnknown?: boolean;
  /** The format of the answer when the request does not ask for one. */
  readonly answer: Format;
  readonly request: MessageType<Request>;
  readonly response: MessageType<Response>;
}

// biome-ignore lint/suspicious/noExplicitAny: a method with any messages
export type AnyMethod = Method<string, any, any>;

/** The type of a method's request. */
export type RequestOf<M> = M extends Method<string, infer Request, infer _> ? Request : never;

/** The type of a method's response. */
export type ResponseOf<M> = M extends Method<string, infer _, infer Response> ? Response : never;

/** The content type of a protobuf message. */
export const PROTOBUF_TYPE = "application/x-protobuf";
const JSON_TYPE = "application/json";
export const JSON_IN_UTF8: string = `${JSON_TYPE}; charset=utf-8`;

/** The format in which an answer is written. */
export interface AnswerForm {
  readonly format: Format;
  /** In JSON, whether enumeration values are names or numbers. */
  readonly enums: "names" | "numbers";
}

/** The body of an HTTP message, and its content type. */
export interface HttpBody {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** A part of a body: bytes to be sent as they are, or bytes to be sent as standard base64 with padding. */
export type BodyPart = Uint8Array | Base64Part;

/** The body of an HTTP message as parts to be sent in order, and its content type. */
export interface HttpBodyParts {
  readonly contentType: string;
  readonly parts: readonly BodyPart[];
}

/** The format for a content type; `null` if the content type is empty. Throws if the content type is not supported. */
export function formatOf(contentType: string): Format | null {
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  switch (type) {
    case "":
      return null;
    case PROTOBUF_TYPE:
    case "application/protobuf":
    case "application/octet-stream":
      return "protobuf";
    case JSON_TYPE:
    case "text/json":
    case "text/plain":
      return "json";
    default:
      throw new WireError("content-type-unknown");
  }
}

/** Throws `text-malformed` if the body is not UTF-8. */
function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new WireError("text-malformed");
  }
}

export function readBody<Message>(
  type: MessageType<Message>,
  format: Format,
  body: Uint8Array,
  limits: MessageLimits,
): Message {
  checkLength(body.length, limits);
  return format === "protobuf"
    ? decodeMessage(type, body, limits)
    : decodeJson(type, textOf(body), limits);
}

export function writeBody<Message>(
  type: MessageType<Message>,
  message: MessageInput<NoInfer<Message>>,
  { format, enums }: AnswerForm,
): HttpBody {
  return format === "protobuf"
    ? { contentType: PROTOBUF_TYPE, body: encodeMessage(type, message) }
    : {
        contentType: JSON_IN_UTF8,
        body: new TextEncoder().encode(encodeJson(type, message, { enums })),
      };
}

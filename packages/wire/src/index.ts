export { WireError } from "./error.ts";
export type { AnyMethod, BodyPart, RequestOf, ResponseOf } from "./http/method.ts";
export { type HttpRequest, readRequest, type WireRequest } from "./http/read-request.ts";
export {
  readProtobufResponse,
  readResponse,
  writeResponse,
  writeResponseParts,
} from "./http/response.ts";
export { type OutgoingRequest, writeRequest } from "./http/write-request.ts";
export { applyUpdate, fullUpdate, type ListUpdate, partialUpdate } from "./list-update.ts";
export type { MessageInput } from "./message/complete.ts";
export { decodeJson } from "./message/decode-json.ts";
export { decodeMessage } from "./message/decode-message.ts";
export { hasMoreJsonValues } from "./message/draft.ts";
export { encodeJson } from "./message/encode-json.ts";
export { encodeMessage } from "./message/encode-message.ts";
export type { Field, MessageType } from "./message/message-type.ts";
export { findThreatList, THREAT_LISTS, type ThreatList } from "./threat-lists.ts";

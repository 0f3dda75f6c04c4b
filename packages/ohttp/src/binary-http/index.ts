export type {
  BinaryRequest,
  BinaryResponse,
  EncodeOptions,
  Field,
  InformationalResponse,
  MessageLimits,
} from "./message.ts";
export { decodeRequest, encodeRequest } from "./request.ts";
export { decodeResponse, encodeResponse } from "./response.ts";

export { decodeRequest, decodeResponse, encodeRequest, encodeResponse } from "./binary-http.ts";
export type {
  BinaryRequest,
  BinaryResponse,
  EncodeOptions,
  Field,
  InformationalResponse,
  MessageLimits,
} from "./message.ts";

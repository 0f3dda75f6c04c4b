export type { MessageLimits } from "./limits.ts";
export type {
  BinaryRequest,
  BinaryResponse,
  EncodeOptions,
  Field,
  InformationalResponse,
} from "./message.ts";
export { decodeRequest, encodeRequest } from "./request.ts";
export { decodeResponse, encodeResponse } from "./response.ts";

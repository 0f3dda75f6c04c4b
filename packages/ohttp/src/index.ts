export { type EncapsulatedRequest, encapsulateRequest } from "./client.ts";
export { OhttpError, type OhttpErrorCode } from "./error.ts";
export {
  createGateway,
  type Gateway,
  type GatewayKey,
  generateGatewayKey,
  type OpenedRequest,
} from "./gateway.ts";
export {
  decodeKeyConfigs,
  encodeKeyConfig,
  encodeKeyConfigs,
  type KeyConfig,
} from "./key-config.ts";
export { ALGORITHMS, type SymmetricAlgorithms } from "./suite.ts";

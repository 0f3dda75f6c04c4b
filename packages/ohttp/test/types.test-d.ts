import {
  ALGORITHMS,
  createGateway,
  decodeKeyConfigs,
  type EncapsulatedRequest,
  encapsulateRequest,
  type Gateway,
  type GatewayKey,
  generateGatewayKey,
  type KeyConfig,
  type OhttpError,
  type OhttpErrorCode,
  type OpenedRequest,
  type SymmetricAlgorithms,
} from "@x/ohttp";
import {
  type BinaryRequest,
  type BinaryResponse,
  decodeRequest,
  decodeResponse,
  type EncodeOptions,
  encodeRequest,
  encodeResponse,
  type Field,
  type InformationalResponse,
  type MessageLimits,
} from "@x/ohttp/binary-http";
import { expectTypeOf } from "vitest";

type Bytes = Uint8Array<ArrayBuffer>;

expectTypeOf(createGateway).toEqualTypeOf<(keys: readonly GatewayKey[]) => Promise<Gateway>>();
expectTypeOf(generateGatewayKey).toEqualTypeOf<(keyId: number) => Promise<GatewayKey>>();
expectTypeOf(encapsulateRequest).toEqualTypeOf<
  (config: KeyConfig, request: Uint8Array) => Promise<EncapsulatedRequest>
>();
expectTypeOf(decodeKeyConfigs).toEqualTypeOf<(bytes: Uint8Array) => KeyConfig[]>();
expectTypeOf(ALGORITHMS).toEqualTypeOf<readonly SymmetricAlgorithms[]>();
expectTypeOf<KeyConfig["algorithms"]>().toEqualTypeOf<readonly SymmetricAlgorithms[]>();
expectTypeOf<Gateway["openRequest"]>().toEqualTypeOf<
  (message: Uint8Array) => Promise<OpenedRequest>
>();
expectTypeOf<OhttpError["code"]>().toEqualTypeOf<OhttpErrorCode>();

expectTypeOf(encodeRequest).toEqualTypeOf<
  (request: BinaryRequest, options?: EncodeOptions) => Bytes
>();
expectTypeOf(encodeResponse).toEqualTypeOf<
  (response: BinaryResponse, options?: EncodeOptions) => Bytes
>();
expectTypeOf(decodeRequest).toEqualTypeOf<
  (message: Uint8Array, limits?: MessageLimits) => Required<BinaryRequest>
>();
expectTypeOf(decodeResponse).toEqualTypeOf<
  (message: Uint8Array, limits?: MessageLimits) => Required<BinaryResponse>
>();
expectTypeOf<BinaryResponse["informational"]>().toEqualTypeOf<
  readonly InformationalResponse[] | undefined
>();
expectTypeOf<InformationalResponse["headers"]>().toEqualTypeOf<readonly Field[]>();

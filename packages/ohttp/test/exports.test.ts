import * as ohttp from "@x/ohttp";
import * as binaryHttp from "@x/ohttp/binary-http";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(ohttp).sort()).toEqual([
    "ALGORITHMS",
    "OhttpError",
    "createGateway",
    "decodeKeyConfigs",
    "encapsulateRequest",
    "encodeKeyConfig",
    "encodeKeyConfigs",
    "generateGatewayKey",
  ]);
  expect(Object.keys(binaryHttp).sort()).toEqual([
    "decodeRequest",
    "decodeResponse",
    "encodeRequest",
    "encodeResponse",
  ]);
});

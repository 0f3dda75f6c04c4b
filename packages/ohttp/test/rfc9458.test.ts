import { readFileSync } from "node:fs";
import {
  createGateway,
  decodeKeyConfigs,
  encapsulateRequest,
  encodeKeyConfig,
  type KeyConfig,
} from "@x/ohttp";
import { decodeRequest, decodeResponse, encodeRequest, encodeResponse } from "@x/ohttp/binary-http";
import { expect, test, vi } from "vitest";

const vector: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("vectors/rfc9458.json", import.meta.url), "utf8"),
);

function bytes(name: string): Uint8Array {
  return Uint8Array.from(Buffer.from(vector[name]!, "hex"));
}

function hex(data: Uint8Array): string {
  return Buffer.from(data).toString("hex");
}

const ofVector = bytes("keyConfig");
const [config] = decodeKeyConfigs(Uint8Array.of(0, ofVector.length, ...ofVector)) as [KeyConfig];

test("the key configuration", () => {
  expect(config.keyId).toBe(1);
  expect(config.algorithms).toEqual([
    { kdf: 1, aead: 1 },
    { kdf: 1, aead: 3 },
  ]);
  expect(hex(encodeKeyConfig(config))).toBe(vector["keyConfig"]);
});

test("the binary HTTP messages", () => {
  const request = { method: "GET", scheme: "https", authority: "example.com", path: "/" };
  expect(hex(encodeRequest(request))).toBe(vector["request"]);
  expect(decodeRequest(bytes("request"))).toMatchObject(request);
  expect(hex(encodeResponse({ status: 200 }))).toBe(vector["response"]);
  expect(decodeResponse(bytes("response")).status).toBe(200);
});

/** Makes the platform "generate" the key pair of the example, and the random bytes of its response. */
async function useRandomnessOfExample(): Promise<void> {
  const jwk = {
    kty: "OKP",
    crv: "X25519",
    x: Buffer.from(bytes("ephemeralPublicKey")).toString("base64url"),
  };
  const d = Buffer.from(bytes("ephemeralPrivateKey")).toString("base64url");
  const privateKey = await crypto.subtle.importKey("jwk", { ...jwk, d }, "X25519", true, [
    "deriveBits",
  ]);
  const publicKey = await crypto.subtle.importKey("jwk", jwk, "X25519", true, []);
  vi.spyOn(crypto.subtle, "generateKey").mockResolvedValue({ privateKey, publicKey });
  vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
    (array as unknown as Uint8Array).set(bytes("responseNonce"));
    return array;
  });
}

test("the exchange, byte for byte", async () => {
  await useRandomnessOfExample();
  const gateway = await createGateway([{ config, privateKey: bytes("gatewayPrivateKey") }]);
  const sent = await encapsulateRequest(config, bytes("request"));
  expect(hex(sent.message)).toBe(vector["encapsulatedRequest"]);
  const opened = await gateway.openRequest(sent.message);
  expect(opened.keyId).toBe(1);
  expect(hex(opened.request)).toBe(vector["request"]);
  const answer = await opened.sealResponse(bytes("response"));
  expect(hex(answer)).toBe(vector["encapsulatedResponse"]);
  expect(hex(await sent.openResponse(answer))).toBe(vector["response"]);
  vi.restoreAllMocks();
});

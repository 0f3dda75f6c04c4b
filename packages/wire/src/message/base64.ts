import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { WireError } from "../error.ts";

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** The bytes of base64 in either alphabet, padded or not. */
export function fromBase64(text: string, path: string): Uint8Array {
  const digits = text.endsWith("=") ? text.replace(/={1,2}$/, "") : text;
  const isPadded = digits.length !== text.length;
  if (!BASE64.test(text) || digits.length % 4 === 1 || (isPadded && text.length % 4 !== 0)) {
    throw new WireError("base64-malformed", path);
  }
  return base64Decode(digits);
}

/** Base64 in the standard alphabet, padded. */
export function toBase64(bytes: Uint8Array): string {
  return base64Encode(bytes, "std");
}

/** Base64 in the alphabet for URLs, padded as browsers pad it. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_");
}

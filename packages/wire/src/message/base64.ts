import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { WireError } from "../error.ts";

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Decodes base64 in either alphabet, with or without padding. */
export function fromBase64(text: string, path: string): Uint8Array {
  const digits = text.endsWith("=") ? text.replace(/={1,2}$/, "") : text;
  const isPadded = digits.length !== text.length;
  if (!BASE64.test(text) || digits.length % 4 === 1 || (isPadded && text.length % 4 !== 0)) {
    throw new WireError("base64-malformed", path);
  }
  return base64Decode(digits);
}

/** Encodes in the standard alphabet, with padding. */
export function toBase64(bytes: Uint8Array): string {
  return base64Encode(bytes, "std");
}

/** Encodes in the alphabet for URLs, with padding, as browsers do. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_");
}

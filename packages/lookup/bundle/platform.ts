import { encodeUtf8 } from "../../canon/src/byte-string.ts";

/** Replaces the `TextEncoder` of browsers and Node, which engines of data warehouses lack. */
export class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer> {
    const codes = encodeUtf8(text);
    const bytes = new Uint8Array(codes.length);
    for (let i = 0; i < codes.length; i++) bytes[i] = codes.charCodeAt(i);
    return bytes;
  }
}

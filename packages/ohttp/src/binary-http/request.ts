import { concatBytes, varint } from "../bytes.ts";
import { OhttpError } from "../error.ts";
import { latin1, latin1Bytes } from "./fields.ts";
import type { MessageLimits } from "./limits.ts";
import type { BinaryRequest, EncodeOptions } from "./message.ts";
import { encodeMessage, openMessage, readSections } from "./sections.ts";

const FRAMINGS = { known: 0, indeterminate: 2 } as const;

const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const SCHEME = /^(?:[A-Za-z][A-Za-z0-9+.-]*)?$/;
const AUTHORITY = /^[!-"$-.0->A-~]*$/;
const PATH = /^\/[!-"$-~]*$/;

type Control = Pick<BinaryRequest, "method" | "scheme" | "authority" | "path">;

function checkControl<T extends Control>(request: T): T {
  const { method, scheme, authority, path } = request;
  if (!METHOD.test(method)) throw new OhttpError("method-wrong");
  if (!SCHEME.test(scheme)) throw new OhttpError("scheme-wrong");
  if (!AUTHORITY.test(authority)) throw new OhttpError("authority-wrong");
  const isOther = (method === "OPTIONS" && path === "*") || (method === "CONNECT" && path === "");
  if (!PATH.test(path) && !isOther) throw new OhttpError("path-wrong");
  return request;
}

/**
 * Returns a request as a binary HTTP message of known length.
 *
 * @throws {OhttpError} when the request breaks a rule of RFC 9292.
 * @example
 * ```ts
 * import { decodeRequest, encodeRequest } from "@x/ohttp/binary-http";
 *
 * const get = { method: "GET", scheme: "https", authority: "example.com", path: "/" };
 * const bytes = encodeRequest(get);
 * bytes.length; // → 25
 * decodeRequest(bytes).authority; // → "example.com"
 * ```
 * @see RFC 9292 §3.1, §3.4
 */
export function encodeRequest(
  request: BinaryRequest,
  options: EncodeOptions = {},
): Uint8Array<ArrayBuffer> {
  const { method, scheme, authority, path } = checkControl(request);
  const control = [method, scheme, authority, path].map((text) => {
    const bytes = latin1Bytes(text, "path-wrong");
    return concatBytes([varint(bytes.length), bytes]);
  });
  return encodeMessage([varint(FRAMINGS.known), ...control], request, options);
}

/**
 * Reads a request from a binary HTTP message of known or indeterminate length. Its `content` may share the memory of
 * the message.
 *
 * @throws {OhttpError} when the message breaks a rule of RFC 9292, or exceeds a limit.
 * @see RFC 9292 §3.1, §3.2, §3.4
 */
export function decodeRequest(
  message: Uint8Array,
  limits: MessageLimits = {},
): Required<BinaryRequest> {
  const { reader, sections } = openMessage(message, FRAMINGS, limits);
  const text = () => latin1(reader.lengthAndBytes());
  const control = checkControl({ method: text(), scheme: text(), authority: text(), path: text() });
  const headers = reader.isAtEnd() ? [] : sections.fields();
  return { ...control, ...readSections(reader, sections, headers) };
}

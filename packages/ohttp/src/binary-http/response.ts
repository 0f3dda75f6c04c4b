import { varint } from "../bytes.ts";
import { OhttpError } from "../error.ts";
import { knownFields } from "./fields.ts";
import type { MessageLimits } from "./limits.ts";
import type { BinaryResponse, EncodeOptions, InformationalResponse } from "./message.ts";
import { encodeMessage, openMessage, readSections } from "./sections.ts";

const FRAMINGS = { known: 1, indeterminate: 3 } as const;

function isInformational(status: number): boolean {
  return status >= 100 && status <= 199;
}

function isFinal(status: number): boolean {
  return status >= 200 && status <= 599;
}

/**
 * Returns a response as a binary HTTP message of known length.
 *
 * @throws {OhttpError} when the response breaks a rule of RFC 9292.
 * @example
 * ```ts
 * import { decodeResponse, encodeResponse } from "@x/ohttp/binary-http";
 *
 * const bytes = encodeResponse({ status: 200, headers: [["content-type", "text/plain"]] });
 * decodeResponse(bytes).headers; // → [["content-type", "text/plain"]]
 * ```
 * @see RFC 9292 §3.1, §3.5
 */
export function encodeResponse(
  response: BinaryResponse,
  options: EncodeOptions = {},
): Uint8Array<ArrayBuffer> {
  const { status, informational = [] } = response;
  if (!isFinal(status)) throw new OhttpError("status-wrong");
  const control: Uint8Array[] = [varint(FRAMINGS.known)];
  for (const { status, headers } of informational) {
    if (!isInformational(status)) throw new OhttpError("status-wrong");
    control.push(varint(status), knownFields(headers));
  }
  return encodeMessage([...control, varint(status)], response, options);
}

/**
 * Reads a response from a binary HTTP message of known or indeterminate length. Its `content` may share the memory of
 * the message.
 *
 * @throws {OhttpError} when the message breaks a rule of RFC 9292, or exceeds a limit.
 * @see RFC 9292 §3.1, §3.2, §3.5
 */
export function decodeResponse(
  message: Uint8Array,
  limits: MessageLimits = {},
): Required<BinaryResponse> {
  const { reader, sections, count } = openMessage(message, FRAMINGS, limits);
  const informational: InformationalResponse[] = [];
  let status = reader.number();
  while (isInformational(status)) {
    // An informational response without fields is counted, too: otherwise, there would be no limit.
    count();
    informational.push({ status, headers: sections.fields() });
    status = reader.number();
  }
  if (!isFinal(status)) throw new OhttpError("status-wrong");
  const headers = reader.isAtEnd() ? [] : sections.fields();
  return { status, informational, ...readSections(reader, sections, headers) };
}

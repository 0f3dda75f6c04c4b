import { headerNamed, parseHeaderValue } from "./header-value.ts";
import type { MessagePart } from "./message-parts.ts";
import { type EncodedFile, uuencodedFiles } from "./uuencode.ts";

/** A part prepared for the parser: it has its type, and its body is in an encoding that the parser decodes. */
export interface PartBytes {
  readonly bytes: Uint8Array;
  /** The uuencoded file that the body was decoded from; `null` if there was none. */
  readonly file: EncodedFile | null;
  /**
   * The body of an attachment that needs no decoding; otherwise `null`. The parser gets only its headers, because it
   * would copy the body line by line, once for each message around it.
   */
  readonly content: Uint8Array | null;
}

const NEEDS_NO_DECODING = /^(?:[78]bit|binary|)$/;
const ENDS_IN_BLANK_LINE = /(?:^|\n)\r*\n$/;
const ATTACHED = /^(?:message\/(?:rfc822|global)$|application\/)/;

/** @param raw The message, with one character for each byte. */
export function partBytes(part: MessagePart, bytes: Uint8Array, raw: string): PartBytes {
  const headers = bytes.subarray(part.start, part.bodyStart);
  const body = bytes.subarray(part.bodyStart, part.end);
  const encoding = encodingOf(part);
  const isUuencoded = /^(?:x-)?uu(?:e|encode|encoded)$/.test(encoding);
  const files = isUuencoded ? uuencodedFiles(raw.slice(part.bodyStart, part.end)) : [];
  // With several files, the body is a text that contains them.
  const file = files.length === 1 ? files[0]! : null;
  // RFC 2046 §5.1.5: in a digest, a part without a type is a message.
  const isMessage = part.isInDigest && headerNamed(part.headers, "content-type") === null;
  const type = new TextEncoder().encode(isMessage ? "Content-Type: message/rfc822\n" : "");
  const separator = new TextEncoder().encode(ENDS_IN_BLANK_LINE.test(part.headers) ? "" : "\n");
  if ((isMessage || ATTACHED.test(part.type.value)) && NEEDS_NO_DECODING.test(encoding)) {
    return { bytes: joined([type, headers, separator]), file: null, content: body };
  }
  const encoded = encoding === "quoted-printable" ? withoutTrailingBlanks(body) : body;
  return { bytes: joined([type, headers, separator, file?.bytes ?? encoded]), file, content: null };
}

function encodingOf({ headers }: MessagePart): string {
  const { value } = parseHeaderValue(headerNamed(headers, "content-transfer-encoding") ?? "");
  return /[\w-]+/.exec(value)?.[0] ?? "";
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/**
 * RFC 2045 §6.7, rule 3: mail servers may have added blanks to the ends of lines, also after the `=` of a soft line
 * break.
 */
function withoutTrailingBlanks(body: Uint8Array): Uint8Array {
  const kept = new Uint8Array(body.length);
  let length = 0;
  /** The length up to the last character that is not blank. */
  let trimmed = 0;
  for (const byte of body) {
    if (byte === LINE_FEED) length = trimmed;
    kept[length++] = byte;
    if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) trimmed = length;
  }
  return kept.subarray(0, trimmed);
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let filled = 0;
  for (const piece of pieces) {
    all.set(piece, filled);
    filled += piece.length;
  }
  return all;
}

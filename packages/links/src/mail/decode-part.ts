import {
  decodeBase64,
  decodeCharset,
  decodeQuotedPrintable,
  decodeWords,
  headerNamed,
  isKnownCharset,
  joinFlowedLines,
  parseHeaderValue,
  UTF_16,
} from "./header.ts";
import type { MessagePart } from "./message-parts.ts";

/** Why a part cannot be read as a whole, although its contents are searched. */
export type WhyUnread = "type" | "partial" | "encoding" | "charset";

/** A part of a message, decoded. */
export interface DecodedPart {
  /** Parts of the kinds `"text"` and `"html"` are shown as the message itself. */
  readonly kind: "text" | "html" | "attachment";
  readonly type: string;
  readonly name: string | null;
  /** The contents of an attachment. */
  readonly content: Uint8Array;
  /** The text or HTML, in each way in which programs read its character set. */
  readonly texts: readonly string[];
  /** The base of relative references in the part. */
  readonly base: string | null;
  /** Why the part cannot be read as a whole; `null` if it can. */
  readonly unread: WhyUnread | null;
  /** Whether the part is a message or file whose source is its contents, with headers of its own. */
  readonly isVerbatim: boolean;
}

const PLAIN = new Set(["", "7bit", "8bit", "binary"]);
const OF_FILES = /^(?:message\/(?:rfc822|global)$|application\/)/;

/** Decodes a part; `null` for a multipart without parts. */
export function decodePart(part: MessagePart, bytes: Uint8Array): DecodedPart | null {
  const { headers, isInDigest, base } = part;
  const { parameters } = part.type;
  // RFC 2046 §5.1.5: in a digest, a part without a type is a message. RFC 2045 §5.2: all others are plain text.
  const usual = isInDigest ? "message/rfc822" : "text/plain";
  const type = headerNamed(headers, "content-type") === null ? usual : part.type.value;
  if (type.startsWith("multipart/")) return null;
  const disposition = parseHeaderValue(headerNamed(headers, "content-disposition") ?? "");
  const name = disposition.parameters.get("filename") || parameters.get("name") || null;
  const isShown = disposition.value !== "attachment";
  const body = type === "text/html" ? "html" : type === "text/plain" ? "text" : null;
  const kind = isShown && body !== null ? body : "attachment";
  const encoding = encodingOf(headers);
  const content = decodeTransfer(bytes.subarray(part.bodyStart, part.end), encoding);
  const charset = parameters.get("charset") ?? "";
  const isFlowed = /^flowed$/i.test(parameters.get("format") ?? "");
  const deletesSpace = /^yes$/i.test(parameters.get("delsp") ?? "");
  const texts = kind === "attachment" ? [] : textsOf(content, charset);
  return {
    kind,
    type,
    name: name === null ? null : decodeWords(name),
    content: DECODED.has(type)
      ? new TextEncoder().encode(decodeCharset(content, charset))
      : content,
    texts: isFlowed ? texts.map((text) => joinFlowedLines(text, deletesSpace)) : texts,
    base,
    unread: whyUnread(type, kind, encoding, charset),
    isVerbatim: kind === "attachment" && OF_FILES.test(type) && PLAIN.has(encoding),
  };
}

/** The types of attachments whose character set is named by the part, not by the file. */
const DECODED = new Set(["text/calendar", "application/ics"]);

function encodingOf(headers: string): string {
  const { value } = parseHeaderValue(headerNamed(headers, "content-transfer-encoding") ?? "");
  return /[\w-]+/.exec(value)?.[0] ?? "";
}

/** Decodes a body; one in an unknown encoding stays as it is. */
function decodeTransfer(body: Uint8Array, encoding: string): Uint8Array {
  if (encoding.includes("base64")) return decodeBase64(body);
  return encoding.includes("quoted-printable") ? decodeQuotedPrintable(body) : body;
}

/**
 * A text that says it is in UTF-16 is also read as ASCII, with or without NUL bytes. In a mail, only base64 can contain
 * UTF-16 (RFC 2045 §2.7), so programs disagree about all other parts.
 */
function textsOf(content: Uint8Array, charset: string): string[] {
  const text = decodeCharset(content, charset);
  return UTF_16.test(charset) ? [text, decodeCharset(content, "").replaceAll("\0", "")] : [text];
}

function whyUnread(
  type: string,
  kind: DecodedPart["kind"],
  encoding: string,
  charset: string,
): WhyUnread | null {
  if (type === "message/external-body") return "type";
  if (type === "message/partial") return "partial";
  const isKnown = /base64|quoted-printable/.test(encoding) || PLAIN.has(encoding);
  if (!isKnown) return "encoding";
  if (charset.trim() === "") return null;
  if (kind !== "attachment") return isKnownCharset(charset) ? null : "charset";
  return type.startsWith("text/") && !extendsAscii(charset) ? "charset" : null;
}

/** Bodies in UTF-16 are also read as ASCII, but other texts are not. */
export function extendsAscii(label: string): boolean {
  return isKnownCharset(label) && !UTF_16.test(label);
}

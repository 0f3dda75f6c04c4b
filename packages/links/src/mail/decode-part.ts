import { markedEncoding } from "../text-or-bytes.ts";
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
const KNOWN = new Set([...PLAIN, "base64", "quoted-printable"]);
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
  const written = disposition.parameters.get("filename") || parameters.get("name") || null;
  const name = written === null ? null : decodeWords(written);
  const isShown = disposition.value !== "attachment";
  const body = type === "text/html" ? "html" : type === "text/plain" ? "text" : null;
  const kind = isShown && body !== null ? body : "attachment";
  const encoding = encodingOf(headers);
  const decoded = decodeTransfer(bytes.subarray(part.bodyStart, part.end), encoding);
  const isCalendar = kind === "attachment" && attachmentKind(type, name) === "calendar";
  const content = isCalendar ? joinSplitCharacters(decoded) : decoded;
  const charset = parameters.get("charset") ?? "";
  const isFlowed = /^flowed$/i.test(parameters.get("format") ?? "");
  const deletesSpace = /^yes$/i.test(parameters.get("delsp") ?? "");
  const texts = kind === "attachment" ? [] : textsOf(content, charset);
  return {
    kind,
    type,
    name,
    content: DECODED.has(type)
      ? new TextEncoder().encode(decodeCharset(content, charset))
      : content,
    texts: isFlowed ? texts.map((text) => joinFlowedLines(text, deletesSpace)) : texts,
    base,
    unread: whyUnread(type, kind, name, encoding, charset),
    isVerbatim: kind === "attachment" && OF_FILES.test(type) && PLAIN.has(encoding),
  };
}

/** The types of attachments whose character set is named by the part, not by the file. */
const DECODED = new Set(["text/calendar", "application/ics"]);

/** The name of an encoding. It keeps its quotation marks, because only some programs read a name that has any. */
function encodingOf(headers: string): string {
  const written = headerNamed(headers, "content-transfer-encoding") ?? "";
  const { value } = parseHeaderValue(written);
  return written.includes('"') ? `"${value}"` : value;
}

/** Decodes a body. One in an unknown encoding stays as it is, unless its name is like that of a known one. */
function decodeTransfer(body: Uint8Array, encoding: string): Uint8Array {
  if (encoding.includes("base64")) return decodeBase64(body);
  return encoding.includes("quoted-printable") ? decodeQuotedPrintable(body) : body;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/**
 * Removes the line breaks inside the characters of a calendar in UTF-8: its lines may be folded between any two bytes
 * (RFC 5545 §3.1).
 */
function joinSplitCharacters(content: Uint8Array): Uint8Array {
  const joined = new Uint8Array(content.length);
  let length = 0;
  for (const byte of content) {
    // No character begins with such a byte.
    const continues = byte >= 0x80 && byte < 0xc0;
    const before = joined[length - 1];
    if (continues && joined[length - 2] === LINE_FEED && (before === SPACE || before === TAB)) {
      length -= joined[length - 3] === CARRIAGE_RETURN ? 3 : 2;
    }
    joined[length++] = byte;
  }
  return joined.subarray(0, length);
}

/**
 * A text that says it is in UTF-16 is read in both byte orders, because programs disagree about texts without a byte
 * order mark (RFC 2781 §4.3), and also as ASCII, with or without NUL bytes: in an email, only base64 can contain UTF-16
 * (RFC 2045 §2.7), so programs disagree about all other parts. Some programs believe the byte order mark instead of
 * what the text says.
 */
function textsOf(content: Uint8Array, charset: string): string[] {
  const read = (label: string) => decodeCharset(content, label);
  if (UTF_16.test(charset)) {
    return [read("utf-16le"), read("utf-16be"), read("").replaceAll("\0", "")];
  }
  const marked = markedEncoding(content);
  return marked === null ? [read(charset)] : [read(charset), read(marked)];
}

function whyUnread(
  type: string,
  kind: DecodedPart["kind"],
  name: string | null,
  encoding: string,
  charset: string,
): WhyUnread | null {
  if (type === "message/external-body") return "type";
  if (type === "message/partial") return "partial";
  if (!KNOWN.has(encoding)) return "encoding";
  if (charset.trim() === "") return null;
  if (kind !== "attachment") return isKnownCharset(charset) ? null : "charset";
  const isText = type.startsWith("text/") || attachmentKind(type, name) === "mail";
  return isText && !extendsAscii(charset) ? "charset" : null;
}

/** Bodies in UTF-16 are also read as ASCII, but other texts are not. */
export function extendsAscii(label: string): boolean {
  return isKnownCharset(label) && !UTF_16.test(label);
}

/** The format that an attachment is read as; `null` if it is not searched. */
type AttachmentKind = "text" | "html" | "calendar" | "mail" | null;

/** XML may be an XHTML page, and has character references, too. */
const HTML_NAME = /\.(?:x?html?|shtml?|mht|mhtml|svg|xht|hta|xml)$/i;
const MAIL_NAME = /\.(?:eml|mht|mhtml)$/i;
const CALENDAR_NAME = /\.(?:ics|ical|ifb|vcs|vcf)$/i;
/** RFC 2045 §5.2: a part without a valid type is plain text. */
const TYPE = /^[^\s/]+\/[^\s/]+$/;
const TEXT_NAME = /\.(?:txt|text|url|webloc|desktop|website|md|csv|log|ini|json|js|css)$/i;
const HTML_TYPE =
  /^(?:text\/(?:x-)?html|(?:text|application)\/(?:xhtml\+)?xml|image\/svg\+xml|text\/x-amp-html)$/;
const CALENDAR_TYPE = /^text\/(?:calendar|x-vcalendar|(?:x-)?vcard|directory)$/;
/** RTF hides links behind escapes. */
const RTF_TYPE = /^(?:text|application)\/(?:x-)?rtf$/;
const RTF_NAME = /\.rtf$/i;

/** Decides by the media type or the file name how to read an attachment. */
export function attachmentKind(type: string, name: string | null): AttachmentKind {
  // Windows ignores dots and spaces at the end of a file name.
  const written = (name ?? "").trim().replace(/(?<![. ])[. ]+$/, "");
  if (type === "message/rfc822" || type === "message/global" || MAIL_NAME.test(written)) {
    return "mail";
  }
  if (HTML_TYPE.test(type) || HTML_NAME.test(written)) return "html";
  if (CALENDAR_TYPE.test(type) || CALENDAR_NAME.test(written)) {
    return "calendar";
  }
  if (RTF_TYPE.test(type) || RTF_NAME.test(written)) return null;
  const isText =
    /^(?:text|message)\//.test(type) ||
    TEXT_NAME.test(written) ||
    (written === "" && !TYPE.test(type));
  return isText || type === "application/internet-shortcut" ? "text" : null;
}

const META_CHARSET = /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})/i;
const XML_ENCODING = /^\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w:.-]{1,40})/i;
/** Only this many bytes of a document are searched for a declaration of its encoding. */
const PRESCAN_BYTES = 1024;

/**
 * Decodes an attachment by its byte order mark, by the NUL bytes of UTF-16, or by the declaration of HTML or XML;
 * otherwise as UTF-8, or as windows-1252 if it is not valid UTF-8.
 */
export function decodeAttachment(bytes: Uint8Array): string {
  const label = declaredEncoding(bytes);
  if (label !== null) return new TextDecoder(label).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function declaredEncoding(bytes: Uint8Array): string | null {
  const marked = markedEncoding(bytes);
  if (marked !== null) return marked;
  const start = bytes.subarray(0, PRESCAN_BYTES);
  const nulls = [0, 0];
  start.forEach((byte, index) => {
    if (byte === 0) nulls[index % 2]!++;
  });
  if (nulls[1]! > start.length / 4) return "utf-16le";
  if (nulls[0]! > start.length / 4) return "utf-16be";
  const text = new TextDecoder("latin1").decode(start);
  const label = (META_CHARSET.exec(text) ?? XML_ENCODING.exec(text))?.[1];
  // A declaration that is readable in Latin-1 cannot be in UTF-16 or UTF-32, whatever it says.
  if (label === undefined || /^utf-?(?:16|32)/i.test(label)) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

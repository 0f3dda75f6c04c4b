import { ownOptions } from "@x/canon/own-options";
import { typeError } from "@x/canon/type-error";
import { type Attachment, decodeWords, type Email } from "postal-mime";
import type { LinkSink } from "../found-link.ts";
import { scanHtml } from "../html/scan-html.ts";
import { findInText } from "../text/scan-text.ts";
import { attachmentKind } from "./attachment-kind.ts";
import { bodyLinks } from "./body-links.ts";
import { structureProblems } from "./broken-structure.ts";
import { decodeAttachment } from "./decode-attachment.ts";
import type { HeaderValue } from "./header-value.ts";
import { into, type MailLink } from "./mail-link.ts";
import { FIELD } from "./message-parts.ts";
import { type ParsedPart, parseMessage, UTF_16 } from "./parse-message.ts";
import { uuencodedFiles } from "./uuencode.ts";

/** A part that was not searched, or not as a whole. */
export interface UnreadPart {
  /** The path of the part, from the outermost part to the innermost, as in `MailLink`. */
  readonly part: readonly string[];
  /** The name of the file, if it has one. */
  readonly name: string | null;
  /** The type of the part in lower case, such as `"application/pdf"`. */
  readonly type: string;
  /**
   * `"type"`: files of this type are not searched. `"depth"`: the part is inside too many messages. `"partial"`: it is
   * only a piece of a message (RFC 2046 §5.2.2), so a link may be cut. `"charset"`: its character set is unknown, or is
   * UTF-16 in a header or attachment. Parts
   * with the last two reasons were searched as far as they can be read.
   */
  readonly reason: "type" | "depth" | "partial" | "charset";
}

/** A defect of a mail that may hide links. */
export type MailProblemCode =
  /** A multipart has no boundary, or one that does not occur. The mail was also searched as plain text. */
  | "boundary-missing"
  /**
   * A part has two headers or parameters that contradict each other on how it is read. The mail was also searched as
   * plain text.
   */
  | "headers-differ"
  /**
   * The structure cannot be parsed: for example, it is too deep, or has more than 2 MiB of headers. The mail was
   * searched as plain text.
   */
  | "structure-unreadable"
  /** The mail is longer than `maxBytes`. The rest was not searched. */
  | "mail-too-long";

/** A defect of a mail that may hide links, and the message that has it. */
export interface MailProblem {
  /** The path of the message with the problem; empty for the mail itself. */
  readonly part: readonly string[];
  readonly code: MailProblemCode;
}

/** The result of `findLinksInMail`. */
export interface MailLinks {
  readonly links: readonly MailLink[];
  readonly unread: readonly UnreadPart[];
  readonly problems: readonly MailProblem[];
}

/** The options of `findLinksInMail`. */
export interface FindLinksInMailOptions {
  /** The maximum number of bytes to search: 67 108 864 (64 MiB) by default. */
  readonly maxBytes?: number | undefined;
}

const DEFAULT_MAX_BYTES = 67_108_864;
const DEEPEST_MESSAGE = 10;
/** Headers besides `List-…` whose URLs mail programs show as links. */
const HEADERS = ["archived-at", "x-unsubscribe", "x-report-abuse"];
/** Headers with addresses, before which mail programs show names (RFC 5322 §3.4). */
const ADDRESSES = /^(?:resent-)?(?:from|sender|reply-to|to|cc|bcc)$/;

/**
 * Returns the links in a mail: in its subject, in the names of senders and recipients, in `List-…` and similar headers, in all texts, and in attachments that
 * are HTML, text, calendars, shortcuts (`.url`) or mails. `unread` has the parts that were not searched as a whole, and `problems`
 * has the defects that may hide links. A mail without listed links is known to be harmless only if both are empty.
 *
 * The promise resolves for any bytes. A URL that is in both the HTML and the text of a message is one link, placed in
 * the HTML; `also` has its places in the text.
 *
 * @throws {TypeError} when the mail is neither a `Uint8Array` nor a string, or `maxBytes` is not a number.
 * @throws {RangeError} when `maxBytes` is not a positive integer.
 * @example
 * ```ts
 * import { findLinksInMail } from "@x/links/mail";
 *
 * const mail = "Subject: hi\r\nContent-Type: text/html\r\n\r\n<a href='http://evil.example/'>bank.example</a>";
 * const { links, unread, problems } = await findLinksInMail(mail);
 * links.map(({ part, url, shown }) => [part, url, shown]); // → [[["text/html"], "http://evil.example/", "bank.example"]]
 * [unread, problems]; // → [[], []]
 * ```
 */
export async function findLinksInMail(
  mail: Uint8Array | string,
  options: FindLinksInMailOptions = {},
): Promise<MailLinks> {
  const bytes = typeof mail === "string" ? new TextEncoder().encode(mail) : mail;
  if (!(bytes instanceof Uint8Array)) throw typeError("mail", "a Uint8Array or a string", mail);
  const { maxBytes = DEFAULT_MAX_BYTES } = ownOptions(options);
  if (typeof maxBytes !== "number") throw typeError("maxBytes", "a number", maxBytes);
  if (!Number.isInteger(maxBytes) || maxBytes < 1) {
    throw new RangeError(`maxBytes must be a positive integer, not ${maxBytes}`);
  }
  const result: Result = { links: [], unread: [], problems: [], endsAtStrayLine: false };
  if (bytes.length > maxBytes) result.problems.push({ part: [], code: "mail-too-long" });
  await readMessage(withLineFeeds(bytes.subarray(0, maxBytes)), [], result);
  return result;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Replaces CR with LF in a mail that has no LF at all. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(LINE_FEED) || !bytes.includes(CARRIAGE_RETURN)) return bytes;
  return bytes.map((byte) => (byte === CARRIAGE_RETURN ? LINE_FEED : byte));
}

interface Result {
  readonly links: MailLink[];
  readonly unread: UnreadPart[];
  readonly problems: MailProblem[];
  /** Whether a line that is no header field ends the headers of a message. */
  readonly endsAtStrayLine: boolean;
}

async function readMessage(
  bytes: Uint8Array,
  path: readonly string[],
  result: Result,
): Promise<void> {
  const raw = new TextDecoder("latin1").decode(bytes);
  const { endsAtStrayLine } = result;
  const message = await parseMessage(bytes, raw, endsAtStrayLine);
  if (message === null) {
    result.problems.push({ part: path, code: "structure-unreadable" });
    readRaw(raw, path, result);
    return;
  }
  readHeaders(message.head, path, result);
  for (const link of bodyLinks(message.parts, path)) result.links.push(link);
  for (const part of message.parts) {
    const { type, text = "", html = "", attachments } = part;
    if (type.value === EXTERNAL_BODY) readExternal(type, path, result);
    const reason = whyUnread(part);
    if (reason !== null) {
      const name = attachments[0]?.filename ?? null;
      const what = type.value || "text/plain";
      const place = [...path, name === null ? what : `${what} ${name}`];
      result.unread.push({ part: place, name, type: what, reason });
    }
    if (ARMORED.test(text)) {
      const part = [...path, "text/plain"];
      result.unread.push({ part, name: null, type: PGP_MESSAGE, reason: "type" });
    }
    await readUuencoded(text, path, result);
    await readUuencoded(html, path, result);
    for (const attachment of attachments) await readAttachment(attachment, path, result);
  }
  if (endsAtStrayLine) return;
  const codes = structureProblems(message.ownSource);
  for (const code of codes) result.problems.push({ part: path, code });
  if (codes.length > 0) readRaw(raw, path, result);
  if (!message.hasStrayLine) return;
  const other: Result = { links: [], unread: [], problems: [], endsAtStrayLine: true };
  await readMessage(bytes, path, other);
  addUnknown(other.links, result.links, ({ url }) => url);
  addUnknown(other.unread, result.unread, (part) => JSON.stringify(part));
  addUnknown(other.problems, result.problems, (problem) => JSON.stringify(problem));
}

/** Adds those values whose key no value in `to` has. */
function addUnknown<T>(values: readonly T[], to: T[], keyOf: (value: T) => string): void {
  const known = new Set(to.map(keyOf));
  for (const value of values) if (!known.has(keyOf(value))) to.push(value);
}

/** Why a part that is searched cannot be read as a whole; `null` if it can. */
function whyUnread({ type, text, html, isInUtf7 }: ParsedPart): "partial" | "charset" | null {
  if (type.value === "message/partial") return "partial";
  const charset = type.parameters.get("charset") ?? "";
  const isBody = text !== undefined || html !== undefined;
  if (isInUtf7 || charset.trim() === "") return null;
  if (isBody) return isKnownCharset(charset) ? null : "charset";
  return type.value.startsWith("text/") && !extendsAscii(charset) ? "charset" : null;
}

function isKnownCharset(label: string): boolean {
  try {
    return new TextDecoder(label) !== null;
  } catch {
    return false;
  }
}

/** Bodies in UTF-16 are also read as ASCII, but other texts are not. */
function extendsAscii(label: string): boolean {
  return isKnownCharset(label) && !UTF_16.test(label);
}

/** The character set of an encoded word (RFC 2047 §2), perhaps with a language (RFC 2231 §5). */
const ENCODED_WORD = /=\?([^?*\s]{1,99})(?:\*[^?\s]{0,99})?\?[bq]\?/gi;

function readHeaders(
  { headers, headerLines }: Email,
  path: readonly string[],
  result: Result,
): void {
  for (const { line } of headerLines) {
    // A line that is not a header field may be the text of a message without headers.
    if (!FIELD.test(line))
      findInText(line, 0, into([...path, "header"], line, result.links), "header");
  }
  for (const { key, value } of headers) {
    // RFC 2919: the value of `List-Id` looks like a host, but is only a name.
    const isList = (key.startsWith("list-") && key !== "list-id") || HEADERS.includes(key);
    const isAddress = ADDRESSES.test(key);
    const isSubject = key === "subject";
    if (!isList && !isAddress && !isSubject) continue;
    if ([...value.matchAll(ENCODED_WORD)].some(([, charset]) => !extendsAscii(charset!))) {
      const part = [...path, key];
      result.unread.push({ part, name: null, type: "text/plain", reason: "charset" });
    }
    const decoded = decodeWords(value);
    const text = isSubject
      ? decoded
      : isAddress
        ? decoded.replace(/\\(.)/g, "$1")
        : // RFC 2369 §2: blanks and line breaks inside the angle brackets do not belong to the URL.
          decoded.replace(/<[^<>]*>/g, (bracketed) => bracketed.replace(/\s+/g, ""));
    findInText(text, 0, into([...path, key], text, result.links), key);
  }
}

/** RFC 9580 §6.2: an encrypted or compressed message in a text. */
const ARMORED = /^-----BEGIN PGP MESSAGE-----/m;
const PGP_MESSAGE = "application/pgp-encrypted";
const EXTERNAL_BODY = "message/external-body";

/**
 * Adds the URL of contents that are stored elsewhere. White space in the parameter does not belong to the URL (RFC 2017
 * §3).
 */
function readExternal({ parameters }: HeaderValue, path: readonly string[], result: Result): void {
  const part = [...path, EXTERNAL_BODY];
  const url = (parameters.get("url") ?? "").replace(/\s+/g, "");
  const known = result.links.length;
  findInText(url, 0, into(part, url, result.links), "content-type");
  if (result.links.length > known) return;
  result.unread.push({ part, name: null, type: EXTERNAL_BODY, reason: "type" });
}

async function readUuencoded(text: string, path: readonly string[], result: Result): Promise<void> {
  for (const { name, bytes } of uuencodedFiles(text)) {
    const file = { filename: name, mimeType: "application/octet-stream", content: bytes };
    await readAttachment(file, path, result);
  }
}

async function readAttachment(
  { filename, mimeType, content }: Pick<Attachment, "filename" | "mimeType" | "content">,
  path: readonly string[],
  result: Result,
): Promise<void> {
  const part = [...path, filename === null ? mimeType : `${mimeType} ${filename}`];
  const kind = attachmentKind(mimeType, filename);
  const isTooDeep = kind === "mail" && path.length >= DEEPEST_MESSAGE;
  if (kind === null || isTooDeep) {
    const reason = isTooDeep ? "depth" : "type";
    result.unread.push({ part, name: filename, type: mimeType, reason });
    return;
  }
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : bytesOf(content);
  if (kind === "mail") {
    await readMessage(bytes, part, result);
    return;
  }
  const decoded = decodeAttachment(bytes);
  const isReport = mimeType === "message/delivery-status";
  const text = kind === "calendar" ? unfold(decoded) : isReport ? withoutServers(decoded) : decoded;
  const sink = into(part, text, result.links);
  if (kind === "html") readHtml(text, sink, true);
  else findInText(text, 0, sink, "text", true);
  // Calendars may contain HTML, as in X-ALT-DESC.
  if (kind === "calendar") readMarkup(text, unlessKnown(part, text, result), true);
  await readUuencoded(text, part, result);
}

function bytesOf(content: ArrayBuffer | Uint8Array): Uint8Array {
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

/** Blanks out the mail servers in a delivery report (RFC 3464 §2.2.2), which are not links. */
function withoutServers(text: string): string {
  return text.replace(/^[\w-]{1,20}-MTA:[ \t]*dns;.*$/gim, (line) => " ".repeat(line.length));
}

/** Joins folded lines and decodes escaped characters (RFC 5545 §3.1 and §3.3.11). */
function unfold(text: string): string {
  return text
    .replace(/\r?\n[ \t]/g, "")
    .replace(/\\([\\;,])|\\[nN]/g, (_, escaped?: string) => escaped ?? "\n");
}

/** Searches the source of a message. Adds only links that were not found in its parts. */
function readRaw(raw: string, path: readonly string[], result: Result): void {
  const sink = unlessKnown([...path, "raw"], raw, result);
  findInText(raw, 0, sink);
  readMarkup(raw, sink, false);
}

/** Searches the markup in a text. */
function readMarkup(text: string, sink: LinkSink, isDecoded: boolean): void {
  if (/<[a-z]/i.test(text)) readHtml(text, sink, isDecoded);
}

function readHtml(text: string, sink: LinkSink, isDecoded: boolean): void {
  scanHtml(text, { bases: [null], isMail: true, isDecoded, depth: 0, offset: 0, sink });
}

/** Returns a sink that adds only links that were not found before. */
function unlessKnown(part: readonly string[], text: string, result: Result): LinkSink {
  const known = new Set(result.links.map(({ url }) => url));
  const add = into(part, text, result.links);
  return (link) => {
    if (!known.has(link.url)) add(link);
    known.add(link.url);
  };
}

import { ownOptions, typeError } from "@x/canon/own-options";
import type { FoundLink, LinkSink } from "../found-link.ts";
import { scanHtml } from "../html/scan-html.ts";
import { type LinePlace, linePlaces } from "../line-places.ts";
import { findInText } from "../text/found-in-text.ts";
import { cutText } from "../text/scan-text.ts";
import { checkTextOrBytes } from "../text-or-bytes.ts";
import {
  attachmentKind,
  type DecodedPart,
  decodeAttachment,
  decodePart,
  extendsAscii,
  type WhyUnread,
} from "./decode-part.ts";
import {
  charsetsOfWords,
  decodeCharset,
  decodeQuotedPrintable,
  decodeWords,
  headerFields,
} from "./header.ts";
import { FIELD, messageParts, structureProblems } from "./message-parts.ts";

/** A place in an email. Line and column are those of the decoded text of the part. */
export interface MailPlace extends LinePlace {
  /**
   * The path of the part, from the outermost part to the innermost: `["text/html"]`, `["text/html 2"]` for the second
   * HTML part, `["subject"]`, `["list-unsubscribe"]`, `["message/rfc822 forwarded.eml", "text/plain"]`.
   */
  readonly part: readonly string[];
}

/** A link in an email. Its indices are those of the decoded text of the part. */
export interface MailLink extends FoundLink, MailPlace {
  /**
   * The places of the same URL in the text of the message, if the link is in its HTML; otherwise empty. The text and
   * the HTML usually have the same contents.
   */
  readonly also: readonly MailPlace[];
}

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
   * only a piece of a message (RFC 2046 §5.2.2), so a link may be cut. `"encoding"`: its transfer encoding is unknown.
   * `"charset"`: its character set is unknown, or is UTF-16 in a header or attachment. Parts with the last three
   * reasons were searched as far as they can be read.
   */
  readonly reason: WhyUnread | "depth";
}

/** A defect of an email that may hide links. */
export type MailProblemCode =
  /**
   * Programs may find other parts: a multipart has no boundary, or its boundary does not occur, only ends it, or is
   * only the beginning of a line. The email was also searched as plain text.
   */
  | "boundary-missing"
  /**
   * A part has two headers or parameters that contradict each other on how it is read. The email was also searched as
   * plain text.
   */
  | "headers-differ"
  /**
   * The structure cannot be parsed: for example, it is too deep, or has more than 2 MiB of headers. The email was
   * searched as plain text.
   */
  | "structure-unreadable"
  /** The email is longer than `maxBytes`. The rest was not searched. */
  | "mail-too-long";

/** A defect of an email that may hide links, and the message that has it. */
export interface MailProblem {
  /** The path of the message with the problem; empty for the email itself. */
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

/**
 * Returns the links in an email: in its subject, in the names of senders and recipients, in `List-…` and similar
 * headers, in all texts, and in attachments that are HTML, text, calendars, shortcuts (`.url`) or emails. `unread` has
 * the parts that were not searched as a whole, and `problems` has the defects that may hide links. An email without
 * listed links is known to be harmless only if both are empty.
 *
 * The promise resolves for any bytes. A URL that is in both the HTML and the text of a message is one link, placed in
 * the HTML; `also` has its places in the text.
 *
 * @throws {TypeError} when the email is neither a `Uint8Array` nor a string, or `maxBytes` is not a number.
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
  checkTextOrBytes("mail", mail);
  const bytes = typeof mail === "string" ? new TextEncoder().encode(mail) : mail;
  const { maxBytes = DEFAULT_MAX_BYTES } = ownOptions(options);
  if (typeof maxBytes !== "number") throw typeError("maxBytes", "a number", maxBytes);
  if (!Number.isInteger(maxBytes) || maxBytes < 1) {
    throw new RangeError(`maxBytes must be a positive integer, not ${maxBytes}`);
  }
  const { links, unread, problems } = readMessage(
    withLineFeeds(bytes.subarray(0, maxBytes)),
    [],
    false,
  );
  if (bytes.length > maxBytes) problems.unshift({ part: [], code: "mail-too-long" });
  return { links, unread, problems };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Replaces CR with LF in an email that has no LF at all. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(LINE_FEED) || !bytes.includes(CARRIAGE_RETURN)) return bytes;
  return bytes.map((byte) => (byte === CARRIAGE_RETURN ? LINE_FEED : byte));
}

/** What was found in a message, and in the messages inside it. */
interface Result {
  readonly links: MailLink[];
  readonly unread: UnreadPart[];
  readonly problems: MailProblem[];
  /** Whether a line that is no header field ends the headers of a message. */
  readonly endsAtStrayLine: boolean;
}

function readMessage(bytes: Uint8Array, path: readonly string[], endsAtStrayLine: boolean): Result {
  const result: Result = { links: [], unread: [], problems: [], endsAtStrayLine };
  const raw = new TextDecoder("latin1").decode(bytes);
  const message = messageParts(bytes, raw, endsAtStrayLine);
  if (message === null) {
    result.problems.push({ part: path, code: "structure-unreadable" });
    readRaw(raw, path, result);
    return result;
  }
  readHeaders(message.headers, path, result);
  const decoded = message.parts.map((part) => decodePart(part, bytes));
  const parts = decoded.filter((part) => part !== null);
  for (const link of bodyLinks(parts, path)) result.links.push(link);
  for (const part of parts) readPart(part, path, result);
  if (endsAtStrayLine) return result;
  const verbatim = message.parts.filter((_, i) => decoded[i]?.isVerbatim);
  const places = verbatim.map(({ bodyStart, end }) => ({ start: bodyStart, end }));
  const codes = structureProblems(cutText(raw, places).text);
  for (const code of codes) result.problems.push({ part: path, code });
  if (codes.length > 0) readRaw(raw, path, result);
  if (!message.hasStrayLine) return result;
  const other = readMessage(bytes, path, true);
  addUnknown(other.links, result.links, ({ url }) => url);
  addUnknown(other.unread, result.unread, (part) => JSON.stringify(part));
  addUnknown(other.problems, result.problems, (problem) => JSON.stringify(problem));
  return result;
}

/** Adds those values whose key no value in `to` has. */
function addUnknown<T>(values: readonly T[], to: T[], keyOf: (value: T) => string): void {
  const known = new Set(to.map(keyOf));
  for (const value of values) if (!known.has(keyOf(value))) to.push(value);
}

/** Headers besides `List-…` whose URLs email programs show as links. */
const HEADERS = ["archived-at", "x-unsubscribe", "x-report-abuse"];
/** Headers with addresses, before which email programs show names (RFC 5322 §3.4). */
const ADDRESSES = /^(?:resent-)?(?:from|sender|reply-to|to|cc|bcc)$/;

function readHeaders(headers: string, path: readonly string[], result: Result): void {
  const fields = headerFields(headers);
  for (const { line } of fields) {
    // A line that is not a header field may be the text of a message without headers.
    if (!FIELD.test(line))
      findInText(line, 0, into([...path, "header"], line, result.links), "header");
  }
  for (const { name, value } of fields) {
    // RFC 2919: the value of `List-Id` looks like a host, but is only a name.
    const isList = (name.startsWith("list-") && name !== "list-id") || HEADERS.includes(name);
    const isAddress = ADDRESSES.test(name);
    const isSubject = name === "subject";
    if (!isList && !isAddress && !isSubject) continue;
    const part = [...path, name];
    if (!charsetsOfWords(value).every(extendsAscii)) {
      result.unread.push({ part, name: null, type: "text/plain", reason: "charset" });
    }
    const decoded = decodeWords(value);
    const text = isSubject
      ? decoded
      : isAddress
        ? decoded.replace(/\\(.)/g, "$1")
        : // RFC 2369 §2: spaces and line breaks inside the angle brackets do not belong to the URL.
          decoded.replace(/<[^<>]*>/g, (bracketed) => bracketed.replace(/\s+/g, ""));
    findInText(text, 0, into(part, text, result.links), name);
  }
}

/**
 * The links in the text and HTML parts of a message. A URL in both is one link, placed in the HTML; `also` has its
 * places in the text.
 */
function bodyLinks(parts: readonly DecodedPart[], path: readonly string[]): MailLink[] {
  const inText = linksOf(parts, "text", [...path, "text/plain"]);
  const inHtml = linksOf(parts, "html", [...path, "text/html"]);
  const places = new Map<string, MailPlace[]>(inHtml.map(({ url }) => [url, []]));
  const onlyInText = inText.filter(({ url, part, line, column }) => {
    const also = places.get(url);
    also?.push({ part, line, column });
    return also === undefined;
  });
  const told = new Set<string>();
  const merged = inHtml.map((link) => {
    const also = told.has(link.url) ? [] : places.get(link.url)!;
    told.add(link.url);
    return { ...link, also };
  });
  return [...onlyInText, ...merged];
}

/** The links in all parts of one kind. From the second part on, the name of a part includes its number. */
function linksOf(
  parts: readonly DecodedPart[],
  kind: "text" | "html",
  name: readonly string[],
): MailLink[] {
  const links: MailLink[] = [];
  const ofKind = parts.filter((part) => part.kind === kind && part.texts.some(Boolean));
  for (const [index, { texts, base }] of ofKind.entries()) {
    const place = index === 0 ? name : [...name.slice(0, -1), `${name.at(-1)} ${index + 1}`];
    const known = new Set<string>();
    for (const text of texts) {
      const found: MailLink[] = [];
      const sink = into(place, text, found);
      if (kind === "text") findInText(text, 0, sink, "text", true);
      else findInHtml(text, base, true, sink);
      for (const link of found) if (!known.has(link.url)) links.push(link);
      for (const { url } of found) known.add(url);
    }
  }
  return links;
}

function readPart(part: DecodedPart, path: readonly string[], result: Result): void {
  const { kind, name, type, unread } = part;
  const place = [...path, name === null ? type : `${type} ${name}`];
  if (unread !== null) result.unread.push({ part: place, name, type, reason: unread });
  for (const text of part.texts) reportEmbedded(text, path, result);
  if (kind === "attachment") readAttachment(part, place, path.length >= DEEPEST_MESSAGE, result);
}

/**
 * Files that old programs write into a text, each with its type, and with its name if it has one. Each begins on a line
 * of its own, or after a tag in HTML.
 */
const EMBEDDED: readonly (readonly [RegExp, string])[] = [
  // RFC 9580 §6.2: an encrypted or compressed message.
  [/(?:^|>)[ \t]{0,9}-----BEGIN PGP MESSAGE-----/m, "application/pgp-encrypted"],
  // POSIX.1-2024, uuencode: the permissions and the name of a file.
  [/(?:^|>)begin(?:-base64)? [0-7]{3,4} (\S[^\r\n<]{0,254})/m, "application/x-uuencode"],
  // yEnc 1.3, "Header and trailer": a file of bytes that are shifted by 42.
  [/(?:^|>)=ybegin [^\r\n<]{0,99}?name=(\S[^\r\n<]{0,254})/m, "application/x-yencode"],
  // RFC 1741: a file with its resources, as on old Macintoshes.
  [/(?:^|>)\(This file must be converted with BinHex/m, "application/mac-binhex40"],
];

/** Reports the first file of each type in a text, because such files are not searched. */
function reportEmbedded(text: string, path: readonly string[], result: Result): void {
  for (const [start, type] of EMBEDDED) {
    const match = start.exec(text);
    if (match === null) continue;
    const name = match[1]?.trimEnd() ?? null;
    const part = [...path, name === null ? type : `${type} ${name}`];
    result.unread.push({ part, name, type, reason: "type" });
  }
}

function readAttachment(
  { name, type, content }: DecodedPart,
  place: readonly string[],
  isDeepest: boolean,
  result: Result,
): void {
  const kind = attachmentKind(type, name);
  const isTooDeep = kind === "mail" && isDeepest;
  if (kind === null || isTooDeep) {
    const reason = isTooDeep ? "depth" : "type";
    result.unread.push({ part: place, name, type, reason });
    return;
  }
  if (kind === "mail") {
    const inside = readMessage(content, place, result.endsAtStrayLine);
    for (const link of inside.links) result.links.push(link);
    for (const part of inside.unread) result.unread.push(part);
    for (const problem of inside.problems) result.problems.push(problem);
    return;
  }
  const decoded = decodeAttachment(content);
  const isReport = type === "message/delivery-status";
  const text =
    kind === "calendar"
      ? unfold(decodeQuotedValues(decoded))
      : isReport
        ? withoutServers(decoded)
        : decoded;
  const start = result.links.length;
  const sink = into(place, text, result.links);
  if (kind === "html") findInHtml(text, null, true, sink);
  else findInText(text, 0, sink, "text", true);
  // Calendars may contain HTML, as in X-ALT-DESC.
  if (kind === "calendar") readMarkup(text, unlessKnown(place, text, result.links, start), true);
  if (kind === "calendar") reportFiles(text, place, result);
  reportEmbedded(text, place, result);
}

/** Matches a property of a calendar that is a file (RFC 5545 §3.8.1.1), and its parameters. */
const FILE = /^ATTACH((?:;[^:\r\n]{0,999})?;ENCODING=BASE64\b[^:\r\n]{0,999}):/gim;

/** Reports the files in a calendar, because they are not searched. */
function reportFiles(calendar: string, path: readonly string[], result: Result): void {
  for (const [, parameters] of calendar.matchAll(FILE)) {
    const [, type = "application/octet-stream"] = /;FMTTYPE=([^;]+)/i.exec(parameters!) ?? [];
    const [, name = null] = /;(?:X-[\w-]{0,99})?FILENAME="?([^;"]+)/i.exec(parameters!) ?? [];
    const part = [...path, name === null ? type : `${type} ${name}`];
    result.unread.push({ part, name, type, reason: "type" });
  }
}

/** Matches a property that is in quoted-printable, as in old calendars and contacts (vCard 2.1, vCalendar 1.0). */
const QUOTED_PROPERTY =
  /^([\w.-]{1,99}(?:;[^:\r\n]{0,999})?;(?:ENCODING=)?QUOTED-PRINTABLE\b[^:\r\n]{0,999}:)((?:.*=\r?\n)*.*)/gim;

/** Decodes the properties that are in quoted-printable. */
function decodeQuotedValues(calendar: string): string {
  return calendar.replace(QUOTED_PROPERTY, (_, property: string, value: string) => {
    const [, charset = ""] = /;CHARSET=([\w-]+)/i.exec(property) ?? [];
    const bytes = decodeQuotedPrintable(new TextEncoder().encode(value));
    return property + decodeCharset(bytes, charset);
  });
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
  const sink = unlessKnown([...path, "raw"], raw, result.links, 0);
  findInText(raw, 0, sink);
  readMarkup(raw, sink, false);
}

/** Searches the markup in a text. */
function readMarkup(text: string, sink: LinkSink, isDecoded: boolean): void {
  if (/<[a-z]/i.test(text)) findInHtml(text, null, isDecoded, sink);
}

/** Returns a sink that adds only links that are not among `links` from index `start` on. */
function unlessKnown(
  part: readonly string[],
  text: string,
  links: MailLink[],
  start: number,
): LinkSink {
  const known = new Set(links.slice(start).map(({ url }) => url));
  const add = into(part, text, links);
  return (link) => {
    if (!known.has(link.url)) add(link);
    known.add(link.url);
  };
}

/** Returns a sink that adds each link to `links`, with its place in the email. */
function into(part: readonly string[], text: string, links: MailLink[]): LinkSink {
  const lines = linePlaces(text);
  return (link) => links.push({ ...link, ...lines.placeOf(link.start), part, also: [] });
}

/** Searches the HTML of an email. */
function findInHtml(text: string, base: string | null, isDecoded: boolean, sink: LinkSink): void {
  scanHtml(text, { bases: [base], isMail: true, isDecoded, depth: 0, offset: 0, sink });
}

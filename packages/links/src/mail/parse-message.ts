import PostalMime, { type Attachment, type Email } from "postal-mime";
import { cutText, type Place } from "../text/cut-text.ts";
import { attachmentKind } from "./attachment-kind.ts";
import type { HeaderValue } from "./header-value.ts";
import { type MessagePart, messageParts } from "./message-parts.ts";
import { joined, partBytes } from "./part-bytes.ts";
import { decodeUtf7, mentionsUtf7 } from "./utf7.ts";
import type { EncodedFile } from "./uuencode.ts";

interface PartContents extends Pick<Email, "text" | "html"> {
  readonly attachments: readonly Pick<Attachment, "filename" | "mimeType" | "content">[];
}

/** A decoded part of a message. */
export interface ParsedPart extends PartContents {
  readonly type: HeaderValue;
  /** The base of relative references in the part. */
  readonly base: string | null;
  readonly isInUtf7: boolean;
  /** The text and the HTML as other programs read the character set; `null` if all programs read it alike. */
  readonly other: Pick<Email, "text" | "html"> | null;
}

/** A message whose parts were parsed separately. */
export interface ParsedMessage {
  /** The message without its body. */
  readonly head: Email;
  readonly parts: readonly ParsedPart[];
  /** The source of the message, without the contents of attachments that need no decoding. */
  readonly ownSource: string;
  /** Whether a line among the headers is no header field. Some programs skip it, others read it as part of the body. */
  readonly hasStrayLine: boolean;
}

/**
 * Parses each part of a message separately, because `postal-mime` would join all documents. `null` if the message
 * cannot be parsed.
 *
 * @param raw The message, with one character for each byte.
 * @param endsAtStrayLine Whether a line that is no header field ends the headers.
 */
export async function parseMessage(
  bytes: Uint8Array,
  raw: string,
  endsAtStrayLine: boolean,
): Promise<ParsedMessage | null> {
  const found = messageParts(bytes, raw, endsAtStrayLine);
  if (found === null) return null;
  const head = await parse(bytes.subarray(0, found.headersEnd));
  if (head === null) return null;
  const parts: ParsedPart[] = [];
  const attached: Place[] = [];
  for (const part of found.parts) {
    const { bytes: own, file, content: body } = partBytes(part, bytes, raw);
    let content = body;
    let parsed = await parse(own);
    if (content !== null && parsed?.attachments.length !== 1) {
      content = null;
      parsed = await parse(joined([own, body!]));
    }
    if (parsed === null) return null;
    if (content !== null) attached.push({ start: part.bodyStart, end: part.end });
    const isInUtf7 = mentionsUtf7(raw.slice(part.start, part.end));
    const isInUtf16 = UTF_16.test(part.type.parameters.get("charset") ?? "");
    const contents = file === null ? parsed : withNameOf(file, parsed);
    parts.push({
      ...contents,
      ...(content !== null && { attachments: [{ ...contents.attachments[0]!, content }] }),
      type: part.type,
      base: part.base,
      isInUtf7,
      other: isInUtf7 ? inUtf7(contents) : isInUtf16 ? await withoutNuls(part, own) : null,
    });
  }
  const ownSource = cutText(raw, attached).text;
  return { head, parts, ownSource, hasStrayLine: found.hasStrayLine };
}

async function parse(bytes: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  } catch {
    return null;
  }
}

function inUtf7({ text, html }: PartContents): ParsedPart["other"] {
  return { ...(text && { text: decodeUtf7(text) }), ...(html && { html: decodeUtf7(html) }) };
}

/** Labels of UTF-16, which no text in a mail should have (RFC 2781 §4). */
export const UTF_16: RegExp = /^\s*(?:utf-?16|ucs-?2|unicode|iso-10646-ucs-2)/i;
const CHARSET = /(?<=\bcharset(?:\*\d?\*?)?[ \t]*=)(?:\s*"[^"]*"|[^;\n]*)/gi;

/**
 * A part that says it is in UTF-16, read as ASCII with or without NUL bytes. In a mail, only base64 can contain UTF-16
 * (RFC 2045 §2.7), so programs disagree about all other parts.
 */
async function withoutNuls(
  { headers, start, bodyStart }: MessagePart,
  bytes: Uint8Array,
): Promise<ParsedPart["other"]> {
  const encoded = new TextEncoder().encode(headers.replace(CHARSET, "utf-8"));
  const { text, html } = (await parse(joined([encoded, bytes.subarray(bodyStart - start)]))) ?? {};
  return {
    ...(text && { text: text.replaceAll("\0", "") }),
    ...(html && { html: html.replaceAll("\0", "") }),
  };
}

/** A part decoded from uuencode. The name of its file decides whether the file is also searched as an attachment. */
function withNameOf(file: EncodedFile, { text, html, attachments }: Email): PartContents {
  const { name, bytes } = file;
  const named = attachments.map((each) => ({ ...each, filename: each.filename ?? name }));
  const mimeType = "application/octet-stream";
  const isMore = text !== undefined && attachmentKind(mimeType, name) !== null;
  const more = isMore ? [{ filename: name, mimeType, content: bytes }] : [];
  return { text, html, attachments: [...named, ...more] };
}

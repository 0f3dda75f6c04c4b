import PostalMime, { type Attachment, type Email } from "postal-mime";
import { cutText, type Place } from "../text/cut-text.ts";
import { attachmentKind } from "./attachment-kind.ts";
import type { HeaderValue } from "./header-value.ts";
import { messageParts } from "./message-parts.ts";
import { partBytes } from "./part-bytes.ts";
import { mentionsUtf7 } from "./utf7.ts";
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
}

/** A message whose parts were parsed separately. */
export interface ParsedMessage {
  /** The message without its body. */
  readonly head: Email;
  readonly parts: readonly ParsedPart[];
  /** The source of the message, without the contents of attachments that need no decoding. */
  readonly ownSource: string;
}

/**
 * Parses each part of a message separately, because `postal-mime` would join all documents. `null` if the message
 * cannot be parsed.
 *
 * @param raw The message, with one character for each byte.
 */
export async function parseMessage(bytes: Uint8Array, raw: string): Promise<ParsedMessage | null> {
  const found = messageParts(bytes, raw);
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
      parsed = await parse(bytes.subarray(part.start, part.end));
    }
    if (parsed === null) return null;
    if (content !== null) attached.push({ start: part.bodyStart, end: part.end });
    const isInUtf7 = mentionsUtf7(raw.slice(part.start, part.end));
    const contents = file === null ? parsed : withNameOf(file, parsed);
    parts.push({
      ...contents,
      ...(content !== null && { attachments: [{ ...contents.attachments[0]!, content }] }),
      type: part.type,
      base: part.base,
      isInUtf7,
    });
  }
  return { head, parts, ownSource: cutText(raw, attached).text };
}

async function parse(bytes: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  } catch {
    return null;
  }
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

/** The format that an attachment is read as; `null` if it is not searched. */
export type AttachmentKind = "text" | "html" | "calendar" | "mail" | null;

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
  // Windows ignores dots and blanks at the end of a file name.
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
  const label = encodingOf(bytes);
  if (label !== null) return new TextDecoder(label).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function encodingOf(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
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

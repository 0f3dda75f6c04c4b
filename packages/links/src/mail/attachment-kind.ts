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

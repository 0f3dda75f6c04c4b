/** The kind of a text: an email, an mbox file, or neither; `"unknown"` if more text is needed to decide. */
export type RecognizedMail = "mail" | "mbox" | "neither" | "unknown";

const LINE = /([^\r\n]*)(\r?\n|\r|$)/y;
/** A header field (RFC 5322 §2.2). */
const FIELD = /^([!-9;-~]{1,76})[ \t]*:/;
const OF_MAILS =
  /^(?:received|from|sender|reply-to|to|cc|subject|date|message-id|in-reply-to|references|mime-version|return-path|delivered-to|content-(?:type|transfer-encoding|disposition)|authentication-results|dkim-signature|list-[\w-]{1,60}|x-mailer)$/i;
const ENOUGH_OF_MAILS = 2;
/** A text with this many other fields before the first mail header is something else, such as a log. */
const MOST_OTHERS = 20;

/**
 * Recognizes emails by their headers: a text is an email if it begins with a header field and has at least two usual
 * mail headers before its first empty line. An mbox file begins with `From ` on a line before the headers.
 *
 * @param start the beginning of the text; 64 KiB are enough.
 * @param isWhole whether no more text is available. Otherwise, the result may be `"unknown"`.
 * @example
 * ```ts
 * import { recognizeMail } from "@x/links/mail";
 *
 * recognizeMail("Subject: Hello\nFrom: bob@a.example\n\nHi!"); // → "mail"
 * recognizeMail("Hello, I am Bob.\nI have a page."); // → "neither"
 * ```
 */
export function recognizeMail(start: string, isWhole = true): RecognizedMail {
  let others = 0;
  let ofMails = 0;
  let at = 0;
  const isMbox = start.startsWith("From ");
  for (let number = isMbox ? 0 : 1; at < start.length; number++) {
    LINE.lastIndex = at;
    const [whole, line, lineEnd] = LINE.exec(start)!;
    if (lineEnd === "" && !isWhole) return "unknown";
    at += whole.length;
    if (line === "") break;
    const name = FIELD.exec(line!)?.[1];
    if (number === 1 && name === undefined) return "neither";
    if (number > 0 && name !== undefined) OF_MAILS.test(name) ? ofMails++ : others++;
    if (ofMails === 0 && others === MOST_OTHERS) return "neither";
    if (at === start.length && !isWhole) return "unknown";
  }
  if (start === "" && !isWhole) return "unknown";
  if (ofMails < ENOUGH_OF_MAILS) return "neither";
  return isMbox ? "mbox" : "mail";
}

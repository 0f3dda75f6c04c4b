export {
  type FindLinksInMailOptions,
  findLinksInMail,
  type MailLink,
  type MailLinks,
  type MailPlace,
  type MailProblem,
  type MailProblemCode,
  type UnreadPart,
} from "./mail/find-links-in-mail.ts";
export { recognizeMail } from "./mail/recognize-mail.ts";
export { markedEncoding } from "./text-or-bytes.ts";

export {
  type FindLinksInMailOptions,
  findLinksInMail,
  type MailLinks,
  type MailProblem,
  type MailProblemCode,
  type UnreadPart,
} from "./mail/find-links-in-mail.ts";
export type { MailLink, MailPlace } from "./mail/mail-link.ts";
export { recognizeMail } from "./mail/recognize-mail.ts";

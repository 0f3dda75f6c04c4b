import { extname } from "node:path";
import { Failure } from "@x/command-line";
import { type FoundLink, findLinksInStream, linePlaces } from "@x/links";
import { findLinksInMail, type MailProblemCode, type UnreadPart } from "@x/links/mail";
import type { Io } from "../context.ts";
import type { LinkPlace } from "../output/link-place.ts";
import { refuseDocuments, refuseHidden } from "./foreign-input.ts";
import { ENDINGS, type LinkFormat } from "./link-formats.ts";
import { counted, nameOf, type OnRead, readPieces, withStart } from "./read-file.ts";
import { recognized } from "./recognized-format.ts";

/** A result of the search for links in a file. */
export type FoundInFile =
  | { readonly kind: "link"; readonly place: LinkPlace; readonly link: FoundLink }
  /** A part of a mail that was not searched. */
  | { readonly kind: "unread"; readonly unread: UnreadPart }
  /** A problem with a mail: some of its links may be missing. */
  | { readonly kind: "problem"; readonly part: readonly string[]; readonly code: MailProblemCode };

/** The messages about mails whose links may be missing. */
export const PROBLEMS: Readonly<Record<MailProblemCode, string>> = {
  "boundary-missing": "the parts of the mail cannot be told apart, so links may be missing",
  "headers-differ": "headers of the mail contradict each other, so links may be missing",
  "structure-unreadable": "the structure of the mail cannot be read, so links may be missing",
  "mail-too-long": "the mail is longer than 64 MiB, and the rest was not searched",
};

const UNREAD: Readonly<Record<UnreadPart["reason"], string>> = {
  type: "was not searched: its type is not searched",
  depth: "was not searched: it is nested in too many mails",
  partial: "was not searched as a whole: it is only a piece of a mail",
  charset: "was not searched as a whole: its character set is unknown",
};

/** Describes a part of a mail that was not searched, and gives the reason. */
export function unreadText({ name, type, reason }: UnreadPart): string {
  return `${name === null ? type : `${name} (${type})`} ${UNREAD[reason]}`;
}

export interface LinkSearch {
  /** `-` for stdin. */
  readonly file: string;
  readonly as?: LinkFormat | undefined;
  /** The URL that relative references in HTML and Markdown are resolved against. */
  readonly base?: string | undefined;
}

const MAX_MAIL_BYTES = 2 ** 26;

/** @throws {Failure} when the file cannot be read, is in UTF-16, is compressed, or is a document such as a PDF file. */
export async function* linksInFile(
  { file, as, base }: LinkSearch,
  io: Pick<Io, "stdin">,
  onRead: OnRead,
): AsyncGenerator<FoundInFile> {
  const known = as ?? ENDINGS[extname(file).toLowerCase()];
  const all = counted(readPieces(file, io), onRead);
  const refuse = as === undefined ? refuseDocuments : refuseHidden;
  const checked = withStart(all, (start) => refuse(start, file));
  const { format, pieces } =
    known === undefined ? await recognized(checked) : { format: known, pieces: checked };
  if (format === "mail") yield* inMail(await mailIn(pieces, file));
  else yield* inText(pieces, { as: format, base });
}

async function* inText(
  pieces: AsyncIterable<Uint8Array>,
  options: { readonly as: "text" | "html" | "markdown"; readonly base: string | undefined },
): AsyncGenerator<FoundInFile> {
  const lines = linePlaces();
  async function* decoded(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    for await (const piece of pieces) {
      const text = decoder.decode(piece, { stream: true });
      lines.add(text);
      yield text;
    }
    const last = decoder.decode();
    lines.add(last);
    yield last;
  }
  for await (const link of findLinksInStream(decoded(), options)) {
    yield { kind: "link", place: lines.placeOf(link.start), link };
  }
}

/** The second mail of a mailbox (RFC 4155). The first one begins with such a line, too. */
const NEXT_MAIL = /\n\r?\nFrom /;

/**
 * Reads a mail, up to one byte more than is searched.
 *
 * @throws {Failure} when the file is a mailbox of several mails.
 */
async function mailIn(pieces: AsyncIterable<Uint8Array>, file: string): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const more = piece.subarray(0, MAX_MAIL_BYTES + 1 - length);
    if (more.length > 0) kept.push(new Uint8Array(more));
    length += more.length;
  }
  const mail = Buffer.concat(kept);
  const text = mail.toString("latin1");
  if (!/^\s*From /.test(text) || !NEXT_MAIL.test(text)) return mail;
  throw new Failure(
    `${nameOf(file)} looks like a mailbox: expected one mail (split it first, for example with formail -s)`,
  );
}

async function* inMail(mail: Uint8Array): AsyncGenerator<FoundInFile> {
  const { links, unread, problems } = await findLinksInMail(mail, { maxBytes: MAX_MAIL_BYTES });
  for (const { part, line, column, also, ...link } of links) {
    const place = { part, line, column, ...(also.length > 0 && { also }) };
    yield { kind: "link", place, link };
  }
  for (const each of unread) yield { kind: "unread", unread: each };
  for (const { part, code } of problems) yield { kind: "problem", part, code };
}

import { extname } from "node:path";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { type FoundLink, findLinksInStream, leadsToSite, linePlaces } from "@x/links";
import {
  findLinksInMail,
  type MailProblemCode,
  recognizeMail,
  type UnreadPart,
} from "@x/links/mail";
import type { Io } from "../context.ts";
import { type Input, type LinkPlace, partText } from "../output/results.ts";
import { refuseDocuments, refuseHidden } from "./foreign-input.ts";
import { ENDINGS, type LinkFormat } from "./link-formats.ts";
import { counted, nameOf, type OnRead, readPieces, withStart } from "./read-file.ts";

/** A result of the search for links in a file. */
export type FoundInFile =
  | { readonly kind: "link"; readonly place: LinkPlace; readonly link: FoundLink }
  /** A part of an email that was not searched. */
  | { readonly kind: "unread"; readonly unread: UnreadPart }
  /** A problem with an email: some of its links may be missing. */
  | { readonly kind: "problem"; readonly part: readonly string[]; readonly code: MailProblemCode };

/** The messages about emails whose links may be missing. */
export const PROBLEMS: Readonly<Record<MailProblemCode, string>> = {
  "boundary-missing": "the parts of the email cannot be told apart, so links may be missing",
  "headers-differ": "headers of the email contradict each other, so links may be missing",
  "structure-unreadable": "the structure of the email cannot be read, so links may be missing",
  "mail-too-long": "the email is longer than 64 MiB, and the rest was not searched",
};

const UNREAD: Readonly<Record<UnreadPart["reason"], string>> = {
  type: "was not searched: its type is not searched",
  depth: "was not searched: it is nested in too many emails",
  partial: "was not searched as a whole: it is only a piece of an email",
  encoding: "was not searched as a whole: its encoding is unknown",
  charset: "was not searched as a whole: its character set is unknown",
};

/** Describes a part of an email that was not searched, and gives the reason. */
export function unreadText({ name, type, reason }: UnreadPart): string {
  return `${name === null ? type : `${name} (${type})`} ${UNREAD[reason]}`;
}

interface LinkSearch {
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
 * Reads an email, up to one byte more than is searched.
 *
 * @throws {Failure} when the file is a mailbox of several emails.
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
    `${nameOf(file)} looks like a mailbox: expected one email (split it first, for example with formail -s)`,
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

/** The format that the contents of a file have, and all chunks of the file. */
interface Recognized {
  readonly format: LinkFormat;
  readonly pieces: AsyncGenerator<Uint8Array>;
}

/** The maximum number of bytes that are searched for the headers of an email. */
const START_LENGTH = 65_536;

/** The beginning of a page or of XML, which has character references like a page. */
const PAGE = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|\?xml)[\s>]/i;
/** What may become the beginning of a page. */
const PAGE_SO_FAR = /^(?:\xef\xbb\xbf)?\s*(?:<[!?]?[a-z]{0,7})?$/i;

/**
 * Recognizes emails by their headers, and pages by their first tag. Other files are passed on as soon as their
 * beginning cannot be that of one of these.
 */
async function recognized(pieces: AsyncIterable<Uint8Array>): Promise<Recognized> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let start = "";
  let looked = 0;
  for (;;) {
    const { done, value } = await iterator.next();
    if (done !== true) {
      first.push(value);
      start += Buffer.from(value.subarray(0, START_LENGTH)).toString("latin1");
      // A beginning that arrives byte by byte is examined only when its length has doubled.
      if (start.length < 2 * looked && start.length < START_LENGTH) continue;
    }
    looked = start.length;
    const isWhole = done === true || start.length >= START_LENGTH;
    const kind = recognizeMail(start.slice(0, START_LENGTH), isWhole);
    if (kind === "unknown" || (!isWhole && PAGE_SO_FAR.test(start))) continue;
    const other = PAGE.test(start) ? "html" : "text";
    return { format: kind === "neither" ? other : "mail", pieces: afterFirst(first, iterator) };
  }
}

async function* afterFirst(
  first: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/**
 * Yields the links in a file that lead to a site, as inputs. An email whose links may be missing is a refused input.
 * Parts of emails that are not searched are reported on stderr.
 *
 * @throws {Failure} when the file cannot be read.
 */
export async function* linksToCheck(
  search: LinkSearch,
  io: Pick<Io, "stdin" | "stderr">,
  onRead: OnRead,
): AsyncGenerator<Input> {
  for await (const found of linksInFile(search, io, onRead)) {
    if (found.kind === "link") {
      const { place, link } = found;
      if (leadsToSite(link.url)) yield { place, text: link.url };
    } else if (found.kind === "unread") {
      const { unread } = found;
      const at = partText(unread.part.slice(0, -1));
      io.stderr.write(`urlhash: ${printable(`${at} ${unreadText(unread)}`.trim())}\n`);
    } else {
      const { part, code } = found;
      const place = { part, line: 1, column: 1 };
      const error = {
        code,
        message: PROBLEMS[code],
        expected: "a whole email",
        index: null,
        section: null,
      };
      yield { place, text: "", refused: { error } };
    }
  }
}

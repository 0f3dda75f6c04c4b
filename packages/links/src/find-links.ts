import { ownOptions, typeError } from "@x/canon/own-options";
import type { FoundLink } from "./found-link.ts";
import { htmlScanner, scanHtml } from "./html/scan-html.ts";
import { LONGEST_PIECE, pieceLength, scanMarkdown } from "./markdown/scan-markdown.ts";
import { findInText, foundLinks } from "./text/found-in-text.ts";
import { LONGEST_LOOK_BACK } from "./text/link-end.ts";
import { scanText } from "./text/scan-text.ts";

/** The format that a text is parsed as. */
export type TextFormat = "text" | "html" | "markdown";

/** The options of `findLinks`. */
export interface FindLinksOptions {
  /** The format of the text; `"text"` by default. */
  readonly as?: TextFormat | undefined;
  /**
   * The URL that relative references in HTML and Markdown are resolved against, unless the HTML has a `<base>`. Without
   * either, relative references are left out, except for an `href` that begins with a host, such as
   * `www.evil.example/a`: email programs open it as a URL.
   */
  readonly base?: string | undefined;
}

/**
 * Returns the links in a text, in order. If a text can be read in two ways, the links of both are returned, so they may
 * overlap: a `=` at the end of a line may be a soft line break, and Chinese or Japanese text after a path may belong to
 * it.
 *
 * In text, a link is a URL with a scheme, or a host in an existing top-level domain, with or without a path. In HTML
 * and Markdown, references in tags, style sheets, scripts and comments are links, too. Defanged URLs are refanged. Mail
 * addresses in running text are not links. Time is linear in the length of the text.
 *
 * @throws {TypeError} when the text is not a string, or an option is not valid.
 * @throws {RangeError} when `base` is not an absolute URL.
 * @example
 * ```ts
 * import { findLinks } from "@x/links";
 *
 * findLinks("Blocked: hxxps://login[.]evil[.]example/a, again.").map(({ url }) => url); // → ["https://login.evil.example/a"]
 *
 * const [link] = findLinks('<a href="http://evil.example/">www.bank.example</a>', { as: "html" });
 * link; // → { text: "http://evil.example/", start: 9, end: 29, url: "http://evil.example/", where: "href", isDefanged: false, shown: "www.bank.example" }
 * ```
 */
export function findLinks(text: string, options: FindLinksOptions = {}): FoundLink[] {
  if (typeof text !== "string") throw typeError("text", "a string", text);
  const { as, base } = readOptions(options);
  const found: FoundLink[] = [];
  const sink = (link: FoundLink) => found.push(link);
  if (as === "html") scanHtml(text, { bases: [base], isMail: false, sink, depth: 0, offset: 0 });
  else if (as === "markdown") scanMarkdown(text, { base, sink, offset: 0 });
  else findInText(text, 0, sink);
  return found;
}

/**
 * Finds the same links as `findLinks` in text that arrives in pieces, wherever the text is split. Indices count from
 * the start of the whole text. Pieces are strings: pipe a stream of bytes through a `TextDecoderStream`.
 *
 * Memory use is bounded: a run of more than 65 536 code units without a space, and an HTML tag or comment of more than
 * 1 048 576, are searched in pieces. In HTML, a `<base>` applies only to the links after it.
 *
 * @throws {TypeError} when an option is not valid; the iteration throws it when a piece is not a string.
 * @throws {RangeError} when `base` is not an absolute URL.
 * @example
 * ```ts
 * import { findLinksInStream } from "@x/links";
 *
 * const urls: string[] = [];
 * for await (const { url } of findLinksInStream(["see htt", "p://a.example", "/b and c.exa", "mple"])) urls.push(url);
 * urls; // → ["http://a.example/b", "http://c.example"]
 * ```
 */
export function findLinksInStream(
  pieces: AsyncIterable<string> | Iterable<string>,
  options: FindLinksOptions = {},
): AsyncGenerator<FoundLink, void> {
  const { as, base } = readOptions(options);
  let found: FoundLink[] = [];
  const sink = (link: FoundLink) => found.push(link);
  const scanner = {
    text: () => textScanner(sink),
    html: () => htmlScanner({ bases: [base], isMail: false, sink, depth: 0, offset: 0 }),
    markdown: () => markdownScanner(base, sink),
  }[as]();
  const take = () => {
    const taken = found;
    found = [];
    return taken;
  };
  return pushAll(pieces, scanner, take);
}

const FORMATS: readonly unknown[] = ["text", "html", "markdown"];

function readOptions(options: FindLinksOptions): {
  readonly as: TextFormat;
  readonly base: string | null;
} {
  const { as = "text", base = null } = ownOptions(options);
  if (!FORMATS.includes(as)) throw typeError("as", '"text", "html" or "markdown"', as);
  if (base !== null && typeof base !== "string") throw typeError("base", "a string", base);
  if (base !== null && !URL.canParse(base)) {
    throw new RangeError(`base must be an absolute URL, not ${JSON.stringify(base.slice(0, 60))}`);
  }
  return { as, base };
}

/** Searches a text that arrives in pieces. */
interface Scanner {
  readonly push: (piece: string) => void;
  readonly end: () => void;
}

async function* pushAll(
  pieces: AsyncIterable<string> | Iterable<string>,
  scanner: Scanner,
  take: () => FoundLink[],
): AsyncGenerator<FoundLink, void> {
  for await (const piece of pieces) {
    if (typeof piece !== "string") throw typeError("each piece of text", "a string", piece);
    for (let at = 0; at < piece.length; at += STEP) {
      scanner.push(piece.slice(at, at + STEP));
      yield* take();
    }
  }
  scanner.end();
  yield* take();
}

/** Long pieces are searched in steps of this many code units, so that few links are in memory at once. */
const STEP = 262_144;

function textScanner(sink: (link: FoundLink) => void): Scanner {
  let kept = "";
  let start = 0;
  let from = 0;
  const toFound = foundLinks("text");
  const scan = (isLast: boolean) => {
    const text = kept;
    const next = scanText({ text, from, isLast }, (link) => sink(toFound(text, link, start)));
    const drop = Math.max(0, next - LONGEST_LOOK_BACK);
    kept = text.slice(drop);
    start += drop;
    from = next - drop;
  };
  return {
    push(piece) {
      kept += piece;
      scan(false);
    },
    end: () => scan(true),
  };
}

/** The number of code units to collect before parsing. It must be greater than `LONGEST_PIECE`. */
const ENOUGH_MARKDOWN = 65_536;

function markdownScanner(base: string | null, sink: (link: FoundLink) => void): Scanner {
  let kept = "";
  let start = 0;
  return {
    push(piece) {
      kept += piece;
      while (kept.length >= ENOUGH_MARKDOWN) {
        const length = pieceLength(kept.slice(0, LONGEST_PIECE), kept.length);
        scanMarkdown(kept.slice(0, length), { base, sink, offset: start });
        kept = kept.slice(length);
        start += length;
      }
    },
    end: () => scanMarkdown(kept, { base, sink, offset: start }),
  };
}

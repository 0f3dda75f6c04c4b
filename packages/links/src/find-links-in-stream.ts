import { typeError } from "@x/canon/own-options";
import { type FindLinksOptions, readOptions } from "./find-links.ts";
import type { FoundLink } from "./found-link.ts";
import { htmlScanner } from "./html/scan-html.ts";
import { LONGEST_PIECE, pieceLength, scanMarkdown } from "./markdown/scan-markdown.ts";
import { LONGEST_LOOK_BACK } from "./text/link-end.ts";
import { scanText, toFound } from "./text/scan-text.ts";

/** Searches a text that arrives in pieces. */
interface Scanner {
  readonly push: (piece: string) => void;
  readonly end: () => void;
}

/**
 * Finds the same links as `findLinks` in text that arrives in pieces, wherever the text is split. Indices count from
 * the start of the whole text. Pieces are strings: pipe a stream of bytes through a `TextDecoderStream`.
 *
 * Memory use is bounded: a run of more than 65 536 code units without a blank, and an HTML tag or comment of more than
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
  const scan = (isLast: boolean) => {
    const text = kept;
    const next = scanText({ text, from, isLast }, (link) =>
      sink(toFound(text, link, start, "text")),
    );
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

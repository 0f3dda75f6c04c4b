import { type Token, Tokenizer, TokenizerMode } from "parse5";
import { findInText } from "../text/found-in-text.ts";
import { addAttributes, addBaseOf } from "./attribute-links.ts";
import {
  collectLinks,
  type HtmlContext,
  type InnerReader,
  type LinkCollector,
} from "./collect-links.ts";
import { openElements, rawContents, TEXT_MODES } from "./elements.ts";
import { pendingText } from "./pending-text.ts";

/** Finds the links in HTML that arrives in pieces. */
interface HtmlScanner {
  readonly push: (piece: string) => void;
  readonly end: () => void;
}

/** The tokenizer gets HTML in pieces of this length. */
const PIECE = 65_536;
/** A longer tag or comment is searched as if it had ended. */
const LONGEST_TOKEN = 1_048_576;

/** Reads the tokens of HTML. Indices in a tag token are those of the source minus `origin`. */
interface TokenReader {
  readonly openTag: (tag: Token.TagToken, origin: number) => void;
  readonly closeTag: (tag: Token.TagToken) => void;
  readonly text: (chars: string, start: number, end: number) => void;
  /** Skips a character that adds no text. */
  readonly skip: (start: number, end: number) => void;
  readonly comment: (data: string, start: number, end: number) => void;
  /** Searches the text that has been read and not searched yet. */
  readonly flush: () => void;
  /** Treats an open element such as `<script>` as closed. */
  readonly leaveElement: () => void;
  /** The index at which the unsearched part begins. */
  readonly start: () => number;
  /** Whether tags are read by the rules of SVG and MathML. */
  readonly isForeign: () => boolean;
}

function tokenReader(links: LinkCollector): TokenReader {
  const elements = openElements();
  const raw = rawContents(links, elements.isAmbiguous);
  const text = pendingText(links);
  const target = { links, openAnchor: text.openAnchor, readersOfBase: elements.readersOfBase };

  return {
    openTag(tag, origin) {
      const name = tag.tagName;
      text.flushBefore(name);
      elements.open(name, tag.selfClosing);
      if (tag.attrs.length > 0) addAttributes(target, tag, origin);
      const isForeign = elements.isForeign();
      if (name === "style") text.setForeignStyle(isForeign);
      if (TEXT_MODES.has(name) && !isForeign) raw.open(name, origin + tag.location!.endOffset);
      text.settle();
    },
    closeTag({ tagName: name }) {
      raw.flush(true);
      raw.close();
      text.flushBefore(name);
      if (name === "style") text.setForeignStyle(false);
      elements.close(name);
      text.settle();
    },
    text(chars, start, end) {
      if (raw.isOpen()) raw.add(chars, start, end);
      else text.add(chars, start, end);
    },
    skip: text.skip,
    comment(data, start, end) {
      const from = startOfComment(links, start);
      if (/[.:/]/.test(data)) links.addComment(links.slice(from, end), from);
      text.settle();
    },
    flush() {
      raw.flush(false);
      text.flush();
    },
    leaveElement: raw.close,
    start: () => Math.min(raw.start(), text.start()),
    isForeign: elements.isForeign,
  };
}

/** The index after the opening mark of a comment, such as `<!--`. */
function startOfComment(links: LinkCollector, start: number): number {
  return start + /^<(?:!--|[!/?])/.exec(links.slice(start, start + 4))![0].length;
}

/** Reads only `<base>` elements, including those in comments. */
function baseReader(links: LinkCollector): TokenReader {
  const elements = openElements();
  const ignore = () => {};
  return {
    openTag(tag) {
      elements.open(tag.tagName, tag.selfClosing);
      addBaseOf({ links, readersOfBase: elements.readersOfBase }, tag);
    },
    closeTag: ({ tagName }) => elements.close(tagName),
    comment(_data, start, end) {
      const from = startOfComment(links, start);
      links.addBaseOfComment(links.slice(from, end), from);
    },
    text: ignore,
    skip: ignore,
    flush: ignore,
    leaveElement: ignore,
    start: () => Number.POSITIVE_INFINITY,
    isForeign: elements.isForeign,
  };
}

/** A tokenizer that started at an index of the source. */
interface TokenizerAt {
  readonly tokenizer: Tokenizer;
  /** The index in the source at which the tokenizer started. Its own indices start at 0. */
  readonly origin: number;
  /** The index in the source at which the last token ended. */
  lastTokenEnd: number;
}

function tokenizerAt(origin: number, reader: TokenReader): TokenizerAt {
  /** Returns the place of a token in the source and records its end. */
  const spanOf = ({ location }: { readonly location: Token.Location | null }) => {
    at.lastTokenEnd = origin + location!.endOffset;
    return [origin + location!.startOffset, at.lastTokenEnd] as const;
  };
  const onText = (token: Token.CharacterToken) => reader.text(token.chars, ...spanOf(token));
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(tag) {
        spanOf(tag);
        reader.openTag(tag, origin);
        tokenizer.inForeignNode = reader.isForeign();
        const mode = TEXT_MODES.get(tag.tagName);
        if (mode !== undefined && !tokenizer.inForeignNode) tokenizer.state = mode;
      },
      onEndTag(tag) {
        spanOf(tag);
        reader.closeTag(tag);
        tokenizer.inForeignNode = reader.isForeign();
      },
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: (token) => reader.skip(...spanOf(token)),
      onComment: (token) => reader.comment(token.data, ...spanOf(token)),
      onDoctype: (token) => void spanOf(token),
      onEof: () => {},
    },
  );
  const at = { tokenizer, origin, lastTokenEnd: origin };
  return at;
}

/**
 * Finds the links in HTML. Comments, and the contents of elements that only some programs read as markup, are searched
 * as HTML, too.
 */
export function htmlScanner(context: HtmlContext): HtmlScanner {
  const source = sourceWindow();
  const links = collectLinks(context, source.slice, INNER);
  const reader = tokenReader(links);
  let at = tokenizerAt(0, reader);

  /** Ends the tokenizer and searches all text that has not been searched yet. */
  function end(): void {
    at.tokenizer.write("", true);
    flush(at.lastTokenEnd);
  }
  /** @param from The index after the last token. */
  function flush(from: number): void {
    reader.flush();
    // Browsers do not show an unfinished tag, but other programs may read it.
    const rest = source.slice(from, source.end());
    if (rest !== "") {
      findInText(rest, context.offset + from, links.add, "text", links.isDecoded);
    }
    links.release();
  }
  /** Ends a token longer than `LONGEST_TOKEN` and starts a new tokenizer after it. */
  function restart(): void {
    const from = at.lastTokenEnd;
    at.tokenizer.write("", true);
    flush(from);
    reader.leaveElement();
    at = tokenizerAt(source.end(), reader);
  }
  function pushPiece(piece: string): void {
    source.add(piece);
    at.tokenizer.write(piece, false);
    at.tokenizer.flushCharacters();
    if (source.end() - at.lastTokenEnd > LONGEST_TOKEN) restart();
    source.dropBefore(Math.min(at.lastTokenEnd, reader.start()));
  }

  return {
    push(piece) {
      for (let i = 0; i < piece.length; i += PIECE) pushPiece(piece.slice(i, i + PIECE));
    },
    end,
  };
}

function scanPiece(html: string, context: HtmlContext): void {
  const scanner = htmlScanner(context);
  scanner.push(html);
  scanner.end();
}

/** Finds the links in a whole document, whose `<base>` may be anywhere. */
export function scanHtml(html: string, context: HtmlContext): void {
  scanPiece(html, { ...context, bases: basesIn(html, context), areBasesKnown: true });
}

const INNER: InnerReader = { scan: scanPiece, basesIn };

/** The bases of relative references in a whole document. */
function basesIn(html: string, context: HtmlContext): HtmlContext["bases"] {
  if (!/<base[\s/]/i.test(html)) return context.bases;
  const links = collectLinks(context, (start, end) => html.slice(start, end), INNER);
  const { tokenizer } = tokenizerAt(0, baseReader(links));
  for (let i = 0; i < html.length; i += PIECE) tokenizer.write(html.slice(i, i + PIECE), false);
  tokenizer.write("", true);
  return links.bases();
}

/** Decodes the character references in text without tags. */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  let decoded = "";
  const add = ({ chars }: Token.CharacterToken) => {
    decoded += chars;
  };
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onCharacter: add,
      onWhitespaceCharacter: add,
      onNullCharacter: add,
      onStartTag: ignore,
      onEndTag: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.state = TokenizerMode.RCDATA;
  tokenizer.write(text, true);
  return decoded;
}

/** The part of an arriving text that is still needed. Indices are those of the whole text. */
interface SourceWindow {
  readonly add: (piece: string) => void;
  readonly slice: (start: number, end: number) => string;
  /** The index after the last character that has arrived. */
  readonly end: () => number;
  readonly dropBefore: (index: number) => void;
}

function sourceWindow(): SourceWindow {
  let kept = "";
  let start = 0;
  return {
    add(piece) {
      kept += piece;
    },
    slice: (from, to) => kept.slice(from - start, to - start),
    end: () => start + kept.length,
    dropBefore(index) {
      kept = kept.slice(index - start);
      start = index;
    },
  };
}

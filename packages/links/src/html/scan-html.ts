import { type Token, Tokenizer, TokenizerMode } from "parse5";
import type { FoundLink, LinkSink } from "../found-link.ts";
import { unescapeScript } from "../text/clean.ts";
import { findInText, scanText, toFound } from "../text/scan-text.ts";
import { documentInDataUrl } from "../unwrap/data-url.ts";
import { attributeKind, references } from "./attributes.ts";
import { cssReferences, unescapeCss } from "./css.ts";
import { resolve, tryResolve } from "./references.ts";
import { refreshUrl } from "./refresh.ts";
import { shownAsOther } from "./shown-host.ts";
import { TEXT_MODES } from "./text-modes.ts";
import { type VisibleText, visibleText } from "./visible-text.ts";

/** Finds the links in HTML that arrives in pieces. */
export interface HtmlScanner {
  readonly push: (piece: string) => void;
  readonly end: () => void;
  /** What relative references are resolved against so far. */
  readonly base: () => string | null;
}

/** What is around the HTML. */
export interface HtmlContext {
  /** What relative references are resolved against; `null` leaves them out. A `<base>` replaces it. */
  readonly base: string | null;
  /** Whether `base` is already that of the `<base>` of the document. */
  readonly isBaseKnown?: boolean;
  readonly sink: LinkSink;
  /** How many documents and comments this HTML is inside of. */
  readonly depth: number;
  /** The index of the first character. */
  readonly offset: number;
}

const DEEPEST = 4;
/** HTML is given to the tokenizer in pieces of this length. */
const PIECE = 65_536;
/** A longer tag or comment is searched as if it had ended. */
const LONGEST_TOKEN = 1_048_576;
const LONGEST_TEXT = 65_536;
const LONGEST_SHOWN_TEXT = 1000;
/** If so many links are inside of one, what that shows is not read any further. */
const MOST_PENDING = 10_000;

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Elements inside a line: text goes on before and after their tags. */
const INLINE = setOf(
  "a abbr acronym b bdi bdo big cite code dfn del em font i ins kbd mark nobr q s samp small span strike strong sub sup tt u var wbr",
);
/** Inside of svg and math, tags are read in another way; inside of the others again as HTML. */
const FOREIGN = setOf("svg math");
const INTEGRATION = setOf("foreignobject desc annotation-xml mi mo mn ms mtext");
/** HTML §13.2.6.5: these end foreign content. */
const BREAKOUT = setOf(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);

interface OpenLink {
  readonly link: FoundLink;
  text: string;
}

/** An element whose contents are text, and which part of the source has not been searched yet. */
interface RawElement {
  readonly name: string;
  start: number;
  end: number;
}

/**
 * Finds the links in HTML. Comments, and the contents of elements that only some programs read as markup, are searched
 * as HTML, too.
 */
export function htmlScanner(context: HtmlContext): HtmlScanner {
  const { sink, depth, offset } = context;
  let { base } = context;
  let hasBase = context.isBaseKnown ?? false;
  /** The part of the source that may still be asked for. */
  let source = "";
  let sourceStart = 0;
  /** Where the tokenizer began; its indices start at 0. */
  let origin = 0;
  let lastTokenEnd = 0;
  let pending: FoundLink[] = [];
  let anchor: OpenLink | null = null;
  let raw: RawElement | null = null;
  let foreign: string[] = [];
  let templates = 0;
  /** Whether this is a style sheet in foreign content, where it may have tags and comments. */
  let isForeignStyle = false;
  /** Whether there was markup after which browsers, with or without scripts, may read `<title>` in another way. */
  let isAmbiguous = false;

  const slice = (start: number, end: number) =>
    source.slice(start - sourceStart, end - sourceStart);
  const text = visibleText(slice);
  /** The text of a style sheet in foreign content, up to the next tag. */
  const foreignCss = visibleText(slice);
  /** The text of a `<title>` or `<textarea>`, which may have character references. */
  const rawText = visibleText(slice, { hasCdata: false });
  const emit = (link: FoundLink) => pending.push(link);
  const emitMoved = (link: FoundLink) =>
    pending.push({ ...link, start: link.start + offset, end: link.end + offset });
  const release = () => {
    const sorted = pending.sort((one, other) => one.start - other.start);
    pending = [];
    for (const link of sorted) sink(link);
  };
  const flushText = () => scanVisible(text);
  const scanVisible = (visible: VisibleText) => {
    if (visible.length() === 0) return;
    const { text: shown, toSource } = visible.take();
    scanText({ text: shown, from: 0, isLast: true }, (link) => {
      const start = toSource(link.start, false);
      const end = toSource(link.end, true);
      const found = toFound(shown, link, 0, "text");
      emitMoved({ ...found, text: slice(start, end), start, end });
    });
  };
  const closeAnchor = () => {
    if (anchor === null) return;
    const { link, text: label } = anchor;
    anchor = null;
    emit({ ...link, shown: shownAsOther(label, link.url) });
  };
  const nested = (html: string, start: number, where?: string, innerBase = base) => {
    if (depth + 1 >= DEEPEST) {
      findInText(html, offset + start, emit, where);
      return;
    }
    const inner = (link: FoundLink) => emit(where === undefined ? link : { ...link, where });
    const scanner = htmlScanner({
      base: innerBase,
      isBaseKnown: true,
      sink: inner,
      depth: depth + 1,
      offset: offset + start,
    });
    scanner.push(html);
    scanner.end();
  };
  const emitReference = (value: string, start: number, end: number, where: string) => {
    const resolved = resolve(value, base);
    if (resolved === null) return null;
    const link: FoundLink = {
      text: slice(start, end),
      start: offset + start,
      end: offset + end,
      ...resolved,
      where,
      shown: null,
    };
    emit(link);
    return link;
  };
  const scanCss = (css: string, toSource: (index: number, isEnd: boolean) => number) => {
    const found = cssReferences(css);
    for (const { value, start, end } of found) {
      emitReference(value, toSource(start, false), toSource(end, true), "css");
    }
    if (found.length === 0 && css.includes("\\")) {
      const [start, end] = [toSource(0, false), toSource(css.length, true)];
      for (const { value } of cssReferences(unescapeCss(css))) {
        emitReference(value, start, end, "css");
      }
    }
  };
  const flushForeignCss = () => {
    if (foreignCss.length() === 0) return;
    const { text: css, toSource } = foreignCss.take();
    scanCss(css, toSource);
  };
  /** Finds links in a part of the source without character references. */
  const scanPlain = (content: string, start: number, where: "text" | "script") => {
    findInText(
      content,
      start,
      (link) => {
        const url = where === "script" ? unescapeScript(link.url) : link.url;
        emitMoved({ ...link, text: slice(link.start, link.end), url });
      },
      where,
    );
  };
  const flushRaw = (isClosed: boolean) => {
    if (raw === null || raw.start === raw.end) return;
    const { name, start, end } = raw;
    raw.start = end;
    // The tokenizer replaces these, too.
    const content = slice(start, end).replaceAll("\0", "\ufffd");
    if (name === "style") scanCss(content, (index) => start + index);
    else if (name === "script") scanPlain(content, start, "script");
    const isText = isRcdata(name);
    if (isText) scanVisible(rawText);
    if (!content.includes("<")) {
      const isRaw = TEXT_MODES.get(name) === TokenizerMode.RAWTEXT && name !== "style";
      if (isRaw || name === "plaintext") scanPlain(content, start, "text");
    } else if (!isText || !isClosed || isAmbiguous) {
      // Other programs read this as markup, or this element as another one.
      const known = new Set(pending.map((link) => `${link.start} ${link.url}`));
      const before = pending;
      pending = [];
      nested(slice(start, end), start);
      const added = pending.filter((link) => !known.has(`${link.start} ${link.url}`));
      pending = before;
      const isMarkup = name !== "style" && name !== "script";
      for (const link of added) if (isMarkup || link.where !== "text") pending.push(link);
    }
  };

  const onStartTag = (tag: Token.TagToken) => {
    const name = tag.tagName;
    const start = origin + tag.location!.startOffset;
    const end = origin + tag.location!.endOffset;
    flushForeignCss();
    if (!INLINE.has(name)) flushText();
    if (name === "a") closeAnchor();
    if (BREAKOUT.has(name) && isForeign()) foreign = [];
    if (name === "template") templates++;
    if (name === "noscript" || name === "select") isAmbiguous = true;
    if (FOREIGN.has(name) || (foreign.length > 0 && INTEGRATION.has(name))) {
      isAmbiguous = true;
      if (!tag.selfClosing) foreign.push(name);
    }
    if (tag.attrs.length > 0) readAttributes(tag, start, end);
    tokenizer.inForeignNode = isForeign();
    const mode = TEXT_MODES.get(name);
    if (name === "style") isForeignStyle = isForeign();
    if (mode !== undefined && !isForeign()) {
      tokenizer.state = mode;
      raw = { name, start: end, end };
    }
    lastTokenEnd = end;
    settle();
  };
  const isForeign = () => FOREIGN.has(foreign.at(-1) ?? "");

  const readAttributes = (tag: Token.TagToken, tagStart: number, tagEnd: number) => {
    const places = tag.location!.attrs ?? {};
    const isRefresh = tag.tagName === "meta" && tag.attrs.some(({ name }) => name === "http-equiv");
    // After a quotation mark that is missing or never closed, browsers read a URL as the names of attributes.
    const broken = tag.attrs.find(({ name }) => /^(?:https?|ftp):$/.test(name));
    if (broken !== undefined) {
      const start = origin + (places[broken.name]?.startOffset ?? tagStart - origin);
      scanPlain(slice(start, tagEnd), start, "text");
    }
    for (const { name, value } of tag.attrs) {
      if (value === "") continue;
      const place = places[name];
      const start = place === undefined ? tagStart : origin + place.startOffset;
      const end = place === undefined ? tagEnd : origin + place.endOffset;
      const [from, to] = valueSpan(slice(start, end), start);
      if (tag.tagName === "base" && name === "href") {
        setBase(value);
        continue;
      }
      readAttribute(tag, name, value, from, to, isRefresh);
    }
  };

  const setBase = (value: string) => {
    if (hasBase || templates > 0 || foreign.length > 0) return;
    const resolved = tryResolve(value, base ?? "http://unknown.invalid/");
    if (resolved === null || (base === null && resolved.startsWith("http://unknown.invalid/")))
      return;
    base = resolved;
    hasBase = true;
  };

  const readAttribute = (
    tag: Token.TagToken,
    name: string,
    value: string,
    start: number,
    end: number,
    isRefresh: boolean,
  ) => {
    const where = name === "xlink:href" ? "href" : name;
    const kind = attributeKind(tag.tagName, name);
    // Without a valid time, browsers stay, and this is an attribute like any other.
    const refresh = kind === "refresh" && isRefresh ? refreshUrl(value) : null;
    if (kind === "none") return;
    if (kind === "document") nestedValue(value, start, end);
    else if (kind === "script") scanValue(value, start, end, "script", false);
    else if (refresh !== null) emitReference(refresh, start, end, "refresh");
    else if (kind === "other" || kind === "refresh") {
      const css = value.includes("(") ? references("css", value) : [];
      if (css.length > 0) emitAll(css, start, end, "css");
      else scanValue(value, start, end, where, true);
    } else if (kind === "url") {
      const link = emitReference(value, start, end, where);
      if (link !== null && name.endsWith("href") && tag.tagName === "a") {
        pending.splice(pending.indexOf(link), 1);
        if (anchor === null) anchor = { link, text: "" };
        else emit(link);
      }
      if (/^[\0- ]*javascript:/i.test(value)) scanValue(value, start, end, "script", false);
      const document = documentInDataUrl(value);
      if (document !== null) nestedValue(document, start, end, null);
    } else emitAll(references(kind, value), start, end, kind === "css" ? "css" : where);
  };

  const emitAll = (values: readonly string[], start: number, end: number, where: string) => {
    for (const value of values) emitReference(value, start, end, where);
  };
  /** Finds links in the decoded value of an attribute. Their indices are those of the value. */
  const scanValue = (
    value: string,
    start: number,
    end: number,
    where: string,
    onlyWhole: boolean,
  ) => {
    const isPlain = end - start === value.length;
    scanText({ text: value, from: 0, isLast: true }, (link) => {
      const found = toFound(value, link, start, where);
      if (onlyWhole && !/^(?:[^\s/]*:|\/\/)/.test(found.text)) return;
      const url = where === "script" ? unescapeScript(found.url) : found.url;
      const [from, to] = isPlain ? [found.start, found.end] : [start, end];
      emitMoved({ ...found, url, text: slice(from, to), start: from, end: to });
    });
  };
  /** Finds links in a document in the decoded value of an attribute. */
  const nestedValue = (html: string, start: number, end: number, innerBase = base) => {
    const before = pending;
    pending = [];
    nested(html, start, undefined, innerBase);
    const found = pending;
    pending = before;
    const isPlain = slice(start, end) === html;
    for (const link of found) {
      const [from, to] = isPlain ? [link.start - offset, link.end - offset] : [start, end];
      emitMoved({ ...link, text: slice(from, to), start: from, end: to });
    }
  };

  const onEndTag = (tag: Token.TagToken) => {
    const name = tag.tagName;
    lastTokenEnd = origin + tag.location!.endOffset;
    if (raw !== null) {
      flushRaw(true);
      raw = null;
    }
    flushForeignCss();
    if (!INLINE.has(name)) flushText();
    if (name === "a") closeAnchor();
    if (name === "template" && templates > 0) templates--;
    if (name === "style") isForeignStyle = false;
    const opened = foreign.lastIndexOf(name);
    if (opened !== -1) foreign.length = opened;
    tokenizer.inForeignNode = isForeign();
    settle();
  };
  const onText = (token: Token.CharacterToken) => {
    const { startOffset, endOffset } = token.location!;
    const [start, end] = [origin + startOffset, origin + endOffset];
    lastTokenEnd = end;
    if (raw !== null) {
      if (raw.start === raw.end) raw.start = start;
      raw.end = end;
      if (isRcdata(raw.name)) rawText.add(token.chars, start, end);
      if (end - raw.start >= LONGEST_TEXT) flushRaw(false);
      return;
    }
    if (isForeignStyle) {
      foreignCss.add(token.chars, start, end);
      if (foreignCss.length() >= LONGEST_TEXT) flushForeignCss();
    }
    if (anchor !== null) {
      anchor.text += token.chars;
      const isOpened = isElsewhere(anchor.link);
      if (anchor.text.length > LONGEST_SHOWN_TEXT) closeAnchor();
      if (isOpened) return;
    }
    text.add(token.chars, start, end);
    if (text.length() >= LONGEST_TEXT) flushText();
  };
  /** Gives the links away that nothing can come before any more. */
  const settle = () => {
    if (pending.length > MOST_PENDING) {
      flushForeignCss();
      flushText();
      closeAnchor();
    }
    if (anchor === null && text.length() === 0 && foreignCss.length() === 0) release();
  };

  const newTokenizer = () =>
    new Tokenizer(
      { sourceCodeLocationInfo: true },
      {
        onStartTag,
        onEndTag,
        onCharacter: onText,
        onWhitespaceCharacter: onText,
        onNullCharacter(token) {
          const { startOffset, endOffset } = token.location!;
          lastTokenEnd = origin + endOffset;
          text.skip(origin + startOffset, lastTokenEnd);
          foreignCss.skip(origin + startOffset, lastTokenEnd);
        },
        onComment(token) {
          const { startOffset, endOffset } = token.location!;
          const start = origin + startOffset;
          lastTokenEnd = origin + endOffset;
          const opening = /^<(?:!--|[!/?])/.exec(slice(start, start + 4))![0];
          if (/[.:/]/.test(token.data)) {
            const from = start + opening.length;
            nested(slice(from, lastTokenEnd), from, "comment");
          }
          settle();
        },
        onDoctype: (token) => {
          lastTokenEnd = origin + token.location!.endOffset;
        },
        onEof: () => {},
      },
    );
  let tokenizer = newTokenizer();

  const dropSource = () => {
    const rawStart = raw === null || raw.start === raw.end ? lastTokenEnd : raw.start;
    const keep = Math.min(lastTokenEnd, rawStart, text.start(), foreignCss.start());
    source = source.slice(keep - sourceStart);
    sourceStart = keep;
  };
  /** Ends a token that is too long, and searches what there is of it. */
  const restart = () => {
    const end = sourceStart + source.length;
    const from = lastTokenEnd;
    tokenizer.write("", true);
    flushRaw(false);
    flushForeignCss();
    flushText();
    closeAnchor();
    if (end > from) findInText(slice(from, end), offset + from, emit);
    raw = null;
    origin = end;
    lastTokenEnd = end;
    tokenizer = newTokenizer();
    release();
  };
  const pushPiece = (piece: string) => {
    source += piece;
    tokenizer.write(piece, false);
    tokenizer.flushCharacters();
    if (sourceStart + source.length - lastTokenEnd > LONGEST_TOKEN) restart();
    dropSource();
  };

  return {
    base: () => base,
    push(piece) {
      for (let at = 0; at < piece.length; at += PIECE) pushPiece(piece.slice(at, at + PIECE));
    },
    end() {
      const end = sourceStart + source.length;
      tokenizer.write("", true);
      flushRaw(false);
      flushForeignCss();
      // A tag that does not end is not shown, but other programs may read it.
      if (end > lastTokenEnd) findInText(slice(lastTokenEnd, end), offset + lastTokenEnd, emit);
      flushText();
      closeAnchor();
      release();
    },
  };
}

/** Whether the contents of an element have character references, but no tags. */
function isRcdata(name: string): boolean {
  return TEXT_MODES.get(name) === TokenizerMode.RCDATA;
}

/** Whether a link leads to another page, and is not only there for a script. */
export function isElsewhere({ url, text }: Pick<FoundLink, "url" | "text">): boolean {
  return /^(?:https?|ftp):/i.test(url) && !text.startsWith("#");
}

/** Finds the links in a whole document, whose `<base>` may be anywhere. */
export function scanHtml(html: string, context: HtmlContext): void {
  let known = context;
  if (/<base[\s/]/i.test(html)) {
    const first = htmlScanner({ ...context, sink: () => {} });
    first.push(html);
    first.end();
    known = { ...context, base: first.base(), isBaseKnown: true };
  }
  const scanner = htmlScanner(known);
  scanner.push(html);
  scanner.end();
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

/** Where the value is in an attribute: after `name=` and perhaps a quotation mark. */
function valueSpan(attribute: string, start: number): readonly [number, number] {
  const equals = attribute.indexOf("=");
  if (equals === -1) return [start, start + attribute.length];
  let from = equals + 1;
  while (/\s/.test(attribute.charAt(from))) from++;
  const quote = attribute.charAt(from);
  if (quote !== '"' && quote !== "'") return [start + from, start + attribute.length];
  const isClosed = attribute.endsWith(quote) && attribute.length > from + 1;
  return [start + from + 1, start + attribute.length - (isClosed ? 1 : 0)];
}

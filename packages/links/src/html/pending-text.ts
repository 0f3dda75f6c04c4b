import type { FoundLink, LinkSink } from "../found-link.ts";
import { findInText, foundLinks, isSameSite } from "../text/found-in-text.ts";
import type { LinkInText } from "../text/link-end.ts";
import { scanText } from "../text/scan-text.ts";
import type { LinkCollector } from "./collect-links.ts";
import { cssReferences, findInScript } from "./css-and-scripts.ts";

const LONGEST_TEXT = 65_536;
/** If more links than this are pending inside an `<a>`, its visible text is read no further. */
const MOST_PENDING = 10_000;

/** Inline elements, whose tags do not end the text around them. */
const INLINE: ReadonlySet<string> = new Set(
  "a abbr acronym b bdi bdo big cite code dfn del em font i ins kbd mark nobr q s samp small span strike strong sub sup tt u var wbr".split(
    " ",
  ),
);

/** The text between tags that has not been searched yet and the `<a>` around it. */
interface PendingText {
  readonly add: (chars: string, start: number, end: number) => void;
  /** Skips a character that adds no text. */
  readonly skip: (start: number, end: number) => void;
  /** Opens the links of an `<a>`, whose visible text follows. */
  readonly openAnchor: (links: readonly FoundLink[]) => void;
  /** Sets whether the text that follows is a style sheet in foreign content, which may contain tags and comments. */
  readonly setForeignStyle: (isForeignStyle: boolean) => void;
  /** Searches the text that ends before a tag. */
  readonly flushBefore: (tagName: string) => void;
  readonly flush: () => void;
  /** Releases the links, unless an earlier link may still be found. */
  readonly settle: () => void;
  /** The index in the source at which the text begins. */
  readonly start: () => number;
}

export function pendingText(links: LinkCollector): PendingText {
  const anchor = openAnchor(links.add);
  const text = visibleText(links.slice);
  /** The text of a style sheet in foreign content, up to the next tag. */
  const foreignCss = visibleText(links.slice);
  let isForeignStyle = false;

  const flushText = () => addVisible(links, text);
  function flushForeignCss(): void {
    if (foreignCss.length() === 0) return;
    const { text: css, toSource } = foreignCss.take();
    addCss(links, css, toSource);
  }
  function flush(): void {
    flushForeignCss();
    flushText();
    anchor.close();
  }

  return {
    add(chars, start, end) {
      if (isForeignStyle) {
        foreignCss.add(chars, start, end);
        if (foreignCss.length() >= LONGEST_TEXT) flushForeignCss();
      }
      if (anchor.read(chars)) return;
      text.add(chars, start, end);
      if (text.length() >= LONGEST_TEXT) flushText();
    },
    skip(start, end) {
      text.skip(start, end);
      foreignCss.skip(start, end);
    },
    openAnchor: anchor.open,
    setForeignStyle(isForeign) {
      isForeignStyle = isForeign;
    },
    flushBefore(tagName) {
      flushForeignCss();
      if (!INLINE.has(tagName)) flushText();
      if (tagName === "a") anchor.close();
    },
    flush,
    settle() {
      if (links.pending().length > MOST_PENDING) flush();
      if (!anchor.isOpen() && text.length() === 0 && foreignCss.length() === 0) links.release();
    },
    start: () => Math.min(text.start(), foreignCss.start()),
  };
}

/* Adds the links in contents that are not markup. Indices are those of the source. */

/** Adds the links in text without tags, whose character references are decoded. */
export function addVisible(links: LinkCollector, visible: VisibleText): void {
  if (visible.length() === 0) return;
  const { text: shown, toSource } = visible.take();
  const found: LinkInText[] = [];
  const { isDecoded } = links;
  scanText({ text: shown, from: 0, isLast: true, isDecoded }, (link) => found.push(link));
  // Links may overlap, but indices are mapped in ascending order.
  const starts = new Map<number, number>();
  const ends = new Map<number, number>();
  const indices = found.flatMap(({ start, end }) => [start, end - 0.5]);
  for (const index of indices.sort((one, other) => one - other)) {
    if (Number.isInteger(index)) starts.set(index, toSource(index, false));
    else ends.set(index + 0.5, toSource(index + 0.5, true));
  }
  const toFound = foundLinks("text");
  for (const link of found) {
    const start = starts.get(link.start)!;
    const end = ends.get(link.end)!;
    const text = links.slice(start, end);
    links.addHere({ ...toFound(shown, link, 0), text, start, end });
  }
}

/** Adds the links in a part of the source without character references. */
export function addPlain(
  links: LinkCollector,
  content: string,
  start: number,
  where: "text" | "script",
): void {
  const addLink = (link: FoundLink) => {
    links.addHere({ ...link, text: links.slice(link.start, link.end) });
  };
  if (where === "text") findInText(content, start, addLink, where, links.isDecoded);
  else {
    findInScript(content, (link) =>
      addLink({ ...link, start: start + link.start, end: start + link.end }),
    );
  }
}

/** `toSource` maps an index of `css` to that of the source. */
export function addCss(
  links: LinkCollector,
  css: string,
  toSource: (index: number, isEnd: boolean) => number,
): void {
  for (const { value, start, end } of cssReferences(css)) {
    links.addReference(value, { start: toSource(start, false), end: toSource(end, true) }, "css");
  }
}

/** A piece of decoded text and the part of the source that it was decoded from. */
interface Segment {
  readonly chars: string;
  /** The index of the piece in the joined text. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** Whether the piece starts inside a CDATA section, where there are no character references. */
  readonly isCdata: boolean;
}

/** Text as it is shown: the pieces between tags, without the tags. */
interface VisibleText {
  readonly length: () => number;
  readonly start: () => number;
  readonly add: (chars: string, start: number, end: number) => void;
  /** Skips characters that add no text. */
  readonly skip: (start: number, end: number) => void;
  /** Removes and returns the text, with a function that maps its indices to those of the source. */
  readonly take: () => {
    readonly text: string;
    readonly toSource: (index: number, isEnd: boolean) => number;
  };
}

const REFERENCE = /&(?:#x?[0-9a-f]+|[a-z0-9]+);?|\r\n/iy;
const LITERAL_AMPERSAND = /^&(?!amp|#0*38|#x0*26)/i;
const CDATA_START = "<![CDATA[";
const CDATA_END = "]]>";

/**
 * @param slice The source between two indices.
 * @param options Whether the text may have CDATA sections, in which there are no character references.
 */
export function visibleText(
  slice: (start: number, end: number) => string,
  { hasCdata }: { readonly hasCdata: boolean } = { hasCdata: true },
): VisibleText {
  let segments: Segment[] = [];
  let length = 0;
  /** Where the last token ended and whether that was inside a CDATA section. */
  let lastEnd = -1;
  let isCdata = false;
  const goOn = (count: number, start: number, end: number): boolean => {
    if (!hasCdata) return false;
    // The line feed after a carriage return may belong to no token.
    if (start !== lastEnd && slice(lastEnd, start) !== "\n") {
      isCdata = slice(start - CDATA_START.length, start) === CDATA_START;
    }
    const wasCdata = isCdata;
    if (count !== end - start) isCdata = endsInCdata(slice(start, end), isCdata);
    lastEnd = end;
    return wasCdata;
  };
  return {
    length: () => length,
    start: () => segments[0]?.start ?? Number.POSITIVE_INFINITY,
    add(chars, start, end) {
      const isCdata = goOn(chars.length, start, end);
      const last = segments.at(-1);
      // The tokenizer counts a reference that follows white space as a part of the white space.
      const isLonger = last !== undefined && last.chars.length !== last.end - last.start;
      if (isLonger && last.end === start && last.chars.trim() === "") {
        segments[segments.length - 1] = { ...last, chars: last.chars + chars, end };
      } else segments.push({ chars, at: length, start, end, isCdata });
      length += chars.length;
    },
    skip: (start, end) => void goOn(0, start, end),
    take() {
      const taken = segments;
      segments = [];
      length = 0;
      // Indices are looked up in ascending order.
      let current = 0;
      let walked = -1;
      let walk: ReturnType<typeof walkSource>;
      return {
        text: taken.map(({ chars }) => chars).join(""),
        toSource(index, isEnd) {
          const place = isEnd ? index - 1 : index;
          while (current + 1 < taken.length && taken[current + 1]!.at <= place) current++;
          const segment = taken[current]!;
          const inside = index - segment.at;
          if (segment.chars.length === segment.end - segment.start) return segment.start + inside;
          if (walked !== current)
            walk = walkSource(slice(segment.start, segment.end), segment, hasCdata);
          walked = current;
          return segment.start + walk(inside, isEnd);
        },
      };
    },
  };
}

/**
 * Returns a function that maps a count of decoded characters to the length of their source. At the start of a link, the
 * length includes the marks of CDATA sections before the next character. The counts of successive calls must not
 * decrease.
 */
function walkSource(
  source: string,
  { chars, isCdata: isInside }: Segment,
  hasCdata: boolean,
): (count: number, isEnd: boolean) => number {
  let i = 0;
  let at = 0;
  let isCdata = isInside;
  const skipMarks = () => {
    while (hasCdata) {
      const mark = isCdata ? CDATA_END : CDATA_START;
      if (!source.startsWith(mark, at)) return;
      at += mark.length;
      isCdata = !isCdata;
    }
  };
  return (count, isEnd) => {
    for (; i < count && at < source.length; i++) {
      skipMarks();
      REFERENCE.lastIndex = at;
      const [reference] = REFERENCE.exec(source) ?? [];
      const isLiteral =
        reference === undefined ||
        (isCdata && reference.startsWith("&")) ||
        (chars[i] === "&" && LITERAL_AMPERSAND.test(reference));
      at += isLiteral ? 1 : reference.length;
      // A character reference may stand for a surrogate pair.
      if (!isLiteral && /[\ud800-\udbff]/.test(chars[i]!)) i++;
    }
    if (!isEnd) skipMarks();
    return at;
  };
}

function endsInCdata(source: string, isInside: boolean): boolean {
  let isCdata = isInside;
  let at = 0;
  for (;;) {
    const mark = isCdata ? CDATA_END : CDATA_START;
    const next = source.indexOf(mark, at);
    if (next === -1) return isCdata;
    at = next + mark.length;
    isCdata = !isCdata;
  }
}

const LONGEST_SHOWN_TEXT = 1000;

/** The links of the `<a>` whose text is being read: one for each URL that it may lead to. */
interface OpenAnchor {
  readonly isOpen: () => boolean;
  /** Opens links. If others are open, the new links are passed on without their text. */
  readonly open: (links: readonly FoundLink[]) => void;
  /**
   * Adds visible text of the open links. Returns whether all of these links lead to other pages, so that the text is
   * not searched.
   */
  readonly read: (chars: string) => boolean;
  readonly close: () => void;
}

/** @param add Called with each link once its text is known. */
function openAnchor(add: LinkSink): OpenAnchor {
  let opened: { readonly links: readonly FoundLink[]; text: string } | null = null;
  const close = () => {
    if (opened === null) return;
    const { links, text } = opened;
    opened = null;
    for (const link of links) add({ ...link, shown: shownAsOther(text, link.url) });
  };
  return {
    isOpen: () => opened !== null,
    open(links) {
      if (links.length === 0) return;
      if (opened === null) opened = { links, text: "" };
      else for (const link of links) add(link);
    },
    read(chars) {
      if (opened === null) return false;
      opened.text += chars;
      const leadsElsewhere = opened.links.every(isElsewhere);
      if (opened.text.length > LONGEST_SHOWN_TEXT) close();
      return leadsElsewhere;
    },
    close,
  };
}

/** A link that usually only runs a script: a fragment, an empty value, or an attribute without a value. */
const FOR_A_SCRIPT = /^(?:#|\s*$|href(?:\s*=\s*(?:""|'')?)?$)/i;

/** Whether a link leads to another page, rather than only running a script. */
export function isElsewhere({ url, text }: Pick<FoundLink, "url" | "text">): boolean {
  return /^(?:https?|ftp):/i.test(url) && !FOR_A_SCRIPT.test(text);
}

const LONGEST_SHOWN = 200;
/** Schemes of links whose text is often an address or a number instead of a host. */
const NOT_OPENED = /^(?:mailto|tel|sms|xmpp|cid):/i;

/** The text of a link if it contains a URL or host of another site; otherwise `null`. */
export function shownAsOther(text: string, url: string): string | null {
  const shown = text.replace(/\s+/g, " ").trim().slice(0, LONGEST_SHOWN);
  if (shown === "" || NOT_OPENED.test(url)) return null;
  let isOther = false;
  scanText({ text: shown, from: 0, isLast: true }, (link) => {
    isOther ||= !isSameSite(link.url, url);
  });
  return isOther ? shown : null;
}

import type { FoundLink } from "../found-link.ts";
import type { LinkCollector } from "./collect-links.ts";
import { openAnchor } from "./open-anchor.ts";
import { addCss, addVisible } from "./text-links.ts";
import { visibleText } from "./visible-text.ts";

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
export interface PendingText {
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

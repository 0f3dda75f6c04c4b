import type { FoundLink } from "../found-link.ts";
import type { LinkInText } from "../text/link-end.ts";
import { findInText, scanText, toFound } from "../text/scan-text.ts";
import type { LinkCollector } from "./collect-links.ts";
import { cssReferences, findInScript } from "./css-and-scripts.ts";
import { openAnchor } from "./open-anchor.ts";
import { type VisibleText, visibleText } from "./visible-text.ts";

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
  for (const link of found) {
    const start = starts.get(link.start)!;
    const end = ends.get(link.end)!;
    const text = links.slice(start, end);
    links.addHere({ ...toFound(shown, link, 0, "text"), text, start, end });
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

import { TokenizerMode } from "parse5";
import type { LinkCollector } from "./collect-links.ts";
import { endOfStatements } from "./css-and-scripts.ts";
import { TEXT_MODES } from "./open-elements.ts";
import { addCss, addPlain, addVisible, visibleText } from "./pending-text.ts";

/** An element that contains only text and the part of this text that has not been searched yet. */
interface RawElement {
  readonly name: string;
  start: number;
  end: number;
  /** The length at which the text is searched even if the element has not ended. */
  enough: number;
}

/** Searches the contents of elements such as `<script>` and `<title>`, which have text and no tags. */
export interface RawContents {
  readonly isOpen: () => boolean;
  readonly open: (name: string, at: number) => void;
  readonly add: (chars: string, start: number, end: number) => void;
  /** Searches the text that has arrived. `isClosed` says whether the contents end here. */
  readonly flush: (isClosed: boolean) => void;
  readonly close: () => void;
  /** The index at which the unsearched part begins. */
  readonly start: () => number;
}

const LONGEST_TEXT = 65_536;
/** A longer statement of a style sheet is searched as if it had ended. */
const LONGEST_STATEMENT = 1_048_576;

/** @param isAmbiguous Whether some browsers may read the contents of any element as markup. */
export function rawContents(links: LinkCollector, isAmbiguous: () => boolean): RawContents {
  let raw: RawElement | null = null;
  /** The text of a `<title>` or `<textarea>`, which may have character references. */
  const text = visibleText(links.slice, { hasCdata: false });

  /** Adds the links that appear only if the contents are read as markup. */
  function addAsMarkup({ name, start, end }: RawElement): void {
    const keyOf = ({ start, url }: { readonly start: number; readonly url: string }) =>
      `${start} ${url}`;
    const known = new Set(links.pending().map(keyOf));
    const isMarkup = name !== "style" && name !== "script";
    for (const link of links.foundBy(() => links.addNested(links.slice(start, end), start))) {
      if (!known.has(keyOf(link)) && (isMarkup || link.where !== "text")) links.add(link);
    }
  }

  /** The end of the part to search if more follows. A style sheet is not cut inside a statement. */
  function endOfWhole({ name, start, end }: RawElement): number {
    if (name !== "style" || end - start > LONGEST_STATEMENT) return end;
    return start + endOfStatements(links.slice(start, end));
  }

  function flush(isClosed: boolean, hasMore = false): void {
    if (raw === null || raw.start === raw.end) return;
    const found = { ...raw, end: hasMore ? endOfWhole(raw) : raw.end };
    if (found.start === found.end) return;
    const { name, start, end } = found;
    raw.start = end;
    // The tokenizer replaces NUL characters, too.
    const content = links.slice(start, end).replaceAll("\0", "\ufffd");
    if (name === "style") addCss(links, content, (index) => start + index);
    else if (name === "script") addPlain(links, content, start, "script");
    const isText = isRcdata(name);
    if (isText) addVisible(links, text);
    if (!content.includes("<")) {
      const isRaw = TEXT_MODES.get(name) === TokenizerMode.RAWTEXT && name !== "style";
      if (isRaw || name === "plaintext") addPlain(links, content, start, "text");
    } else if (!isText || !isClosed || isAmbiguous()) addAsMarkup(found);
  }

  return {
    isOpen: () => raw !== null,
    open(name, at) {
      raw = { name, start: at, end: at, enough: LONGEST_TEXT };
    },
    add(chars, start, end) {
      if (raw === null) return;
      if (raw.start === raw.end) raw.start = start;
      raw.end = end;
      if (isRcdata(raw.name)) text.add(chars, start, end);
      if (end - raw.start < raw.enough) return;
      flush(false, true);
      raw.enough = Math.max(LONGEST_TEXT, 2 * (end - raw.start));
    },
    flush: (isClosed) => flush(isClosed),
    close() {
      raw = null;
    },
    start: () => (raw === null || raw.start === raw.end ? Number.POSITIVE_INFINITY : raw.start),
  };
}

/** Whether an element contains character references but no tags. */
function isRcdata(name: string): boolean {
  return TEXT_MODES.get(name) === TokenizerMode.RCDATA;
}

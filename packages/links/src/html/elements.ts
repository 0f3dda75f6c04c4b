import { TokenizerMode } from "parse5";
import type { BaseReaders, LinkCollector } from "./collect-links.ts";
import { endOfStatements } from "./css-and-scripts.ts";
import { addCss, addPlain, addVisible, visibleText } from "./pending-text.ts";

/** The open elements that change how tags are read. */
interface OpenElements {
  readonly open: (name: string, isSelfClosing: boolean) => void;
  readonly close: (name: string) => void;
  /** Whether tags are read by the rules of SVG and MathML. */
  readonly isForeign: () => boolean;
  /** The programs for which a `<base>` in the current element counts; `null` if there are none. */
  readonly readersOfBase: () => BaseReaders | null;
  /** Whether earlier markup may make browsers with and without scripts read `<title>` differently. */
  readonly isAmbiguous: () => boolean;
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** SVG and MathML have their own rules for tags. In the integration points inside them, tags are read as HTML again. */
const FOREIGN = /* @__PURE__ */ setOf("svg math");
const INTEGRATION = /* @__PURE__ */ setOf("foreignobject desc annotation-xml mi mo mn ms mtext");
/** HTML §13.2.6.5: the tags that end foreign content. */
const BREAKOUT = /* @__PURE__ */ setOf(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);

export function openElements(): OpenElements {
  let foreign: string[] = [];
  /** How many of the open elements have a name, so that a closing tag without one is not searched for. */
  const counts = new Map<string, number>();
  let templates = 0;
  let noscripts = 0;
  let isAmbiguous = false;
  const isForeign = () => FOREIGN.has(foreign.at(-1) ?? "");
  return {
    open(name, isSelfClosing) {
      if (BREAKOUT.has(name) && isForeign()) {
        foreign = [];
        counts.clear();
      }
      if (name === "template") templates++;
      if (name === "noscript") noscripts++;
      if (name === "noscript" || name === "select") isAmbiguous = true;
      if (FOREIGN.has(name) || (foreign.length > 0 && INTEGRATION.has(name))) {
        isAmbiguous = true;
        if (isSelfClosing) return;
        foreign.push(name);
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    },
    close(name) {
      if (name === "template" && templates > 0) templates--;
      if (name === "noscript" && noscripts > 0) noscripts--;
      if ((counts.get(name) ?? 0) === 0) return;
      for (let last: string | undefined; last !== name; ) {
        last = foreign.pop()!;
        counts.set(last, counts.get(last)! - 1);
      }
    },
    isForeign,
    readersOfBase() {
      if (templates > 0 || foreign.length > 0) return null;
      return noscripts > 0 ? "without-scripts" : "all";
    },
    isAmbiguous: () => isAmbiguous,
  };
}

/**
 * The tokenizer states for elements whose contents are text instead of markup. A parser would set these states, but a
 * tokenizer alone does not.
 */
export const TEXT_MODES: ReadonlyMap<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> =
  new Map([
    ["title", TokenizerMode.RCDATA],
    ["textarea", TokenizerMode.RCDATA],
    ["style", TokenizerMode.RAWTEXT],
    ["xmp", TokenizerMode.RAWTEXT],
    ["iframe", TokenizerMode.RAWTEXT],
    ["noembed", TokenizerMode.RAWTEXT],
    ["noframes", TokenizerMode.RAWTEXT],
    ["script", TokenizerMode.SCRIPT_DATA],
    ["plaintext", TokenizerMode.PLAINTEXT],
  ]);

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

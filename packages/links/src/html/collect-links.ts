import type { FoundLink, LinkSink } from "../found-link.ts";
import { findInText } from "../text/scan-text.ts";
import { type ReferenceContext, readings, tryResolve } from "./references.ts";

/** What is around the HTML. */
export interface HtmlContext extends ReferenceContext {
  /** Whether `bases` already has that of the `<base>` of the document, which otherwise replaces them. */
  readonly areBasesKnown?: boolean;
  readonly sink: LinkSink;
  /** How many documents and comments this HTML is inside of. */
  readonly depth: number;
  /** The index of the first character. */
  readonly offset: number;
}

/** Where a text is in the source. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What is known about HTML inside the HTML. */
export interface InnerHtml {
  /** The `where` of all of its links; by default, each has that of the place where it is found. */
  readonly where?: string;
  /** What its relative references are resolved against; by default, the same as those around it. */
  readonly bases?: readonly (string | null)[];
}

/** Keeps links until nothing can come before them any more. */
export interface PendingLinks {
  /** The index of the first character of this HTML. */
  readonly offset: number;
  /** Adds a link whose indices are those of the whole text. */
  readonly add: LinkSink;
  /** Adds a link whose indices are those of this HTML. */
  readonly addHere: LinkSink;
  /** The links that are found by calling a function. They are not added. */
  readonly foundBy: (find: () => void) => readonly FoundLink[];
  /** The links that were added and not released. */
  readonly pending: () => readonly FoundLink[];
  /** Passes the links on, in the order of the source. */
  readonly release: () => void;
}

/** Collects the links of one piece of HTML. All indices and spans are those of this HTML. */
export interface LinkCollector extends PendingLinks {
  /** The source between two indices. */
  readonly slice: (start: number, end: number) => string;
  readonly bases: () => readonly (string | null)[];
  /** Sets the base to the value of a `<base>`. Only the first one counts. */
  readonly setBase: (value: string) => void;
  /** The links that a reference may stand for, all at the same place. */
  readonly linksTo: (value: string, span: Span, where: string) => FoundLink[];
  readonly addReference: (value: string, span: Span, where: string) => void;
  /** Adds the links in HTML inside the HTML. */
  readonly addNested: (html: string, start: number, inner?: InnerHtml) => void;
}

const DEEPEST = 4;
/** Only its scheme matters. */
const ANY_BASE = "http://unknown.invalid/";

function pendingLinks(sink: LinkSink, offset: number): PendingLinks {
  let pending: FoundLink[] = [];
  return {
    offset,
    add: (link) => pending.push(link),
    addHere: (link) =>
      pending.push({ ...link, start: link.start + offset, end: link.end + offset }),
    foundBy(find) {
      const before = pending;
      pending = [];
      find();
      const found = pending;
      pending = before;
      return found;
    },
    pending: () => pending,
    release() {
      const sorted = pending.sort((one, other) => one.start - other.start);
      pending = [];
      for (const link of sorted) sink(link);
    },
  };
}

/** @param scanWhole Finds the links in HTML inside the HTML. */
export function collectLinks(
  { sink, depth, offset, ...context }: HtmlContext,
  slice: (start: number, end: number) => string,
  scanWhole: (html: string, context: HtmlContext) => void,
): LinkCollector {
  let { bases, areBasesKnown = false } = context;
  const { isMail } = context;
  const links = pendingLinks(sink, offset);
  const { add } = links;

  function linksTo(value: string, { start, end }: Span, where: string): FoundLink[] {
    const text = slice(start, end);
    const place = { text, start: offset + start, end: offset + end };
    return readings(value, where, { bases, isMail }).map((reading) => ({
      ...place,
      ...reading,
      where,
      shown: null,
    }));
  }

  return {
    ...links,
    slice,
    bases: () => bases,
    setBase(value) {
      if (areBasesKnown) return;
      const outer = bases[0] ?? null;
      const resolved = tryResolve(value, outer ?? ANY_BASE);
      if (resolved === null || (outer === null && resolved.startsWith(ANY_BASE))) return;
      bases = [resolved];
      areBasesKnown = true;
    },
    linksTo,
    addReference(value, span, where) {
      for (const link of linksTo(value, span, where)) add(link);
    },
    addNested(html, start, { where, bases: innerBases = bases } = {}) {
      const place = { depth: depth + 1, offset: offset + start };
      if (place.depth >= DEEPEST) {
        findInText(html, place.offset, add, where);
        return;
      }
      const inner = (link: FoundLink) => add(where === undefined ? link : { ...link, where });
      const context = { bases: innerBases, areBasesKnown: true, isMail };
      scanWhole(html, { ...context, sink: inner, ...place });
    },
  };
}

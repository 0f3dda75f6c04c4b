import type { FoundLink, LinkSink } from "../found-link.ts";
import { findInText, scanText } from "../text/scan-text.ts";
import { resolve, tryResolve } from "./references.ts";

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
  readonly base?: string | null;
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
  readonly base: () => string | null;
  /** Sets the base to the value of a `<base>`. Only the first one counts. */
  readonly setBase: (value: string) => void;
  /** The link that a reference stands for; `null` if it stands for none. */
  readonly linkTo: (value: string, span: Span, where: string) => FoundLink | null;
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

/**
 * The URL of a reference that begins with a host, as in `www.evil.example/a`; `null` for any other. In a mail, which has
 * no URL of its own, some programs open it as if `http://` were in front of it.
 */
function bareReference(value: string): Pick<FoundLink, "url" | "isDefanged"> | null {
  const text = value.trim();
  let found: Pick<FoundLink, "url" | "isDefanged"> | null = null;
  scanText({ text, from: 0, isLast: true }, ({ start, url, isDefanged }) => {
    if (start === 0) found = { url, isDefanged };
  });
  return found;
}

/** @param scanWhole Finds the links in HTML inside the HTML. */
export function collectLinks(
  { sink, depth, offset, ...context }: HtmlContext,
  slice: (start: number, end: number) => string,
  scanWhole: (html: string, context: HtmlContext) => void,
): LinkCollector {
  let { base, isBaseKnown = false } = context;
  const links = pendingLinks(sink, offset);
  const { add } = links;

  function linkTo(value: string, { start, end }: Span, where: string): FoundLink | null {
    const isBare = base === null && where === "href";
    const resolved = resolve(value, base) ?? (isBare ? bareReference(value) : null);
    if (resolved === null) return null;
    const text = slice(start, end);
    return { text, start: offset + start, end: offset + end, ...resolved, where, shown: null };
  }

  function addReference(value: string, span: Span, where: string): void {
    const link = linkTo(value, span, where);
    if (link !== null) add(link);
  }

  return {
    ...links,
    slice,
    base: () => base,
    setBase(value) {
      if (isBaseKnown) return;
      const resolved = tryResolve(value, base ?? ANY_BASE);
      if (resolved === null || (base === null && resolved.startsWith(ANY_BASE))) return;
      base = resolved;
      isBaseKnown = true;
    },
    linkTo,
    addReference,
    addNested(html, start, { where, base: innerBase = base } = {}) {
      const place = { depth: depth + 1, offset: offset + start };
      if (place.depth >= DEEPEST) {
        findInText(html, place.offset, add, where);
        return;
      }
      const inner = (link: FoundLink) => add(where === undefined ? link : { ...link, where });
      scanWhole(html, { base: innerBase, isBaseKnown: true, sink: inner, ...place });
    },
  };
}

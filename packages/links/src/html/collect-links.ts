import type { FoundLink, LinkSink } from "../found-link.ts";
import { findInText } from "../text/scan-text.ts";
import type { BaseReaders } from "./open-elements.ts";
import { type ReferenceContext, readings, tryResolve } from "./references.ts";

export interface HtmlContext extends ReferenceContext {
  /** Whether `bases` already includes the `<base>` of the document. If not, a `<base>` replaces them. */
  readonly areBasesKnown?: boolean;
  readonly sink: LinkSink;
  /** Whether the text was decoded, so that a `=` at the end of a line is no soft line break. */
  readonly isDecoded?: boolean | undefined;
  /** The number of documents and comments around this HTML. */
  readonly depth: number;
  /** The index of the first character in the whole text. */
  readonly offset: number;
}

/** A range of indices in the source. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How HTML that is nested in other HTML is read. */
export interface InnerHtml {
  /** The `where` of all links in the nested HTML. By default, each link keeps its own. */
  readonly where?: string;
  /** Whether the nested HTML is a document of its own, whose `<base>` counts. */
  readonly isDocument?: boolean;
  /** The bases of relative references; by default, those of the outer HTML. */
  readonly bases?: Bases;
}

type Bases = ReferenceContext["bases"];

/** Reads HTML that is nested in other HTML, such as a comment or a document in an attribute. */
export interface InnerReader {
  readonly scan: (html: string, context: HtmlContext) => void;
  /** The bases of relative references: the `<base>` in the HTML, or else those of the context. */
  readonly basesIn: (html: string, context: HtmlContext) => Bases;
}

/** Holds links back until no earlier link can still be found. */
export interface PendingLinks {
  /** The index of the first character of this HTML. */
  readonly offset: number;
  /** Adds a link whose indices are those of the whole text. */
  readonly add: LinkSink;
  /** Adds a link whose indices are those of this HTML. */
  readonly addHere: LinkSink;
  /** Calls `find` and returns the links that it adds, instead of keeping them. */
  readonly foundBy: (find: () => void) => readonly FoundLink[];
  /** The links that were added and not yet released. */
  readonly pending: () => readonly FoundLink[];
  /** Passes the links on, in the order of the source. */
  readonly release: () => void;
}

/** Collects the links of one piece of HTML. All indices and spans are those of this HTML. */
export interface LinkCollector extends PendingLinks {
  readonly isDecoded: boolean;
  /** The source between two indices. */
  readonly slice: (start: number, end: number) => string;
  readonly bases: () => Bases;
  /** Adds the value of a `<base>`. Each program uses the first `<base>` that it reads. */
  readonly addBase: (value: string, readers: BaseReaders) => void;
  /** The links that a reference may stand for, all at the same place. */
  readonly linksTo: (value: string, span: Span, where: string) => FoundLink[];
  readonly addReference: (value: string, span: Span, where: string) => void;
  readonly addNested: (html: string, start: number, inner?: InnerHtml) => void;
  /** Adds the links in a comment, which some programs read as markup. */
  readonly addComment: (html: string, start: number) => void;
  /** Adds the `<base>` in a comment if some programs read it. Returns the bases of references in the comment. */
  readonly addBaseOfComment: (html: string, start: number) => Bases;
}

const DEEPEST = 4;
/** A placeholder base URL, of which only the scheme matters. */
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

/** Kinds of programs. Each kind reads everything that the previous kinds read, and more. */
const READERS: readonly BaseReaders[] = ["all", "without-scripts", "conditional-comments"];
/**
 * Comments that some programs read as markup. In `<noscript><!--</noscript>`, only browsers without scripts see a
 * comment.
 */
const READ_BY_SOME = /^\s{0,9}\[if\b|<\/noscript/i;

const distinct = (bases: Bases): Bases => [...new Set(bases)];

export function collectLinks(
  { sink, depth, offset, ...context }: HtmlContext,
  slice: (start: number, end: number) => string,
  { scan, basesIn }: InnerReader,
): LinkCollector {
  const { isMail, areBasesKnown = false, isDecoded = false } = context;
  let { bases } = context;
  /** The base for each kind of program, in the order of `READERS`. */
  const own: (string | undefined)[] = [];
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

  function addBase(value: string, readers: BaseReaders): void {
    if (areBasesKnown) return;
    const outer = context.bases[0] ?? null;
    const resolved = tryResolve(value, outer ?? ANY_BASE);
    if (resolved === null || (outer === null && resolved.startsWith(ANY_BASE))) return;
    for (let i = READERS.indexOf(readers); i < READERS.length; i++) own[i] ??= resolved;
    bases = distinct(READERS.flatMap((_, i) => own[i] ?? context.bases));
  }

  function addNested(html: string, start: number, inner: InnerHtml = {}): void {
    const { where, isDocument = false, bases: innerBases = bases } = inner;
    const place = { depth: depth + 1, offset: offset + start };
    if (place.depth >= DEEPEST) {
      findInText(html, place.offset, add, where, isDecoded);
      return;
    }
    const sink = (link: FoundLink) => add(where === undefined ? link : { ...link, where });
    const whole = { ...place, bases: innerBases, isMail, isDecoded, sink };
    const known = isDocument ? basesIn(html, whole) : innerBases;
    scan(html, { ...whole, bases: known, areBasesKnown: true });
  }

  function addBaseOfComment(html: string, start: number): Bases {
    const place = { depth: depth + 1, offset: offset + start };
    if (place.depth >= DEEPEST) return bases;
    const inComment = basesIn(html, { ...place, bases, isMail, sink });
    const ownBase = inComment.find((base) => base !== null && !bases.includes(base));
    if (typeof ownBase === "string" && READ_BY_SOME.test(html)) {
      addBase(ownBase, "conditional-comments");
    }
    return inComment;
  }

  return {
    ...links,
    isDecoded,
    slice,
    bases: () => bases,
    addBase,
    linksTo,
    addReference(value, span, where) {
      for (const link of linksTo(value, span, where)) add(link);
    },
    addNested,
    addBaseOfComment,
    addComment(html, start) {
      // Some programs use the base in the comment for its links, and others use that of the document.
      const inComment = addBaseOfComment(html, start);
      addNested(html, start, { where: "comment", bases: distinct([...inComment, ...bases]) });
    },
  };
}

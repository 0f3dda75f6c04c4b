import type { FoundLink, LinkSink } from "../found-link.ts";
import { findInText } from "../text/found-in-text.ts";
import { cleanUrl } from "../text/link-end.ts";
import { scanText } from "../text/scan-text.ts";

/** The programs that use a `<base>` for the document. */
export type BaseReaders = "all" | "without-scripts" | "conditional-comments";

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
interface PendingLinks {
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

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** The characters that browsers drop when they parse a URL. */
const DROPPED = /^[\0- ]+|[\0- ]+$|[\t\n\r]+/g;
const AT_ANOTHER_HOST = /^[/\\]{2}/;

/** The URL that a reference stands for. */
type Reading = Pick<FoundLink, "url" | "isDefanged">;

interface ReferenceContext {
  /** The bases of relative references. Each program uses one of them. A `null` leaves relative references out. */
  readonly bases: readonly (string | null)[];
  /** Whether the document is an email, which has no URL of its own. */
  readonly isMail: boolean;
}

/**
 * The URLs that a reference in HTML or Markdown may stand for. Empty if the reference is relative and there is no base,
 * or if it is an empty value of an attribute other than `href`.
 */
export function readings(value: string, where: string, context: ReferenceContext): Reading[] {
  const { bases, isMail } = context;
  if (where !== "href" && value.replace(DROPPED, "") === "") return [];
  const found = bases.flatMap((base) => resolve(value, base) ?? []);
  if (where === "href" && (isMail || bases.includes(null))) {
    const bare = bareReference(value);
    if (bare !== null) found.push(bare);
  }
  return found.length < 2 ? found : [...new Map(found.map((each) => [each.url, each])).values()];
}

/**
 * The URL of a reference that begins with a host, as in `www.evil.example/a`; `null` for any other. Some email programs
 * open such a reference as if it began with `http://`.
 */
function bareReference(value: string): Reading | null {
  const text = value.trim();
  if (SCHEME.test(text) || AT_ANOTHER_HOST.test(text)) return null;
  let found: Reading | null = null;
  scanText({ text, from: 0, isLast: true }, ({ start, url, isDefanged }) => {
    if (start === 0) found = { url, isDefanged };
  });
  return found;
}

/** The URL that a reference stands for; `null` if it is relative and there is no base. */
function resolve(value: string, base: string | null): Reading | null {
  const reference = value.replace(DROPPED, "");
  const refanged = SCHEME.test(reference) ? null : cleanUrl(reference);
  if (refanged?.isDefanged === true && SCHEME.test(refanged.url)) return refanged;
  if (SCHEME.test(reference)) {
    const cleaned = cleanDefanged(reference);
    if (cleaned !== null) return cleaned;
    // With a base of the same scheme, `http:path` is relative.
    const isRelative = base !== null && /^[a-z]+:(?![/\\])/i.test(reference);
    const url = isRelative ? (tryResolve(reference, base) ?? reference) : reference;
    return { url, isDefanged: false };
  }
  const against = base ?? (AT_ANOTHER_HOST.test(reference) ? ANY_BASE : null);
  const url = against === null ? null : tryResolve(reference, against);
  return url === null ? null : { url, isDefanged: false };
}

function cleanDefanged(reference: string): Reading | null {
  if (!/^(?:h(?!ttp)|f|x|m|w|https?:[^?#]*[[({\\])/i.test(reference)) return null;
  const cleaned = cleanUrl(reference);
  return cleaned.isDefanged ? cleaned : null;
}

/** A reference resolved against a base; `null` if browsers do not open it. */
function tryResolve(reference: string, base: string): string | null {
  return URL.canParse(reference, base) ? new URL(reference, base).href : null;
}

/**
 * The URL in the value of a `Refresh` header or of `<meta http-equiv="refresh">`. `null` if the value has no URL or is
 * not valid, so that browsers stay on the page.
 *
 * @see HTML Living Standard, "shared declarative refresh steps", 2 to 11
 */
export function refreshUrl(value: string): string | null {
  const time = /^[\t\n\f\r ]*(?:\d+[\d.]*|\.[\d.]*)/.exec(value);
  if (time === null) return null;
  const rest = value.slice(time[0].length);
  const separator = /^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/.exec(rest)![0];
  if (separator === "") return null;
  const given = rest.slice(separator.length);
  const target = given.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, "");
  if (target === "") return null;
  const quote = target[0];
  if (quote !== '"' && quote !== "'") return target;
  const end = target.indexOf(quote, 1);
  return end < 0 ? target.slice(1) : target.slice(1, end);
}

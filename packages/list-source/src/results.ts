import type { CanonicalUrl } from "@x/canon";
import { refang } from "@x/canon/defanged";
import { topLevelDomains } from "@x/canon/top-level-domains";
import { type Expression, exactExpression } from "@x/expressions";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import {
  acceptEntry,
  type BroadOptions,
  describeReadings,
  type HostOptions,
} from "./accept-entry.ts";
import { linter } from "./entry-warnings.ts";
import type { EntryKind, LastLine, LineParser, Output } from "./formats/format.ts";
import { type HashOptions, waitingEntries } from "./plain-entries.ts";
import {
  type Refusal,
  type RefusalCode,
  refusal,
  type Warning,
  type WarningCode,
  warning,
} from "./problems.ts";
import type { LeftOutRows } from "./records/where.ts";
import { shorten } from "./text.ts";

/** One entry of a list. */
export interface SourceEntry {
  /** The line of the entry, from 1; in a prefix list or a JSON document, the number of the prefix or value. */
  readonly line: number;
  /** The URL, host or expression as it is in the source. `null` when the source contains hashes. */
  readonly text: string | null;
  /** The expression: a host suffix and a path prefix. `null` when the source contains hashes. */
  readonly expression: Expression | null;
  /** The full hash of the expression, or the hash in the source: a full hash or a prefix of at least 4 bytes. */
  readonly hash: Uint8Array;
  /** The value of the column `dateColumn`, if that option is given and the record has a value. */
  readonly date?: string | undefined;
}

/**
 * Part of a source that does not stand for a URL, such as a cosmetic rule. The usual header of a hosts file or a zone
 * does not count.
 */
export interface NotApplicable {
  /** The line, from 1; in a JSON document, the number of the value. */
  readonly line: number;
  /** The part, printable and shortened. */
  readonly text: string;
}

/** Callbacks for the results of reading a source. */
export interface SourceCallbacks {
  /** Called with each entry. */
  readonly onEntry: (entry: SourceEntry) => void;
  /**
   * Called with each exception (`@@`) in Adblock rules. Exceptions are not entries. Without this callback, they are
   * refused.
   */
  readonly onException?: ((exception: SourceEntry) => void) | undefined;
  /** Called for each line, name or field that was refused. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
  /** Called with each warning. A warning about an entry comes after the entry. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Called for each part of the source that does not stand for a URL. */
  readonly onNotApplicable?: ((part: NotApplicable) => void) | undefined;
}

/** The numbers of entries and other parts found in a source. */
export interface SourceCounts {
  /** The number of lines; in a prefix list or a JSON document, of the prefixes or values. */
  readonly lines: number;
  /** The number of entries, including repetitions. */
  readonly entries: number;
  /** Lines, names and fields that should have become entries, but did not. */
  readonly refused: number;
  /** Parts of the source that do not stand for a URL, see {@link NotApplicable}. */
  readonly notApplicable: number;
  readonly warnings: number;
}

/** Options that say what becomes an entry, and how. */
export interface EntryOptions extends SourceCallbacks, BroadOptions, HashOptions {
  /** Whether defanged URLs are read as the original URLs; `false` by default. See `refang`. */
  readonly refang?: boolean | undefined;
}

/** The last line, if it has no line end, and the parser that reads it. */
export interface OpenLine {
  readonly text: string;
  readonly parser: LineParser;
}

/** Turns the findings of parsers into entries, counts them, and reports them in order. */
export interface Results extends Output {
  readonly count: SourceCounts;
  /** The rows that conditions left out so far, by value. */
  rowsLeftOut(): readonly LeftOutRows[];
  /** Called before each line is parsed. */
  startLine(open: OpenLine | null): void;
  /** Reports the entries that are waiting to be hashed together. Called after each chunk of the source. */
  flush(): void;
}

export function resultsOf(options: EntryOptions): Results {
  const { onEntry, onException, onRefusal, onWarning, onNotApplicable } = options;
  const endsInTopLevelDomain = topLevelDomains(options.isPublicSuffix);
  const hostOptions: HostOptions = { ...options, endsInTopLevelDomain };
  const count = { lines: 0, entries: 0, refused: 0, notApplicable: 0, warnings: 0 };
  const leftOut = leftOutCounter();
  const forms = entryForms();
  const lint = linter(hostOptions, warn);
  /** With the option `refang`, turns a defanged URL back into the original one. */
  const meant = options.refang ? refang : (text: string): string => text;
  /** The last entry, to which warnings refer. */
  let last: SourceEntry | null = null;
  let openLine: OpenLine | null = null;
  let openNumber = 0;
  const waiting = waitingEntries(({ line, text, url, expression }, hash) => {
    forms.add(url);
    report({ line, text, expression, hash });
    lint.entry(url, expression);
  }, options);

  function report(entry: SourceEntry): void {
    count.entries++;
    last = entry;
    onEntry(entry);
  }

  function warn(code: WarningCode): void {
    count.warnings++;
    onWarning?.(warning(code, last!));
  }

  function refuse(code: RefusalCode, text: string, lines = 1): void {
    waiting.flush();
    count.refused += lines;
    const details = code === "readings-differ" ? describeReadings(meant(text)) : undefined;
    onRefusal?.(refusal(count.lines - lines + 1, lines, code, text, details));
  }

  function notApplicable(text: string): void {
    waiting.flush();
    count.notApplicable++;
    onNotApplicable?.({ line: count.lines, text: shorten(text) });
  }

  /** The open line, if it is the current one. */
  const open = () => (count.lines === openNumber ? openLine : null);

  /** Whether the line of a URL may have been cut short. Lines that have a line end are whole. */
  function lastLineOf(text: string, url: CanonicalUrl): LastLine {
    const line = open();
    const judged = line?.parser.lastLine?.() ?? "whole";
    return judged === "whole" && line?.text.endsWith(text) ? forms.compare(url) : judged;
  }

  /** Reads a text as an entry or an exception; `null` if it was refused. */
  function read(text: string, kind: EntryKind, options: HostOptions, lines: number) {
    waiting.flush();
    const url = acceptEntry(meant(text), kind, options);
    if (typeof url === "string") return refuse(url, text, lines);
    const end = lastLineOf(text, url);
    if (end === "cut") return refuse("line-cut", openLine!.text, lines);
    const expression = exactExpression(url);
    const entry = { line: count.lines - lines + 1, text, expression, hash: fullHash(expression) };
    return { url, end, entry };
  }

  return {
    count,
    rowsLeftOut: leftOut.rows,
    startLine(open) {
      count.lines++;
      openLine = open;
      openNumber = count.lines;
    },
    line: () => count.lines,
    at(line) {
      count.lines = line;
    },
    accepts: (text, kind) => typeof acceptEntry(meant(text), kind, hostOptions) !== "string",
    flush: waiting.flush,
    entry(text, kind, lines = 1, about, date) {
      const isUsual =
        open() === null && about === undefined && date === undefined && !options.refang;
      if (isUsual && waiting.add(text, kind, count.lines - lines + 1)) return;
      const found = read(text, kind, hostOptions, lines);
      if (found === undefined) return;
      const { url, end, entry } = found;
      forms.add(url);
      report(date === undefined ? entry : { ...entry, date });
      if (about !== undefined) warn(about);
      if (end === "unsure") warn("line-end-missing");
      lint.text(meant(text), url);
      lint.entry(url, entry.expression);
    },
    exception:
      onException &&
      ((text, kind) => {
        const found = read(text, kind, { endsInTopLevelDomain, allowBroad: true }, 1);
        if (found !== undefined) onException(found.entry);
      }),
    hash(hash, about) {
      waiting.flush();
      const end = open() === null ? "whole" : forms.compareHash(hash);
      if (end === "cut") return refuse("line-cut", openLine!.text);
      forms.addHash(hash);
      report({ line: count.lines, text: null, expression: null, hash });
      if (about !== undefined) warn(about);
      if (end === "unsure") warn("line-end-missing");
    },
    header(text) {
      waiting.flush();
      count.warnings++;
      onWarning?.(warning("header-skipped", { line: count.lines, text, expression: null }));
    },
    refuse,
    notApplicable,
    leaveOut(column, value, text) {
      leftOut.add(column, value);
      notApplicable(text);
    },
  };
}

const MOST_VALUES = 1000;

/** Counts the rows that conditions leave out, by value. */
function leftOutCounter() {
  const columns = new Map<string, Map<string, number>>();
  return {
    add(column: string, value: string): void {
      const values = columns.get(column) ?? new Map<string, number>();
      columns.set(column, values);
      const text = shorten(value);
      const known = values.get(text) ?? 0;
      if (known > 0 || values.size < MOST_VALUES) values.set(text, known + 1);
    },
    rows: (): readonly LeftOutRows[] =>
      [...columns].flatMap(([column, values]) =>
        [...values].map(([value, rows]) => ({ column, value, rows })),
      ),
  };
}

/*
 * A download that was cut short usually ends in the middle of a line. The beginning of an entry often covers more than
 * the whole entry: the beginning of `https://docs.example/forms/d/1` may cover all of `docs.example`. But a source may
 * also just lack its last line end. So the last line is compared with the others.
 *
 * Some formats, such as Adblock, first judge their own last line: see `lastLine` in `formats/format.ts`.
 */

/** The forms of entries, by how much of a URL they specify. */
const HOST = 0;
const FOLDER = 1;
const PAGE = 2;
const QUERY = 3;

function formOf({ path, query }: CanonicalUrl): number {
  if (query !== null) return QUERY;
  if (!path.endsWith("/")) return PAGE;
  return path === "/" ? HOST : FOLDER;
}

/** Remembers the forms of the entries, so that the last one can be compared with them. */
interface EntryForms {
  add(url: CanonicalUrl): void;
  addHash(hash: Uint8Array): void;
  /** Judges an entry at the end of the last line. */
  compare(url: CanonicalUrl): LastLine;
  compareHash(hash: Uint8Array): LastLine;
}

function entryForms(): EntryForms {
  let entries = 0;
  let queries = 0;
  let longest = HOST;
  let hashBytes = 0;
  return {
    add(url) {
      const form = formOf(url);
      entries++;
      if (form === QUERY) queries++;
      if (form > longest) longest = form;
    },
    addHash({ length }) {
      if (length > hashBytes) hashBytes = length;
    },
    compare(url) {
      const form = formOf(url);
      // A host or folder that was cut short covers everything below it. A page covers only itself, with any query.
      const isShort = form < PAGE ? form < longest : form === PAGE && 2 * queries > entries;
      return isShort ? "cut" : "unsure";
    },
    compareHash({ length }) {
      if (length < hashBytes) return "cut";
      return length === hashBytes || length === FULL_HASH_BYTES ? "whole" : "unsure";
    },
  };
}

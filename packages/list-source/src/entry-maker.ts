import type { CanonicalUrl } from "@x/canon";
import { refang } from "@x/canon/defanged";
import { topLevelDomains } from "@x/canon/top-level-domains";
import { type Expression, exactExpression } from "@x/expressions";
import { fullHash } from "@x/sha256-prefix";
import { acceptEntry } from "./accept-entry.ts";
import type { EntryKind, LineParser, Output } from "./formats/format.ts";
import { entryForms, type LastLine } from "./last-line.ts";
import {
  type HostOptions,
  type LintOptions,
  linter,
  type Warning,
  type WarningCode,
} from "./lint.ts";
import { describeReadings } from "./readings.ts";
import type { RecognizeOptions } from "./recognize/source.ts";
import { type Refusal, type RefusalCode, refusal } from "./refusal.ts";
import { shorten } from "./shorten.ts";
import { type HashOptions, waitingEntries } from "./waiting-entries.ts";

/** One entry of a list. */
export interface SourceEntry {
  /** The line of the entry, from 1; in a prefix list, the number of the prefix. */
  readonly line: number;
  /** The URL, host or expression as it is in the source. `null` when the source contains hashes. */
  readonly text: string | null;
  /** The expression: a host suffix and a path prefix. `null` when the source contains hashes. */
  readonly expression: Expression | null;
  /** The full hash of the expression, or the hash in the source: a full hash or a prefix of at least 4 bytes. */
  readonly hash: Uint8Array;
}

/** Callbacks for what is found in a source. */
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

/** Part of a source that does not stand for a URL, such as a cosmetic rule, `localhost` or a record about the zone. */
export interface NotApplicable {
  /** The line, from 1. */
  readonly line: number;
  /** The part, printable and shortened. */
  readonly text: string;
}

/** The last line, if it has no line end, and the parser that reads it. */
interface OpenLine {
  readonly text: string;
  readonly parser: LineParser;
}

/** The numbers of entries and other parts found in a source. */
export interface SourceCounts {
  readonly lines: number;
  /** The number of entries, including repetitions. */
  readonly entries: number;
  /** Lines, names and fields that should have become entries, but did not. */
  readonly refused: number;
  /** Parts of the source that do not stand for a URL: cosmetic rules, `localhost`, records about the zone. */
  readonly notApplicable: number;
  readonly warnings: number;
}

/** Turns the findings of parsers into entries, line by line, and counts them. */
export interface EntryMaker extends Output {
  readonly count: SourceCounts;
  /** Called before each line is parsed. */
  startLine(open: OpenLine | null): void;
  /** Sets the number of the line that the next calls are about, for sources that are not read line by line. */
  goToLine(line: number): void;
  /** Reports the entries that are waiting to be hashed together. Called after each chunk of the source. */
  flush(): void;
}

export function entryMaker(
  options: SourceCallbacks & LintOptions & HashOptions & Pick<RecognizeOptions, "refang">,
): EntryMaker {
  const { onEntry, onException, onRefusal, onWarning, onNotApplicable } = options;
  const { isPublicSuffix, allowBroad } = options;
  const endsInTopLevelDomain = topLevelDomains(isPublicSuffix);
  const hostOptions: HostOptions = { isPublicSuffix, allowBroad, endsInTopLevelDomain };
  const count = { lines: 0, entries: 0, refused: 0, notApplicable: 0, warnings: 0 };
  const forms = entryForms();
  const lint = linter({ ...options, endsInTopLevelDomain }, warn);
  /** With the option `refang`, turns a defanged URL back into the original one. */
  const meant = options.refang ? refang : (text: string): string => text;
  let openLine: OpenLine | null = null;
  /** The line of the last entry, to which warnings refer. */
  let entryLine = 0;
  /** Its text, or null if it is a hash. */
  let entryText: string | null = null;
  const waiting = waitingEntries(({ line, text, url, expression }, hash) => {
    report(line, text, url, expression, hash);
    lint.entry(url, expression);
  }, options);

  /** Reports an entry. Warnings about it come afterwards. */
  function report(
    line: number,
    text: string,
    url: CanonicalUrl,
    expression: Expression,
    hash: Uint8Array,
  ): void {
    forms.add(url);
    count.entries++;
    entryLine = line;
    entryText = text;
    onEntry({ line, text, expression, hash });
  }

  function warn(
    code: WarningCode,
    expression: Expression | null,
    coveredBy: Expression | null,
  ): void {
    count.warnings++;
    if (onWarning === undefined) return;
    const text = entryText === null ? null : shorten(entryText);
    onWarning({ line: entryLine, code, text, expression, coveredBy, columns: null });
  }

  function refuse(code: RefusalCode, text: string, lines = 1, details?: string): void {
    waiting.flush();
    count.refused += lines;
    onRefusal?.(refusal(count.lines - lines + 1, lines, code, text, details));
  }

  function refuseUrl(code: RefusalCode, text: string, lines = 1): void {
    refuse(
      code,
      text,
      lines,
      code === "readings-differ" ? describeReadings(meant(text)) : undefined,
    );
  }

  /** Whether the line of a URL may have been cut short. Lines that have a line end are whole. */
  function lastLineOf(text: string, url: CanonicalUrl): LastLine {
    const last = openLine?.parser.lastLine?.() ?? "whole";
    return last === "whole" && openLine?.text.endsWith(text) ? forms.compare(url) : last;
  }

  function exception(text: string, kind: EntryKind) {
    waiting.flush();
    const url = acceptEntry(meant(text), kind, { endsInTopLevelDomain, allowBroad: true });
    if (typeof url === "string") return refuseUrl(url, text);
    if (lastLineOf(text, url) === "cut") return refuse("line-cut", openLine!.text);
    const expression = exactExpression(url);
    onException!({ line: count.lines, text, expression, hash: fullHash(expression) });
  }

  return {
    count,
    startLine(open) {
      count.lines++;
      openLine = open;
    },
    goToLine(line) {
      count.lines = line;
    },
    accepts: (text, kind) => typeof acceptEntry(meant(text), kind, hostOptions) !== "string",
    flush: waiting.flush,
    entry(text, kind, lines = 1, warning) {
      const line = count.lines - lines + 1;
      const isUsual = openLine === null && warning === undefined && !options.refang;
      if (isUsual && waiting.add(text, kind, line)) return;
      waiting.flush();
      const url = acceptEntry(meant(text), kind, hostOptions);
      if (typeof url === "string") return refuseUrl(url, text, lines);
      const last = lastLineOf(text, url);
      if (last === "cut") return refuse("line-cut", openLine!.text, lines);
      const expression = exactExpression(url);
      report(line, text, url, expression, fullHash(expression));
      if (warning !== undefined) warn(warning, expression, null);
      if (last === "unsure") warn("line-end-missing", expression, null);
      lint.text(meant(text), url, expression);
      lint.entry(url, expression);
    },
    hash(hash, warning) {
      waiting.flush();
      const last = openLine === null ? "whole" : forms.compareHash(hash);
      if (last === "cut") return refuse("line-cut", openLine!.text);
      forms.addHash(hash);
      count.entries++;
      entryLine = count.lines;
      entryText = null;
      onEntry({ line: entryLine, text: null, expression: null, hash });
      if (warning !== undefined) warn(warning, null, null);
      if (last === "unsure") warn("line-end-missing", null, null);
    },
    exception: onException === undefined ? null : exception,
    refuse,
    notApplicable(text) {
      waiting.flush();
      count.notApplicable++;
      onNotApplicable?.({ line: count.lines, text: shorten(text) });
    },
    severalColumns(columns) {
      waiting.flush();
      count.warnings++;
      const about = { line: count.lines, text: null, expression: null, coveredBy: null };
      onWarning?.({ ...about, code: "several-columns", columns });
    },
  };
}

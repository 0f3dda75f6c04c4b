import type { CanonicalUrl } from "@x/canon";
import { refang } from "@x/canon/defanged";
import { topLevelDomains } from "@x/canon/top-level-domains";
import { exactExpression } from "@x/expressions";
import { fullHash } from "@x/sha256-prefix";
import { acceptEntry, type HostOptions } from "./accept-entry.ts";
import { type EntryForms, entryForms, type LastLine } from "./cut-download.ts";
import { type LintOptions, linter } from "./entry-warnings.ts";
import type { EntryKind, LineParser, Output } from "./formats/format.ts";
import { describeReadings } from "./readings.ts";
import type { RecognizeOptions } from "./recognize/source.ts";
import type { LeftOutRows } from "./records/where.ts";
import type { RefusalCode } from "./refusal.ts";
import { reporter, type SourceCallbacks, type SourceCounts } from "./reporter.ts";
import { type HashOptions, waitingEntries } from "./waiting-entries.ts";

/** The last line, if it has no line end, and the parser that reads it. */
export interface OpenLine {
  readonly text: string;
  readonly parser: LineParser;
}

/** Turns the findings of parsers into entries, line by line, and counts them. */
export interface EntryMaker extends Output {
  readonly count: SourceCounts;
  /** The rows that conditions left out so far, by value. */
  rowsLeftOut(): readonly LeftOutRows[];
  /** Called before each line is parsed. */
  startLine(open: OpenLine | null): void;
  /** Reports the entries that are waiting to be hashed together. Called after each chunk of the source. */
  flush(): void;
}

/** Whether the line of a URL may have been cut short. Lines that have a line end are whole. */
function lastLineOf(
  open: OpenLine | null,
  text: string,
  url: CanonicalUrl,
  forms: EntryForms,
): LastLine {
  const last = open?.parser.lastLine?.() ?? "whole";
  return last === "whole" && open?.text.endsWith(text) ? forms.compare(url) : last;
}

export function entryMaker(
  options: SourceCallbacks & LintOptions & HashOptions & Pick<RecognizeOptions, "refang">,
): EntryMaker {
  const { onException, isPublicSuffix } = options;
  const endsInTopLevelDomain = topLevelDomains(isPublicSuffix);
  const hostOptions: HostOptions = { ...options, endsInTopLevelDomain };
  const report = reporter(options, () => waiting.flush());
  const { count, refuse } = report;
  const forms = entryForms();
  const lint = linter({ ...options, endsInTopLevelDomain }, report.warn);
  /** With the option `refang`, turns a defanged URL back into the original one. */
  const meant = options.refang ? refang : (text: string): string => text;
  let openLine: OpenLine | null = null;
  let openNumber = 0;
  /** The open line, if it is the current one. */
  const open = () => (openLine !== null && count.lines === openNumber ? openLine : null);
  const waiting = waitingEntries(({ line, text, url, expression }, hash) => {
    forms.add(url);
    report.entry({ line, text, expression, hash });
    lint.entry(url, expression);
  }, options);

  function refuseUrl(code: RefusalCode, text: string, lines = 1): void {
    const details = code === "readings-differ" ? describeReadings(meant(text)) : undefined;
    refuse(code, text, lines, details);
  }

  function exception(text: string, kind: EntryKind) {
    waiting.flush();
    const url = acceptEntry(meant(text), kind, { endsInTopLevelDomain, allowBroad: true });
    if (typeof url === "string") return refuseUrl(url, text);
    if (lastLineOf(open(), text, url, forms) === "cut") return refuse("line-cut", openLine!.text);
    const expression = exactExpression(url);
    onException!({ line: count.lines, text, expression, hash: fullHash(expression) });
  }

  return {
    count,
    rowsLeftOut: report.rowsLeftOut,
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
    entry(text, kind, lines = 1, warning) {
      const line = count.lines - lines + 1;
      const isUsual = open() === null && warning === undefined && !options.refang;
      if (isUsual && waiting.add(text, kind, line)) return;
      waiting.flush();
      const url = acceptEntry(meant(text), kind, hostOptions);
      if (typeof url === "string") return refuseUrl(url, text, lines);
      const last = lastLineOf(open(), text, url, forms);
      if (last === "cut") return refuse("line-cut", openLine!.text, lines);
      const expression = exactExpression(url);
      forms.add(url);
      report.entry({ line, text, expression, hash: fullHash(expression) });
      if (warning !== undefined) report.warn(warning, expression, null);
      if (last === "unsure") report.warn("line-end-missing", expression, null);
      lint.text(meant(text), url, expression);
      lint.entry(url, expression);
    },
    hash(hash, warning) {
      waiting.flush();
      const last = open() === null ? "whole" : forms.compareHash(hash);
      if (last === "cut") return refuse("line-cut", openLine!.text);
      forms.addHash(hash);
      report.entry({ line: count.lines, text: null, expression: null, hash });
      if (warning !== undefined) report.warn(warning, null, null);
      if (last === "unsure") report.warn("line-end-missing", null, null);
    },
    exception: onException === undefined ? null : exception,
    refuse,
    notApplicable: report.notApplicable,
    leaveOut: report.leaveOut,
  };
}

import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { Refusal, SourceSummary, Warning, WarningCode } from "@x/list-source";
import { nameOf } from "../../input/read-file.ts";

/** How many refused lines of a file are shown, and how many warnings of one kind. */
const MOST_REFUSALS = 50;
const MOST_WARNINGS = 5;

const WARNINGS: Readonly<Record<WarningCode, string>> = {
  "public-suffix": "covers a public suffix, and so the sites of many",
  covered: "is covered by another entry",
  "covers-nothing-below": "is too deep to cover anything below it",
  "user-dropped": "stands without the user name",
  "port-dropped": "stands without the port",
  "fragment-dropped": "stands without the fragment",
  "rule-narrowed": "covers this path alone, not all that begins with it",
  "copied-character": "has a character that was probably copied with it",
  "invalid-idn": "has an invalid xn-- label, so only Chromium opens it",
  "other-hash": "is as long as an MD5 or SHA-1 hash: if it is one, it matches nothing",
  "line-end-missing":
    "is on the last line, which has no line end: the file may have been cut short",
  "several-columns": "is one of several columns that may hold the entries",
};

/** Collects what people should know about one source, and keeps it short. */
export interface SourceReport {
  readonly refuse: (refusal: Refusal) => void;
  readonly warn: (warning: Warning) => void;
  /** Lines for stderr. */
  readonly toText: (summary: SourceSummary) => string;
}

/** @param isNamed whether the user named the format, and so need not be told. */
export function sourceReport(file: string, isNamed: boolean): SourceReport {
  const name = nameOf(file);
  const lines: string[] = [];
  const warnings = new Map<WarningCode, number>();
  let refused = 0;
  return {
    refuse({ line, text, expected }) {
      if (refused++ >= MOST_REFUSALS) return;
      lines.push(`${name} line ${line}: "${printable(text)}": expected ${expected}`);
    },
    warn({ line, code, expression, coveredBy, columns }) {
      const count = (warnings.get(code) ?? 0) + 1;
      warnings.set(code, count);
      if (count > MOST_WARNINGS) return;
      const what =
        columns === null ? (expression ?? "the hash") : `${printable(columns[0]!)}, which is read,`;
      const others = coveredBy ?? columns?.map(printable).join(", ") ?? null;
      lines.push(
        `warning: ${name} line ${line}: ${what} ${WARNINGS[code]}${others === null ? "" : `: ${others}`} (${code})`,
      );
    },
    toText({ recognition, column, notApplicable }) {
      if (refused > MOST_REFUSALS) {
        lines.push(
          `${name}: ${counted(refused - MOST_REFUSALS, "more bad entry", "more bad entries")}`,
        );
      }
      for (const [code, count] of warnings) {
        if (count <= MOST_WARNINGS) continue;
        lines.push(
          `warning: ${name}: ${(count - MOST_WARNINGS).toLocaleString("en")} more of ${code}`,
        );
      }
      const other = `${counted(notApplicable, "part does", "parts do")} not apply`;
      if (!isNamed && recognition !== null && recognition.format !== "urls") {
        const kind = recognition.format === "json-lines" ? "field" : "column";
        const from = column === null ? "" : `, ${kind} ${printable(column)}`;
        const read = `${name} is read as ${recognition.found} (${recognition.evidence}${from})`;
        lines.push(notApplicable === 0 ? read : `${read}; ${other}`);
      } else if (notApplicable > 0) lines.push(`${name}: ${other}`);
      return lines.map((line) => `urlhash: ${line}\n`).join("");
    },
  };
}

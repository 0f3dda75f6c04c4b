import { columnUnknown, entryTest } from "../records/candidates.ts";
import { candidatePlaces } from "../records/json-places.ts";
import { fieldNames, type PathStep, parsePath, readJsonRows } from "../records/json-rows.ts";
import { knownTable } from "../records/known-layouts.ts";
import { parseJson } from "../records/parse-json.ts";
import { type RecordReader, recordReader } from "../records/record-reader.ts";
import type { RefusalCode } from "../refusal.ts";
import type { LineParser, ListFormat, Output, ParserOptions } from "./format.ts";

/** One JSON object per line, with a field that contains an entry or an array of entries. */
export const jsonLines: ListFormat = {
  name: "json-lines",
  title: "JSON objects, one per line",
  shape: {
    code: "json-line",
    found: "JSON",
    pattern: /^\s*(?:\{\s*(?:"|\}\s*$)|\[\s*(?:["{[]|\]\s*$))/,
  },
  parser: jsonLinesParser,
};

type JsonRecord = Readonly<Record<string, unknown>>;

/** A line that waits until the field with the entries is known: its record, or why there is none. */
interface Waiting {
  readonly number: number;
  readonly line: string;
  readonly record: JsonRecord | RefusalCode;
}

/** The maximum numbers of records and characters that determine which field has the entries. */
const MOST_RECORDS = 1000;
const MOST_CHARACTERS = 2 ** 20;

function jsonLinesParser(output: Output, options: ParserOptions): LineParser {
  const { column, where = null, maxCharacters } = options;
  const fields = fieldNames();
  let waiting: Waiting[] = [];
  let characters = 0;
  let field = column === undefined ? null : String(column);
  let steps: readonly PathStep[] = [];
  let records: RecordReader | null = null;
  let needsFields = false;

  function begin(): void {
    const found = waiting.flatMap(({ record }) => (typeof record === "string" ? [] : [record]));
    const known = found.length === 0 ? null : knownTable(Object.keys(found[0]!));
    const isKnown = known !== null && (field === null || field === known.column);
    field ??= isKnown || found.length === 0 ? (known?.column ?? null) : onlyField(found, output);
    steps = field === null ? [] : parsePath(field);
    const meant = where ?? (isKnown ? known.where : null);
    needsFields = meant?.length !== 0;
    records = recordReader(output, { names: fields.names, own: -1, where: meant, maxCharacters });
    const last = output.line();
    for (const { number, line, record } of waiting) {
      output.at(number);
      read(line, record);
    }
    output.at(last);
    waiting = [];
  }

  function read(line: string, record: JsonRecord | RefusalCode) {
    if (typeof record === "string") return records!.refuse(record, line);
    // The name of a field may look like a path.
    const isName = field !== null && Object.hasOwn(record, field);
    readJsonRows(
      record,
      isName ? [field!] : steps,
      { fields: needsFields ? fields : null, isRecord: true },
      {
        row: (entry, values) => records!.row(entry, values, line),
        refuse: (code) => records!.refuse(code, line),
      },
    );
  }

  return {
    line(line) {
      const record = recordIn(line);
      if (records !== null) return read(line, record);
      waiting.push({ number: output.line(), line, record });
      characters += line.length;
      const isEnough = waiting.length === MOST_RECORDS || characters > MOST_CHARACTERS;
      if (isEnough || (column !== undefined && typeof record !== "string")) begin();
    },
    finish() {
      if (records === null) begin();
      records!.end();
    },
    column: () => field,
  };
}

/** The only field of records that may have the entries. @throws ListSourceError */
function onlyField(records: readonly JsonRecord[], output: Output): string {
  const found = candidatePlaces(records, entryTest(output));
  if (found.length === 1) return found[0]!.path;
  const isMissing = found.length === 0;
  throw columnUnknown(
    isMissing ? "column-missing" : "column-ambiguous",
    isMissing ? "JSON objects" : "JSON objects with several fields that may have the entries",
    found,
    "the name or path of one of them",
  );
}

function recordIn(line: string): JsonRecord | RefusalCode {
  if (!line.startsWith("{")) return "json-invalid";
  const parsed = parseJson(line);
  if (parsed.problem === null) return parsed.value as JsonRecord;
  return parsed.problem === "member-repeated" ? "field-repeated" : "json-invalid";
}

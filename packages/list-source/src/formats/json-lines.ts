import { isPath, type PathStep, parsePath } from "../json/path.ts";
import { readJsonPath } from "../json/selected.ts";
import type { LineParser, ListFormat, Output } from "./format.ts";
import { findColumns, isEntryName, isListName } from "./parts/columns.ts";
import { besideHosts } from "./parts/fuller-url-in-json.ts";
import { reportsError } from "./parts/json-error.ts";
import { hasMeaning, meaningOfRecord } from "./parts/record-verdicts.ts";

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

function jsonLinesParser(output: Output, column: string | number | undefined): LineParser {
  const field = column === undefined ? undefined : String(column);
  const path = field !== undefined && isPath(field) ? parsePath(field) : null;
  let lastName: string | null = null;
  let hasWarned = false;

  /** The name of the field to read. Warns if another field could be meant. */
  function fieldOf(record: object): string | undefined {
    if (field !== undefined && Object.hasOwn(record, field)) return field;
    const all = Object.keys(record);
    const names = findColumns(all, field).map((index) => all[index]!);
    const [name] = names;
    if (name === undefined || hasWarned) return name;
    const others = names.slice(1);
    if (lastName !== null && lastName !== name) others.unshift(lastName);
    if (others.length > 0) output.severalColumns([...new Set([name, ...others])]);
    hasWarned = others.length > 0;
    return name;
  }

  function readPath(line: string, steps: readonly PathStep[]): void {
    const found = readJsonPath(line, { ...output, at() {} }, steps, true);
    if (found === 0) output.refuse("field-missing", line);
    else lastName = field!;
  }

  return {
    line(line) {
      const record = line.startsWith("{") && line.endsWith("}") ? parseObject(line) : null;
      if (record === null) return output.refuse("json-invalid", line);
      if (reportsError(record)) return output.refuse("json-error", line);
      if (path !== null && !Object.hasOwn(record, field!)) return readPath(line, path);
      const name = fieldOf(record);
      if (field === undefined && isEnvelope(record, name)) {
        return output.refuse("records-inside", line);
      }
      if (name === undefined) return output.refuse("field-missing", line);
      if (hasRepeatedKey(line, name)) return output.refuse("field-repeated", line);
      const isTold = Object.keys(record).some(hasMeaning);
      const meaning = isTold ? meaningOfRecord(Object.entries(record), name) : null;
      if (meaning === "not-applicable") return output.notApplicable(line);
      if (meaning !== null) return output.refuse(meaning, line);
      if (valuesOf(record, name).length === 0) output.refuse("field-empty", line);
      const other = field === undefined ? besideHosts(record, name, output.urlOf) : null;
      if (other !== null && other.doubt !== null)
        return output.refuse("column-unclear", line, 1, other.doubt);
      const read = other?.name ?? name;
      if (read !== name && !hasWarned) {
        output.severalColumns([read, name]);
        hasWarned = true;
      }
      lastName = read;
      for (const each of valuesOf(record, read)) {
        if (typeof each !== "string" || each.trim() === "") output.refuse("field-empty", line);
        else output.entry(each.trim(), "field");
      }
    },
    column: () => lastName,
  };
}

function valuesOf(record: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const value = record[name];
  return Array.isArray(value) ? value : [value];
}

/**
 * Whether an object is an envelope, with the entries in the records of an array. The record of one entry may also have
 * an array of records, such as its screenshots.
 */
function isEnvelope(record: Readonly<Record<string, unknown>>, name: string | undefined): boolean {
  const mayBeEntry = name !== undefined && isEntryName(name);
  return Object.keys(record).some((key) => {
    const value = record[key];
    return Array.isArray(value) && (!mayBeEntry || isListName(key)) && value.some(isRecord);
  });
}

function isRecord(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    findColumns(Object.keys(value), undefined).length > 0
  );
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Matches a key, another string, or a bracket. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;

/** Whether an object has a field several times. `JSON.parse` keeps only the last value. */
function hasRepeatedKey(line: string, name: string): boolean {
  const key = JSON.stringify(name);
  if (line.indexOf(key) === line.lastIndexOf(key)) return false;
  let depth = 0;
  let found = 0;
  for (const [token, colon] of line.matchAll(TOKEN)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && colon !== undefined && token.startsWith(key)) found++;
  }
  return found > 1;
}

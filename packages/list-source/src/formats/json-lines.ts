import { findColumn, firstChoice } from "./columns.ts";
import type { LineParser, Output } from "./parser.ts";

/** One JSON object per line, with the entry in a field: a string, or an array of strings. */
export function jsonLinesParser(output: Output, field: string | undefined): LineParser {
  let lastName: string | null = null;
  return {
    line(line) {
      const record = line.startsWith("{") && line.endsWith("}") ? parseObject(line) : null;
      if (record === null) return output.refuse("json-invalid", line);
      const name = fieldOf(record, field);
      if (name === undefined) return output.refuse("field-missing", line);
      lastName = name;
      const value = record[name];
      const values = Array.isArray(value) ? value : [value];
      if (values.length === 0) output.refuse("field-empty", line);
      for (const each of values) {
        if (typeof each !== "string" || each.trim() === "") output.refuse("field-empty", line);
        else output.entry(each.trim(), "field");
      }
    },
    column: () => lastName,
  };
}

function fieldOf(record: object, asked: string | undefined): string | undefined {
  const first = firstChoice(asked);
  if (Object.hasOwn(record, first)) return first;
  const names = Object.keys(record);
  return names[findColumn(names, asked)];
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

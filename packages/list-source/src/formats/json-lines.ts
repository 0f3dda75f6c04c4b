import { findColumn } from "./columns.ts";
import type { LineParser, Output } from "./parser.ts";

/** One JSON object a line, with the entry in a field: a string, or an array of strings. */
export function jsonLinesParser(output: Output, field: string | undefined): LineParser {
  let lastName: string | null = null;
  return {
    line(line) {
      const record = line.startsWith("{") && line.endsWith("}") ? parseObject(line) : null;
      if (record === null) return output.refuse("json-invalid", line);
      const names = Object.keys(record);
      const name = names[findColumn(names, field)];
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

function parseObject(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

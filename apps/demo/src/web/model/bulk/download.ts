import { toCsv } from "@x/explain";
import { type Row, toNdjson } from "../row.ts";
import type { BulkCheck } from "./bulk-check.ts";

export type DownloadFormat = "csv" | "ndjson";

const ROWS_AT_ONCE = 2000;
const TYPES: Readonly<Record<DownloadFormat, string>> = {
  csv: "text/csv",
  ndjson: "application/x-ndjson",
};

function csvWithoutHeader(rows: readonly Row[]): string {
  const table = toCsv(rows);
  return table.slice(table.indexOf("\r\n") + 2);
}

/** A file of the selected rows. The file is made of blobs, which the browser may keep on the disk. */
export async function downloadOf(
  check: BulkCheck,
  selected: readonly number[],
  format: DownloadFormat,
  pause: () => Promise<void>,
): Promise<Blob> {
  const parts: Blob[] = format === "csv" ? [new Blob([toCsv([])])] : [];
  for (let next = 0; next < selected.length; next += ROWS_AT_ONCE) {
    const rows = selected.slice(next, next + ROWS_AT_ONCE).map(check.rowAt);
    parts.push(new Blob([format === "csv" ? csvWithoutHeader(rows) : toNdjson(rows)]));
    await pause();
  }
  return new Blob(parts, { type: TYPES[format] });
}

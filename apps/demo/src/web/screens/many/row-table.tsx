import { VERDICT_LABELS } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Data } from "../../components/data.tsx";
import { type Row, type RowVerdict, verdictOfRow } from "../../model/row.ts";

const PAGE_ROWS = 100;

/** The colours of the verdicts. */
export const VERDICT_CLASSES: Readonly<Record<RowVerdict, string>> = {
  listed: "listed",
  "not-listed": "clear",
  "not-a-url": "error",
};

function Reason({ row }: { readonly row: Row }): VNode | null {
  if ("error" in row) return <p class="muted">{printable(row.error.message)}</p>;
  if (row.matches.length === 0) return null;
  return (
    <ul class="reasons">
      {row.matches.map(({ list, checksum, expression, prefix, confirmed, reading }) => (
        <li key={`${checksum} ${expression}`}>
          <code>{prefix.slice(0, 16)}</code> <Data text={expression} limit={100} />{" "}
          <span class="muted">
            {confirmed ? "on" : "probably on"} {printable(list).slice(0, 60)}
            {reading === "browser" && ", as browsers read the URL"}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface RowTableProps {
  readonly rows: readonly Row[];
  /** Changes when other rows are shown, but not when rows are added. */
  readonly filter: string;
}

/** A table of rows, in pages. */
export function RowTable({ rows, filter }: RowTableProps): VNode {
  const [page, setPage] = useState(0);
  // A new filter starts at the first page.
  useEffect(() => setPage(0), [filter]);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  const current = Math.min(page, pages - 1);
  const first = current * PAGE_ROWS;
  const shown = rows.slice(first, first + PAGE_ROWS);
  return (
    <>
      <nav class="pager" aria-label="Pages of the table">
        <button type="button" disabled={current === 0} onClick={() => setPage(current - 1)}>
          Previous
        </button>
        <span>
          {rows.length === 0
            ? "No rows"
            : `${(first + 1).toLocaleString("en")}–${(first + shown.length).toLocaleString("en")} of ${rows.length.toLocaleString("en")}`}
        </span>
        <button type="button" disabled={current >= pages - 1} onClick={() => setPage(current + 1)}>
          Next
        </button>
      </nav>
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Verdict</th>
            <th scope="col">URL</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => {
            const verdict = verdictOfRow(row);
            return (
              <tr key={row.line}>
                <td class="line">{row.line}</td>
                <td>
                  <span class={`tag ${VERDICT_CLASSES[verdict]}`}>{VERDICT_LABELS[verdict]}</span>
                </td>
                <td>
                  <Data text={row.url} limit={200} />
                  <Reason row={row} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

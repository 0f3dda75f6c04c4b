import { isDoubtful, VERDICT_LABELS } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Data } from "../../components/data.tsx";
import type { RowOrder } from "../../model/bulk/selection.ts";
import { type Row, verdictOfRow } from "../../model/row.ts";
import { VERDICT_CLASSES } from "../../model/verdict-classes.ts";

/** The verdict in words. A line whose host cannot be decided may be a URL. */
function labelOf(row: Row): string {
  if ("error" in row && row.error.code === "host-undecided") return "no verdict";
  return VERDICT_LABELS[verdictOfRow(row)];
}

function Reason({ row, chance }: { readonly row: Row; readonly chance: number }): VNode | null {
  if ("error" in row) return <p class="muted">{printable(row.error.message)}</p>;
  if (row.matches.length === 0) return null;
  return (
    <ul class="reasons">
      {row.matches.map(({ list, checksum, expression, prefix, confirmed, reading }) => (
        <li key={`${checksum} ${expression}`}>
          <code>{prefix.slice(0, 16)}</code> <Data text={expression} limit={100} />{" "}
          <span class="muted">
            {confirmed || !isDoubtful(chance) ? "on" : "probably on"} {printable(list).slice(0, 60)}
            {reading === "browser" && ", as browsers read the URL"}
          </span>
        </li>
      ))}
    </ul>
  );
}

const COLUMNS = [
  ["line", "Line"],
  ["verdict", "Verdict"],
  ["url", "URL"],
] as const;

interface HeadProps {
  readonly order: RowOrder;
  readonly onOrder: (order: RowOrder) => void;
}

/** The headers of the columns. Clicking one sorts the rows; clicking it again reverses the order. */
function Head({ order, onOrder }: HeadProps): VNode {
  return (
    <thead>
      <tr>
        {COLUMNS.map(([name, label]) => {
          const isUp = order === name;
          const isDown = order === `-${name}`;
          return (
            <th
              key={name}
              scope="col"
              aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}
            >
              <button type="button" class="quiet" onClick={() => onOrder(isUp ? `-${name}` : name)}>
                {label}
                <span aria-hidden="true">{isUp ? " ▲" : isDown ? " ▼" : ""}</span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface RowTableProps extends HeadProps {
  readonly rows: readonly Row[];
  /** The share of harmless URLs that are listed by chance. */
  readonly chance: number;
  /** Opens a URL on the screen for single URLs. */
  readonly onOpen: (url: string) => void;
}

/** One page of rows. */
export function RowTable({ rows, chance, order, onOrder, onOpen }: RowTableProps): VNode {
  return (
    <table class="rows">
      <Head order={order} onOrder={onOrder} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.line}>
            <td class="line">{row.line}</td>
            <td>
              <span class={`tag ${VERDICT_CLASSES[verdictOfRow(row)]}`}>{labelOf(row)}</span>
            </td>
            <td>
              {row.bytes === undefined ? (
                <button type="button" class="open" onClick={() => onOpen(row.url)}>
                  <span class="hidden">Explain </span>
                  <Data text={row.url} limit={200} />
                </button>
              ) : (
                <Data text={row.url} limit={200} />
              )}
              <Reason row={row} chance={chance} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

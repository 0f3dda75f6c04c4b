import { innerText, isDoubtful, type Refusal, urlSummary } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Data } from "../../components/data.tsx";
import { Unbroken } from "../../components/unbroken.tsx";
import type { RowOrder } from "../../model/bulk/selection.ts";
import { type JudgedUrl, ROW_LABELS, type Row, verdictOfRow } from "../../model/row.ts";
import { VERDICT_CLASSES } from "../../model/verdict-classes.ts";

/** The codes of errors for texts that may be URLs, but have no verdict. */
const UNDECIDED: ReadonlySet<string> = new Set(["host-undecided", "unwrap-limit"]);

function labelOf(row: JudgedUrl): string {
  if ("error" in row && UNDECIDED.has(row.error.code)) return "no verdict";
  return ROW_LABELS[verdictOfRow(row)];
}

interface RowProps {
  readonly row: JudgedUrl;
  /** The share of harmless URLs that are listed by chance. */
  readonly chance: number;
}

interface RowVerdictTagProps extends Pick<RowProps, "row"> {
  /** Whether the verdict says too little, because a service hides where the link leads. */
  readonly hidesGoal?: boolean;
}

/** The verdict of a row as a tag. */
export function RowVerdictTag({ row, hidesGoal = false }: RowVerdictTagProps): VNode {
  if (hidesGoal) return <span class="tag doubt">cannot tell</span>;
  return <span class={`tag ${VERDICT_CLASSES[verdictOfRow(row)]}`}>{labelOf(row)}</span>;
}

/**
 * Why a text has no verdict. People learn more from the kind of the text than from the form that a specification
 * expects.
 */
function refusalText(url: string, refusal: Refusal): string {
  const { sentence, facts } = urlSummary(url, refusal);
  const { section, message } = refusal.error;
  return section === null || sentence === "This is not a URL."
    ? message
    : `${sentence} ${facts[0]}`;
}

/** Why a row has its verdict. */
export function Reason({ row, chance }: RowProps): VNode | null {
  if ("error" in row) return <p class="muted">{printable(refusalText(row.url, row))}</p>;
  if (row.disguises !== undefined) {
    return (
      <ul class="reasons">
        {row.disguises.map(({ code, message }) => (
          <li key={code}>
            <Unbroken text={printable(message)} />
          </li>
        ))}
      </ul>
    );
  }
  if (row.matches.length === 0) return null;
  return (
    <ul class="reasons">
      {row.matches.map(({ list, checksum, expression, prefix, confirmed, reading, inner }) => (
        <li key={`${checksum} ${expression} ${inner?.url}`}>
          <Data text={expression} limit={100} />{" "}
          <span class="muted">
            is {confirmed || !isDoubtful(chance) ? "" : "probably "}on{" "}
            {printable(list).slice(0, 60)}
            <span class="prefix">
              , hash prefix <code>{prefix.slice(0, 16)}</code>
            </span>
            {reading === "browser" && ", as browsers read the URL"}
            {inner !== undefined && `, inside the link: ${printable(innerText(inner))}`}
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

/** The headers of the columns. Clicking a header sorts the rows, and clicking it again reverses the order. */
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
              <RowVerdictTag row={row} />
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

import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { Shortened } from "../../components/data.tsx";
import type { Cell, Lattice } from "../../model/lattice.ts";

interface LatticeGridProps {
  readonly lattice: Lattice;
  readonly caption: string;
  readonly current: Cell;
  readonly onCurrent: (cell: Cell) => void;
}

const LONGEST_LABEL = 60;

/** A host or a path. If it needs several lines, they begin at dots or end at slashes where that is possible. */
function Label({ text }: { readonly text: string }): VNode {
  const pieces = text.length > LONGEST_LABEL ? [text] : text.split(/(?<=.\/)|(?=\.)/);
  return (
    <span class="label">
      {pieces.map((piece, i) => (
        <span key={i}>
          <Shortened text={piece} limit={LONGEST_LABEL} />
          <wbr />
        </span>
      ))}
    </span>
  );
}

/** How many rows and columns each key moves. */
const MOVES: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
};

const clamp = (index: number, count: number): number => Math.min(Math.max(index, 0), count - 1);

function nameOf({ expression, prefix, lists }: Cell): string {
  const on = lists.length === 0 ? "not listed" : `on ${lists.join(" and ")}`;
  return printable(`${expression.slice(0, 200)}, hash prefix ${prefix.slice(0, 16)}, ${on}`);
}

/**
 * The expressions of one reading of a URL as a grid. The grid has one tab stop, and arrow keys move within the grid.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/grid/
 */
export function LatticeGrid({ lattice, caption, current, onCurrent }: LatticeGridProps): VNode {
  const { hosts, paths, rows } = lattice;
  const body = useRef<HTMLTableSectionElement>(null);
  const has = rows.some((row) => row.includes(current));
  const entered = has ? current : (rows.flat().find(isHit) ?? rows[0]![0]!);

  const move = (event: KeyboardEvent, row: number, column: number): void => {
    const step = MOVES[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const nextRow = clamp(row + step[0], hosts.length);
    const nextColumn = clamp(column + step[1], paths.length);
    const index = nextRow * paths.length + nextColumn;
    body.current?.querySelectorAll("button")[index]?.focus();
  };

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that arrow keys move in is a grid.
    <table class="lattice" role="grid" data-reading={lattice.reading}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">Host suffix</span>
          </th>
          {paths.map((path) => (
            <th key={path} scope="col" class="data" dir="ltr">
              <Label text={path} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row, i) => (
          <tr key={hosts[i]}>
            <th scope="row" class="data" dir="ltr">
              <Label text={hosts[i]!} />
            </th>
            {row.map((cell, j) => (
              <td key={cell.expression}>
                <button
                  type="button"
                  class={isHit(cell) ? "cell hit" : "cell"}
                  aria-label={nameOf(cell)}
                  aria-current={cell === current}
                  tabIndex={cell === entered ? 0 : -1}
                  onFocus={() => onCurrent(cell)}
                  onMouseEnter={() => onCurrent(cell)}
                  onClick={() => onCurrent(cell)}
                  onKeyDown={(event) => move(event, i, j)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isHit({ lists }: Cell): boolean {
  return lists.length > 0;
}

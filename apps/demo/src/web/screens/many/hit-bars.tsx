import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { Data } from "../../components/data.tsx";
import type { MostHits } from "../../model/bulk/tally.ts";

interface HitBarsProps {
  readonly title: string;
  readonly hits: MostHits;
  /** The name whose rows are shown; `""` when all rows are shown. */
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

/** The names with the most hits as bars. Pressing a bar shows only the rows with its name. */
export function HitBars({ title, hits: { most, total }, chosen, onChoose }: HitBarsProps): VNode {
  const id = useId();
  const longest = most[0]?.count ?? 1;
  const others = total - most.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="stack hit-bars">
      <h3 id={id}>{title}</h3>
      <ul class="stack" aria-labelledby={id}>
        {most.map(({ name, list, count }) => (
          <li key={`${list} ${name}`}>
            <button
              type="button"
              aria-pressed={chosen === name}
              title={list === null ? undefined : `on ${printable(list).slice(0, 80)}`}
              onClick={() => onChoose(chosen === name ? "" : name)}
            >
              <span class="bar" style={{ width: `${(100 * count) / longest}%` }} />
              <Data text={name} limit={80} /> <strong>{count.toLocaleString("en")}</strong>
            </button>
          </li>
        ))}
      </ul>
      {others > 0 && <p class="muted">and {others.toLocaleString("en")} more hits</p>}
    </div>
  );
}

import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Answered } from "../../components/answered.tsx";
import { Panel } from "../../components/panel.tsx";
import { ROOMY } from "../../components/roomy.ts";
import { useAnswer } from "../../hooks/use-answer.ts";
import type { SetValues } from "../../hooks/use-linked-state.ts";
import type { DownloadFormat } from "../../model/bulk/download.ts";
import type { RowFilter } from "../../model/bulk/selection.ts";
import type { Values } from "../../model/screens.ts";
import { ask } from "../../worker-client.ts";
import type { CheckProgress, RowsAsked } from "../../workers/bulk-jobs.ts";
import { DownloadButton } from "./download-button.tsx";
import { HitBars } from "./hit-bars.tsx";
import { Pager } from "./pager.tsx";
import { RowTable } from "./row-table.tsx";

interface ResultsProps {
  readonly job: number;
  readonly progress: CheckProgress;
  readonly isRunning: boolean;
  readonly values: Values<"many">;
  readonly set: SetValues<"many">;
  readonly onOpen: (url: string) => void;
}

const NO_FILTER: RowFilter = { show: "all", find: "", entry: "", host: "" };

interface FiltersProps {
  readonly progress: CheckProgress;
  readonly values: RowFilter;
  readonly onFilter: (changed: Partial<RowFilter>) => void;
}

/** The entries and the hosts with the most hits, and the other filters of the rows. */
function Filters({ progress, values, onFilter }: FiltersProps): VNode {
  const { show, find, entry, host } = values;
  const isFiltered = show !== "all" || find !== "" || entry !== "" || host !== "";
  return (
    <>
      {progress.counts.listed > 0 && (
        <details class="fold" open={matchMedia(ROOMY).matches}>
          <summary>Hits</summary>
          <div class="columns">
            <HitBars
              title="Hits by entry"
              hits={progress.entries}
              chosen={entry}
              onChoose={(chosen) => onFilter({ entry: chosen })}
            />
            <HitBars
              title="Hits by host"
              hits={progress.hosts}
              chosen={host}
              onChoose={(chosen) => onFilter({ host: chosen })}
            />
          </div>
        </details>
      )}
      <div class="row controls">
        <div class="row control grow">
          <label for="find">Containing</label>
          <input
            id="find"
            type="search"
            class="data"
            spellcheck={false}
            autocomplete="off"
            value={find}
            onInput={(event) => onFilter({ find: event.currentTarget.value })}
          />
        </div>
        {isFiltered && (
          <button type="button" onClick={() => onFilter(NO_FILTER)}>
            Show all rows
          </button>
        )}
      </div>
    </>
  );
}

/** The results: bars that filter the rows, and the rows. */
export function Results(props: ResultsProps): VNode {
  const { job, progress, isRunning, values, set, onOpen } = props;
  const { show, find, entry, host, page } = values;
  // Sorting the rows repeatedly would slow down the check.
  const order = isRunning ? "line" : values.order;
  const asked = useMemo(
    (): RowsAsked => ({ job, filter: { show, find, entry, host }, order, page }),
    // New progress means new rows, so `progress` is a dependency.
    [job, progress, show, find, entry, host, order, page],
  );
  const answering = useAnswer("rows", asked);
  const content = (format: DownloadFormat) => (): Promise<Blob> =>
    // In a file, rows are in the order of the lines, as the command writes them, unless the user has sorted them.
    ask("download", {
      job,
      filter: asked.filter,
      order: order === "listed" ? "line" : order,
      format,
    });

  return (
    <Panel
      title="Results"
      class="results"
      actions={
        <div class="row buttons">
          <DownloadButton label="CSV" file="urlhash.csv" content={content("csv")} />
          <DownloadButton label="NDJSON" file="urlhash.ndjson" content={content("ndjson")} />
        </div>
      }
      lead="Listed rows come first. Press part of a bar to see only its rows. Downloads contain all rows that match the filters. The NDJSON is exact; in the CSV, apostrophes keep spreadsheets from running cells as formulas."
    >
      <Filters
        progress={progress}
        values={values}
        onFilter={(changed) => set({ ...changed, page: 1 })}
      />
      <Answered answering={answering}>
        {(shown) => (
          <>
            <Pager shown={shown} onPage={(chosen) => set({ page: chosen })} />
            <RowTable
              rows={shown.rows}
              chance={progress.chance}
              order={order}
              onOrder={(chosen) => set({ order: chosen })}
              onOpen={onOpen}
            />
          </>
        )}
      </Answered>
    </Panel>
  );
}

import { toCsv, VERDICT_LABELS } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useCallback, useEffect, useMemo } from "preact/hooks";
import { FileButton } from "../../components/file-button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Select } from "../../components/select.tsx";
import { TextBox } from "../../components/text-box.tsx";
import type { SetValue } from "../../hooks/use-linked-state.ts";
import type { LoadedList } from "../../hooks/use-lists.ts";
import { ENGINE_NAMES, type EngineChoice } from "../../model/engine.ts";
import { ROW_VERDICTS, type Row, toNdjson, verdictOfRow } from "../../model/row.ts";
import type { Values } from "../../model/screens.ts";
import { DownloadButton } from "./download-button.tsx";
import { RowTable, VERDICT_CLASSES } from "./row-table.tsx";
import type { BulkCheck, BulkChecking, UrlFile } from "./use-bulk-check.ts";

interface ManyScreenProps {
  readonly values: Values<"many">;
  readonly set: SetValue<"many">;
  readonly checking: BulkChecking;
  readonly lists: readonly LoadedList[] | null;
  readonly engine: EngineChoice;
  /** A file instead of the text. */
  readonly file: UrlFile | null;
  readonly onFile: (file: UrlFile | null) => void;
  /** The text that the page was opened with. */
  readonly linkedText: string;
  readonly listPanel: VNode;
}

const SHOWN: readonly (readonly [Values<"many">["show"], string])[] = [
  ["all", "all"],
  ...ROW_VERDICTS.map((verdict) => [verdict, VERDICT_LABELS[verdict]] as const),
];

const EXAMPLE = [
  "https://www.wikipedia.org/",
  "HTTP://login.AZUKISHOP.live:8080/x/%2e%2e/%2561pp?id=1#top",
  "https://example.com/login?next=/home",
  "http://3279880203/blah",
  "mailto:someone@example.com",
  "nfts-mints.com",
  "http://example.com/\u202egnp.exe",
].join("\n");

const number = (n: number): string => n.toLocaleString("en");

function select(rows: readonly Row[], { show, find }: Values<"many">): readonly Row[] {
  if (show === "all" && find === "") return rows;
  const needle = find.toLowerCase();
  return rows.filter(
    (row) =>
      (show === "all" || verdictOfRow(row) === show) &&
      (needle === "" ||
        row.url.toLowerCase().includes(needle) ||
        ("canonical" in row && row.canonical?.includes(needle) === true)),
  );
}

const PHASES: Readonly<Record<BulkCheck["phase"], string>> = {
  idle: "",
  running: "Checking …",
  done: "Done.",
  cancelled: "Cancelled.",
  failed: "Failed:",
};

/** For fewer rows, the time says nothing. */
const FEWEST_TIMED = 1000;

function Summary({ check }: { readonly check: BulkCheck }): VNode {
  const { phase, rows, counts, engine, milliseconds, problem } = check;
  const perSecond = milliseconds > 0 ? Math.round((1000 * rows.length) / milliseconds) : 0;
  const speed = rows.length < FEWEST_TIMED ? "" : `, ${number(perSecond)} URLs a second`;
  return (
    <>
      <dl class="counts">
        <div class="count">
          <dt>checked</dt>
          <dd>{number(rows.length)}</dd>
        </div>
        {ROW_VERDICTS.map((verdict) => (
          <div key={verdict} class={`count ${VERDICT_CLASSES[verdict]}`}>
            <dt>{VERDICT_LABELS[verdict]}</dt>
            <dd>{number(counts[verdict])}</dd>
          </div>
        ))}
      </dl>
      <p role="status">
        {PHASES[phase]}{" "}
        {phase === "done" &&
          `${number(counts.listed)} of ${number(rows.length)} listed.${engine === null ? "" : ` Engine: ${ENGINE_NAMES[engine]}${speed}.`}`}
        {phase === "cancelled" && "The results so far stay below."}
        {problem !== null && `${printable(problem)}.`}
      </p>
    </>
  );
}

/** The screen for thousands of URLs at once. */
export function ManyScreen(props: ManyScreenProps): VNode {
  const { values, set, checking, lists, engine, file, onFile, linkedText, listPanel } = props;
  const { check, start, cancel } = checking;
  const isRunning = check.phase === "running";
  const source = file ?? values.u;
  const hasInput = file !== null || values.u.trim() !== "";
  const isStale = !isRunning && (check.source !== source || check.lists !== lists);

  const run = useCallback((): void => {
    if (lists !== null) start(source, lists, engine);
  }, [source, lists, engine, start]);

  // Text from a link and files are checked at once. Text that is being typed is not.
  const isFromLink = check.phase === "idle" && linkedText !== "" && source === linkedText;
  const isNewFile = file !== null && check.source !== file;
  useEffect(() => {
    if (isFromLink || isNewFile) run();
  }, [isFromLink, isNewFile, run]);

  const { show, find } = values;
  // The array of rows grows in place.
  const selected = useMemo(
    () => select(check.rows, values),
    [check.rows, check.version, show, find],
  );

  return (
    <>
      <div class="columns wide-left">
        <div class="column">
          <Panel title="URLs">
            {file === null ? (
              <TextBox
                label="URLs, one per line"
                value={values.u}
                rows={8}
                onChange={(value) => set("u", value)}
              />
            ) : (
              <p class="file">
                <strong>{printable(file.name)}</strong>{" "}
                <span class="muted">{number(file.bytes.length)} bytes</span>{" "}
                <button type="button" class="quiet" onClick={() => onFile(null)}>
                  Remove<span class="hidden"> {printable(file.name)}</span>
                </button>
              </p>
            )}
            <div class="buttons">
              <button
                type="button"
                class="primary"
                disabled={!hasInput || isRunning || lists === null}
                onClick={run}
              >
                Check
              </button>
              <button type="button" disabled={!isRunning} onClick={cancel}>
                Cancel
              </button>
              <FileButton
                label="Choose a file of URLs"
                onFile={async (chosen) =>
                  onFile({ name: chosen.name, bytes: new Uint8Array(await chosen.arrayBuffer()) })
                }
              />
              <button
                type="button"
                onClick={() => {
                  onFile(null);
                  set("u", EXAMPLE);
                }}
              >
                An example
              </button>
            </div>
            {check.phase !== "idle" && (
              <>
                <progress
                  aria-label="Progress"
                  max={Math.max(1, check.total)}
                  value={check.phase === "done" ? Math.max(1, check.total) : check.done}
                />
                <Summary check={check} />
                {isStale && (
                  <p class="warning">
                    The URLs or the lists have changed since. Check again to update the results.
                  </p>
                )}
              </>
            )}
          </Panel>
        </div>
        <div class="column">{listPanel}</div>
      </div>
      {check.phase !== "idle" && (
        <Panel
          title="Results"
          actions={
            <div class="buttons">
              <DownloadButton
                label="CSV"
                file="urlhash.csv"
                type="text/csv"
                content={() => toCsv(selected)}
              />
              <DownloadButton
                label="NDJSON"
                file="urlhash.ndjson"
                type="application/x-ndjson"
                content={() => toNdjson(selected)}
              />
            </div>
          }
          lead="Downloads contain the rows that are shown by the filter. In the CSV, apostrophes keep a spreadsheet from running cells as formulas. The NDJSON is exact."
        >
          <div class="controls">
            <Select
              label="Show"
              value={show}
              options={SHOWN}
              onChange={(value) => set("show", value)}
            />
            <div class="control grow">
              <label for="find">Containing</label>
              <input
                id="find"
                type="search"
                class="data"
                spellcheck={false}
                autocomplete="off"
                value={find}
                onInput={(event) => set("find", event.currentTarget.value)}
              />
            </div>
          </div>
          <RowTable rows={selected} filter={`${show} ${find}`} />
        </Panel>
      )}
    </>
  );
}

import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Data } from "../components/data.tsx";
import { FileButton } from "../components/file-button.tsx";
import { Panel } from "../components/panel.tsx";
import type { Lists, LoadedList } from "../hooks/use-lists.ts";

interface ListPanelProps {
  readonly lists: Lists;
  /** Checksums of lists that are in the link, but not on this page. */
  readonly missing: readonly string[];
  readonly onFile: (file: File) => void;
}

const MOST_BAD_LINES = 5;

function BadLines({ list: { badLines } }: { readonly list: LoadedList }): VNode | null {
  if (badLines.length === 0) return null;
  return (
    <details class="warning">
      <summary>
        {badLines.length.toLocaleString("en")} {badLines.length === 1 ? "line was" : "lines were"}{" "}
        left out
      </summary>
      <ul>
        {badLines.slice(0, MOST_BAD_LINES).map(({ line, problem }) => (
          <li key={line}>
            Line {line}: {problem}
          </li>
        ))}
        {badLines.length > MOST_BAD_LINES && (
          <li>and {(badLines.length - MOST_BAD_LINES).toLocaleString("en")} more</li>
        )}
      </ul>
    </details>
  );
}

/** The lists to check URLs against, and the buttons to change them. */
export function ListPanel({ lists, missing, onFile }: ListPanelProps): VNode {
  const { builtIn, loaded, problem, reading, put, remove } = lists;
  const hasBuiltIn = loaded?.some(({ isBuiltIn }) => isBuiltIn) ?? true;
  return (
    <div data-drop="list">
      <Panel
        title="Lists"
        class="lists"
        lead="Drop a file anywhere: a list of hash prefixes (from urlhash list build), or plain text with one URL or host per line."
      >
        {loaded === null && <p class="muted">Loading the built-in list …</p>}
        {loaded?.length === 0 && <p>There is no list, so no URL can be listed.</p>}
        <ul class="list-of-lists" aria-label="Lists in use">
          {loaded?.map((one) => (
            <li key={one.list.checksum} class="list-item">
              <div class="list-facts">
                <strong>
                  <Data text={one.list.name} limit={80} />
                </strong>{" "}
                <span class="muted">
                  {one.list.size.toLocaleString("en")} {one.list.size === 1 ? "prefix" : "prefixes"}
                  {one.isBuiltIn ? ", built in: real phishing sites" : ""}
                </span>
                <code class="hash checksum" title="SHA-256 of all prefixes">
                  <span>{one.list.checksum}</span>
                </code>
                <BadLines list={one} />
              </div>
              <button type="button" class="quiet" onClick={() => remove(one)}>
                Remove<span class="hidden"> {printable(one.list.name).slice(0, 80)}</span>
              </button>
            </li>
          ))}
        </ul>
        {missing.length > 0 && (
          <p class="warning">
            This link was made with{" "}
            {missing.length === 1 ? "a list that is" : `${missing.length} lists that are`} not on
            this page (checksum{" "}
            <code>{missing.map((sum) => printable(sum.slice(0, 16))).join(", ")}</code>). Drop the
            {missing.length === 1 ? " file" : " files"} to see the same verdicts.
          </p>
        )}
        <div class="buttons">
          <FileButton label="Choose a list file" onFile={onFile} />
          {!hasBuiltIn && builtIn !== null && (
            <button type="button" onClick={() => put(builtIn)}>
              Add the built-in list
            </button>
          )}
        </div>
        <div class="live" role="status">
          {reading !== null && <p class="muted">Reading {printable(reading)} …</p>}
          {problem !== null && <p class="warning">{printable(problem)}</p>}
        </div>
      </Panel>
    </div>
  );
}

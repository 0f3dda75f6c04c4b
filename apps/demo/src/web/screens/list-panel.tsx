import type { VNode } from "preact";
import { printable } from "../../text/printable.ts";
import { Data } from "../components/data.tsx";
import { FileButton } from "../components/file-button.tsx";
import { Panel } from "../components/panel.tsx";
import type { Lists, LoadedList } from "../use-lists.ts";

interface ListPanelProps {
  readonly lists: Lists;
  /** Checksums in the link of lists that are not here. */
  readonly missing: readonly string[];
  readonly onFile: (file: File) => void;
}

const MOST_BAD_LINES = 5;

function BadLines({ list: { badLines } }: { readonly list: LoadedList }): VNode | null {
  if (badLines.length === 0) return null;
  return (
    <details class="warning">
      <summary>
        {badLines.length.toLocaleString("en")} {badLines.length === 1 ? "line is" : "lines are"} not
        in it
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

/** The lists that URLs are checked against, and the ways to change them. */
export function ListPanel({ lists, missing, onFile }: ListPanelProps): VNode {
  const { builtIn, loaded, problem, reading, put, remove } = lists;
  const hasBuiltIn = loaded?.some(({ isBuiltIn }) => isBuiltIn) ?? true;
  return (
    <div data-drop="list">
      <Panel
        title="Lists"
        class="lists"
        lead="Drop a file anywhere: hash prefixes (@x/prefix-list), or plain text with a URL or host a line."
      >
        {loaded === null && <p class="muted">Loading the built-in list …</p>}
        {loaded?.length === 0 && <p>No list: nothing can be found to be listed.</p>}
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
                <code class="hash checksum" title="SHA-256 of all its prefixes">
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
            This link was made with {missing.length === 1 ? "a list" : `${missing.length} lists`}{" "}
            that
            {missing.length === 1 ? " is" : " are"} not here (checksum{" "}
            <code>{missing.map((sum) => printable(sum.slice(0, 16))).join(", ")}</code>). Drop the
            file to see the same verdicts.
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

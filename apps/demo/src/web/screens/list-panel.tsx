import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import { encodePrefixList, type PrefixList } from "@x/prefix-list";
import type { VNode } from "preact";
import type { PageSettings } from "../../page-settings.ts";
import { COVERAGE, NEWEST, PUBLISHER, TITLE } from "../../phishing-list/about.ts";
import { Button, FileButton } from "../components/buttons.tsx";
import { Checkbox } from "../components/controls.tsx";
import { Data } from "../components/data.tsx";
import { DownloadButton } from "../components/files.tsx";
import { More, Panel } from "../components/panels.tsx";
import type { Lists } from "../hooks/use-lists.ts";
import type { SettingsState } from "../hooks/use-page-settings.ts";
import { listFileName, type PageList } from "../model/page-list.ts";
import type { ListSource } from "../model/read-list.ts";

interface ListPanelProps {
  readonly inUse: Lists;
  readonly settings: SettingsState;
}

/** The recognized format, and the refused lines with the reasons. */
function SourceFacts({ source }: { readonly source: ListSource }): VNode {
  const { found, entries, notApplicable, refused } = source;
  const others =
    notApplicable === 0
      ? ""
      : `, ${counted(notApplicable, "line that cannot be an entry", "lines that cannot be entries")}`;
  return (
    <>
      <span class="muted">
        Read as {printable(found)}: {counted(entries, "entry", "entries")}
        {others}.
      </span>
      {refused.total > 0 && (
        <details class="warning">
          <summary>{counted(refused.total, "line was", "lines were")} refused</summary>
          <ul>
            {refused.shown.map(({ line, problem }) => (
              <li key={line}>
                Line {line}: {printable(problem)}
              </li>
            ))}
          </ul>
          <More hidden={refused.total - refused.shown.length} />
        </details>
      )}
    </>
  );
}

const ORIGINS: Readonly<Record<PageList["from"], string>> = {
  page: `, built in: ${TITLE}`,
  store: ", from the operator of this page, signed",
  file: "",
};

/** Current lists that anyone can download. */
const CURRENT = [
  [NEWEST, `${PUBLISHER}’s newest`],
  ["https://openphish.com/phishing_feeds.html", "OpenPhish"],
] as const;

interface SaveListProps {
  readonly list: PrefixList;
  readonly label: string;
  readonly what?: string;
}

export function SaveList({ list, ...named }: SaveListProps): VNode {
  const content = async () => new Blob([encodePrefixList(list)]);
  return <DownloadButton {...named} file={listFileName(list.name)} content={content} />;
}

interface ListItemProps {
  readonly one: PageList;
  readonly inUse: Lists;
}

function ListItem({ one, inUse: { remove, mark } }: ListItemProps): VNode {
  const { list, from, isSafe, source } = one;
  const name = printable(list.name).slice(0, 80);
  return (
    <li class="row list-item">
      <div class="stack list-facts">
        <strong>
          <Data text={list.name} limit={80} />
        </strong>{" "}
        <span class="muted">
          {counted(list.size, "entry", "entries")},{" "}
          {list.created > 0
            ? `made ${new Date(list.created).toISOString().slice(0, 10)}`
            : "of unknown age"}
          {ORIGINS[from]}
        </span>
        <code class="hash checksum" title="SHA-256 of all prefixes">
          <span>{list.checksum}</span>
        </code>
        {source !== null && <SourceFacts source={source} />}
        {from === "file" && (
          <Checkbox
            label="This is a list of safe sites"
            describes={name}
            value={isSafe}
            onChange={(value) => mark(one, value)}
          />
        )}
      </div>
      <div class="row">
        <SaveList list={list} label="Save" what={name} />
        <button type="button" class="quiet" onClick={() => remove(one)}>
          Remove<span class="hidden"> {name}</span>
        </button>
      </div>
    </li>
  );
}

interface NewerListProps {
  readonly inUse: Lists;
  readonly settings: PageSettings;
  readonly onLists: () => void;
}

/** Says what the built-in list lacks, and has a button that gets a better one. */
export function NewerList({ inUse, settings, onLists }: NewerListProps): VNode | null {
  const { loaded, reading, fetchFrom } = inUse;
  const { store } = settings;
  const origins = loaded?.map(({ from }) => from) ?? [];
  if (!origins.includes("page") || origins.includes("store")) return null;
  return (
    <>
      {COVERAGE}{" "}
      {store === null ? (
        <button type="button" class="link" onClick={onLists}>
          Add a current list
        </button>
      ) : (
        <Button class="link" isAvailable={reading === null} onClick={() => void fetchFrom(store)}>
          Get the current list
        </Button>
      )}
    </>
  );
}

export function ListNotice({ inUse: { reading, problem } }: { readonly inUse: Lists }): VNode {
  return (
    <div class="live" role="status">
      {reading !== null && <p class="muted">Reading {printable(reading)} …</p>}
      {problem !== null && <p class="warning">{printable(problem.message)}</p>}
    </div>
  );
}

export function ListPanel({ inUse, settings }: ListPanelProps): VNode {
  const { builtIn, loaded, problem, add, put } = inUse;
  const hasBuiltIn = loaded?.some(({ from }) => from === "page") ?? true;
  return (
    <div data-drop="list">
      <Panel
        title="Lists"
        class="lists"
        lead="Drop a file here: URLs or hosts, a hosts file, Adblock filters, a table, hashes, or a file from urlhash list build."
      >
        {loaded === null && <p class="muted">Loading the built-in list …</p>}
        {loaded?.length === 0 && <p>There is no list, so no URL can be listed.</p>}
        <ul aria-label="Lists in use">
          {loaded?.map((one) => (
            <ListItem key={one.list.checksum} one={one} inUse={inUse} />
          ))}
        </ul>
        <div class="row">
          <FileButton label="Choose a list file" onFile={add} />
          {!hasBuiltIn && builtIn !== null && (
            <button type="button" onClick={() => put(builtIn)}>
              Add the built-in list
            </button>
          )}
        </div>
        <p class="row">
          <span class="muted">Current lists to download and add:</span>
          {CURRENT.map(([href, name]) => (
            <a key={href} href={href} rel="noreferrer">
              {name}
            </a>
          ))}
        </p>
        {settings.problem !== null && (
          <p class="warning">
            The settings of this page could not be read, so it knows no current list:{" "}
            {printable(settings.problem)}.
          </p>
        )}
        <ListNotice inUse={inUse} />
        {problem?.source != null && <SourceFacts source={problem.source} />}
      </Panel>
    </div>
  );
}

import { dirname, join, resolve } from "node:path";
import { Failure } from "@x/command-line";
import { isListName } from "@x/list-store";
import { isMap, isSeq } from "yaml";
import { isUrl } from "../../publish/fetch/source-url.ts";
import { readText } from "../store-files.ts";
import { type Key, SETTINGS, SOURCE_KEYS } from "./publisher-file-schema.ts";
import type { ListSettings, SharedSettings, SourceSettings } from "./settings.ts";
import {
  entriesOf,
  itemsOf,
  type Place,
  parseYaml,
  problemsIn,
  readValue,
  say,
  type YamlText,
} from "./yaml-text.ts";

/** A list in the file. Options supply the settings that the file does not set. */
export type ListInFile = Partial<SharedSettings> & Omit<ListSettings, keyof SharedSettings>;

export interface PublisherFile {
  readonly lists: readonly ListInFile[];
  /** One sentence for each problem, with the file and the line. */
  readonly problems: readonly string[];
}

const SETTINGS_FIELDS = {
  lifetime: "lifetime",
  "min-interval": "minInterval",
  "max-removed": "maxRemoved",
  interop: "interop",
  "share-exceptions": "sharesExceptions",
  "allow-empty": "allowEmpty",
  "allow-broad": "allowBroad",
  "skip-bad": "skipBad",
} as const satisfies Record<keyof typeof SETTINGS, keyof SharedSettings>;

function settingsIn(yaml: YamlText, entries: ReadonlyMap<string, Place>): Partial<SharedSettings> {
  const settings: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(SETTINGS_FIELDS)) {
    const place = entries.get(name);
    if (place === undefined) continue;
    const value = readValue<unknown>(yaml, place, SETTINGS[name as keyof typeof SETTINGS]);
    if (value !== undefined) settings[field] = value;
  }
  return settings;
}

function sourceIn(yaml: YamlText, place: Place, file: string): SourceSettings[] {
  const keys = isMap(place.node)
    ? entriesOf(yaml, place, "", Object.keys(SOURCE_KEYS))
    : new Map([["source", place]]);
  const of = <Value>(name: string, key: Key<Value>) => {
    const found = keys.get(name);
    return found && readValue(yaml, found, key);
  };
  if (!keys.has("source")) say(yaml, place.at, `${place.path}: expected the key "source"`);
  const source = of("source", SOURCE_KEYS.source);
  const format = of("format", SOURCE_KEYS.format);
  const column = of("column", SOURCE_KEYS.column);
  const where = of("where", SOURCE_KEYS.where);
  return source === undefined
    ? []
    : [{ source: isUrl(source) ? source : inFolderOf(file, source), format, column, where }];
}

function listIn(yaml: YamlText, list: string, place: Place, file: string): ListInFile {
  const known = ["sources", "exceptions", "never-block", ...Object.keys(SETTINGS)];
  const entries = entriesOf(yaml, place, "the settings of a list", known);
  if (!isListName(list)) {
    say(
      yaml,
      place.at,
      `${place.path}: a list is named with up to 63 lower-case letters, digits and hyphens`,
    );
  }
  const sources = entries.get("sources");
  const given = sources === undefined ? [] : itemsOf(yaml, sources, "a list of sources");
  if (isMap(place.node) && (sources === undefined || (isSeq(sources.node) && given.length === 0)))
    say(yaml, place.at, `${place.path}: expected the key "sources" with at least one source`);
  const filesOf = (key: string) => {
    const files = entries.get(key);
    return (files === undefined ? [] : itemsOf(yaml, files, "a list of files")).flatMap((each) => {
      const name = readValue(yaml, each, SOURCE_KEYS.source);
      return name === undefined ? [] : [inFolderOf(file, name)];
    });
  };
  return {
    ...settingsIn(yaml, entries),
    list,
    sources: given.flatMap((each) => sourceIn(yaml, each, file)),
    exceptFiles: filesOf("exceptions"),
    neverBlockFiles: filesOf("never-block"),
  };
}

/** Reads the lists from a document that is valid YAML. */
function listsIn(yaml: YamlText, file: string): ListInFile[] {
  const { contents } = yaml.document;
  const top = entriesOf(
    yaml,
    { node: contents, at: 0, path: "" },
    'a mapping with the key "lists"',
    ["defaults", "lists"],
  );
  const common = top.get("defaults");
  const defaults =
    common === undefined
      ? {}
      : settingsIn(yaml, entriesOf(yaml, common, "settings of lists", Object.keys(SETTINGS)));
  const named = top.get("lists");
  const all = named === undefined ? new Map() : entriesOf(yaml, named, "the lists, by name", null);
  if (isMap(contents) && (named === undefined || (isMap(named.node) && all.size === 0))) {
    say(yaml, 0, 'expected the key "lists" with at least one list');
  }
  return [...all].map(([list, place]) => ({ ...defaults, ...listIn(yaml, list, place, file) }));
}

/** Parses the text of a publisher's file (YAML). Relative paths start from the folder of `file`. */
export function parsePublisherFile(file: string, text: string): PublisherFile {
  const yaml = parseYaml(text);
  const lists = yaml.problems.length === 0 ? listsIn(yaml, file) : [];
  return { lists, problems: problemsIn(yaml, file) };
}

/** Resolves a path in `file`, relative to the folder of `file`. */
function inFolderOf(file: string, name: string): string {
  return resolve(name) === name ? name : join(dirname(file), name);
}

export async function readPublisherFile(file: string): Promise<PublisherFile> {
  return parsePublisherFile(file, await readText(file, "The publisher's file"));
}

/** Reads the lists in a publisher's file. Throws if the file has any problem. */
export async function listsInFile(file: string): Promise<readonly ListInFile[]> {
  const { lists, problems } = await readPublisherFile(file);
  const [first, ...more] = problems;
  if (first === undefined) return lists;
  const others =
    more.length === 0 ? "" : ` (and ${more.length} more: urlhash-server check-config ${file})`;
  throw new Failure(first + others);
}

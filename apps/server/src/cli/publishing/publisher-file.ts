import { dirname, join, resolve } from "node:path";
import { didYouMean, Failure } from "@x/command-line";
import { isListName } from "@x/list-store";
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { isUrl } from "../../publish/fetch/source-url.ts";
import { readText } from "../store-files.ts";
import { type Key, SETTINGS, SOURCE_KEYS } from "./list-keys.ts";
import type { ListSettings, SourceSettings } from "./settings.ts";

/** The settings of a list that the file gives. The others are those of the options. */
export interface ListInFile
  extends Partial<Omit<ListSettings, "list" | "sources" | "exceptFiles">> {
  readonly list: string;
  readonly sources: readonly SourceSettings[];
  readonly exceptFiles: readonly string[];
}

/** What a publisher's file says. */
export interface PublisherFile {
  readonly lists: readonly ListInFile[];
  /** What is wrong with it, one sentence for each problem, with the file, the line and the key. */
  readonly problems: readonly string[];
}

/** A value in the file. */
interface Place {
  /** The YAML node; `null` for a key without a value. */
  readonly node: unknown;
  /** Where it begins, in UTF-16 code units. */
  readonly at: number;
  /** The keys that lead to it, such as `lists.malware.lifetime`. */
  readonly path: string;
}

const SETTINGS_FIELDS = {
  lifetime: "lifetime",
  "min-interval": "minInterval",
  "max-removed": "maxRemoved",
  names: "names",
  interop: "interop",
  "share-exceptions": "sharesExceptions",
  "allow-empty": "allowEmpty",
  "allow-broad": "allowBroad",
  "skip-bad": "skipBad",
} as const satisfies Record<keyof typeof SETTINGS, keyof ListSettings>;

const startOf = (node: unknown, otherwise: number): number =>
  (node as { range?: readonly number[] | null } | null)?.range?.[0] ?? otherwise;

/** Reads one document. Each problem is reported with its place, and reading goes on. */
function reader(document: Document, say: (at: number, problem: string) => void) {
  const resolved = (node: unknown): unknown =>
    isAlias(node) ? (node.resolve(document) ?? null) : node;

  /** The values of a mapping, by key. `isKnown` says which keys there are. */
  function entriesOf(
    { node, at, path }: Place,
    expected: string,
    known: readonly string[] | null,
  ): Map<string, Place> {
    const entries = new Map<string, Place>();
    if (!isMap(node)) {
      say(at, `${path === "" ? "" : `${path}: `}expected ${expected}`);
      return entries;
    }
    for (const { key, value } of node.items) {
      const where = startOf(key, at);
      const name = isScalar(key) ? (key.source ?? String(key.value)) : "";
      const full = path === "" ? name : `${path}.${name}`;
      if (known !== null && !known.includes(name)) {
        say(where, `unknown key ${JSON.stringify(full)}${didYouMean(name, known)}`);
      } else {
        const found = resolved(value);
        entries.set(name, { node: found, at: startOf(found, where), path: full });
      }
    }
    return entries;
  }

  function itemsOf({ node, at, path }: Place, expected: string): Place[] {
    if (!isSeq(node)) {
      say(at, `${path}: expected ${expected}`);
      return [];
    }
    return node.items.map((item, i) => {
      const found = resolved(item);
      return { node: found, at: startOf(found, at), path: `${path}[${i}]` };
    });
  }

  function readValue<Value>({ node, at, path }: Place, { read }: Key<Value>): Value | undefined {
    const value = isScalar(node) ? node.value : null;
    try {
      return read(value);
    } catch (error) {
      const expected = (error as Error).message.replace(/^E/, "e").replace(/\.$/, "");
      const not = isScalar(node) ? `, not ${JSON.stringify(value)}` : "";
      say(at, `${path}: ${expected}${not}`);
      return undefined;
    }
  }

  return { entriesOf, itemsOf, readValue };
}

/** Reads the text of a publisher's file. */
export function parsePublisherFile(file: string, text: string): PublisherFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const found: { readonly at: number; readonly problem: string }[] = [];
  const say = (at: number, problem: string) => void found.push({ at, problem });
  for (const { pos, message } of [...document.errors, ...document.warnings]) {
    say(pos[0], message.split("\n")[0]!);
  }
  const { entriesOf, itemsOf, readValue } = reader(document, say);
  const pathOf = (name: string) => (isUrl(name) ? name : inFolderOf(file, name));

  function settingsIn(entries: ReadonlyMap<string, Place>): Partial<ListSettings> {
    const settings: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(SETTINGS_FIELDS)) {
      const place = entries.get(name);
      if (place === undefined) continue;
      const value = readValue<unknown>(place, SETTINGS[name as keyof typeof SETTINGS]);
      if (value !== undefined) settings[field] = value;
    }
    return settings;
  }

  function sourceIn(place: Place): SourceSettings[] {
    const keys = isMap(place.node)
      ? entriesOf(place, "", Object.keys(SOURCE_KEYS))
      : new Map([["source", place]]);
    const of = <Value>(name: string, key: Key<Value>) => {
      const found = keys.get(name);
      return found && readValue(found, key);
    };
    if (!keys.has("source")) say(place.at, `${place.path}: expected the key "source"`);
    const source = of("source", SOURCE_KEYS.source);
    const format = of("format", SOURCE_KEYS.format);
    const column = of("column", SOURCE_KEYS.column);
    return source === undefined ? [] : [{ source: pathOf(source), format, column }];
  }

  function listIn(list: string, place: Place, defaults: Partial<ListSettings>): ListInFile {
    const known = ["sources", "exceptions", ...Object.keys(SETTINGS)];
    const entries = entriesOf(place, "the settings of a list", known);
    if (!isListName(list)) {
      say(
        place.at,
        `${place.path}: a list is named with up to 63 lower-case letters, digits and hyphens`,
      );
    }
    const sources = entries.get("sources");
    const given = sources === undefined ? [] : itemsOf(sources, "a list of sources");
    if (isMap(place.node) && (sources === undefined || (isSeq(sources.node) && given.length === 0)))
      say(place.at, `${place.path}: expected the key "sources" with at least one source`);
    const exceptions = entries.get("exceptions");
    const files = exceptions === undefined ? [] : itemsOf(exceptions, "a list of files");
    return {
      ...defaults,
      ...settingsIn(entries),
      list,
      sources: given.flatMap(sourceIn),
      exceptFiles: files.flatMap((each) => {
        const name = readValue(each, SOURCE_KEYS.source);
        return name === undefined ? [] : [inFolderOf(file, name)];
      }),
    };
  }

  let lists: ListInFile[] = [];
  if (found.length === 0) {
    const top = entriesOf(
      { node: document.contents, at: 0, path: "" },
      'a mapping with the key "lists"',
      ["defaults", "lists"],
    );
    const common = top.get("defaults");
    const defaults =
      common === undefined
        ? {}
        : settingsIn(entriesOf(common, "settings of lists", Object.keys(SETTINGS)));
    const named = top.get("lists");
    const all = named === undefined ? new Map() : entriesOf(named, "the lists, by name", null);
    if (
      isMap(document.contents) &&
      (named === undefined || (isMap(named.node) && all.size === 0))
    ) {
      say(0, 'expected the key "lists" with at least one list');
    }
    lists = [...all].map(([list, place]) => listIn(list, place, defaults));
  }
  const problems = found
    .sort((a, b) => a.at - b.at)
    .map(({ at, problem }) => `${file}:${Math.max(1, lines.linePos(at).line)}: ${problem}`);
  return { lists, problems };
}

/** The path of a file that is named in another file, whose folder it starts from. */
function inFolderOf(file: string, name: string): string {
  return resolve(name) === name ? name : join(dirname(file), name);
}

/** Reads a publisher's file. */
export async function readPublisherFile(file: string): Promise<PublisherFile> {
  return parsePublisherFile(file, await readText(file, "The publisher's file"));
}

/** The lists in a publisher's file. It is an error if anything in the file is wrong. */
export async function listsInFile(file: string): Promise<readonly ListInFile[]> {
  const { lists, problems } = await readPublisherFile(file);
  const [first, ...more] = problems;
  if (first === undefined) return lists;
  const others =
    more.length === 0 ? "" : ` (and ${more.length} more: urlhash-server check-config ${file})`;
  throw new Failure(first + others);
}

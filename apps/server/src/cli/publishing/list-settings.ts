import { Failure } from "@x/command-line";
import type { SourceFormat } from "@x/list-source";
import { type About, checkListName } from "@x/list-store";
import { isUrl } from "../../publish/fetch/source-url.ts";
import type { ListSource } from "../../publish/read-list.ts";
import { OF_LISTS, type Settings } from "../settings/schema.ts";
import type { GivenSettings } from "../settings/settings-file.ts";

/** The settings with which a list is published: its own, and otherwise those of all lists. */
export interface ListSettings extends Pick<Settings, keyof typeof OF_LISTS> {
  readonly list: string;
  /** The path or URL of each source, and how it is read. */
  readonly sources: readonly (Omit<ListSource, "source" | "address" | "asOf"> & {
    readonly source: string;
  })[];
  /** Exceptions files for this list only. The exceptions of the store apply to all lists. */
  readonly exceptions: readonly string[];
  /** Files of hosts that this list never blocks. */
  readonly "never-block": readonly string[];
  /** Why entries are on the list, and where people can object, as versions say. */
  readonly reason?: string;
  readonly contact?: string;
}

/** What versions of a list say about it. */
export const aboutOf = ({ reason, contact }: ListSettings): About | null =>
  reason === undefined && contact === undefined ? null : { reason, contact };

/** How the sources on the command line are read. */
export interface SourceOptions {
  readonly input?: SourceFormat;
  readonly column?: string;
  readonly where?: readonly string[];
}

/** The settings of a list with these sources. */
function settingsOf(
  list: string,
  settings: Settings,
  sources: ListSettings["sources"],
): ListSettings {
  const names = Object.keys(OF_LISTS) as (keyof typeof OF_LISTS)[];
  const ofAll = Object.fromEntries(names.map((name) => [name, settings[name]]));
  const own = Object.hasOwn(settings.lists, list) ? settings.lists[list] : {};
  return { ...ofAll, exceptions: [], "never-block": [], ...own, list, sources } as ListSettings;
}

/** Returns the lists in the settings file. Throws if one has no sources. */
export function listsInSettings({ settings, file }: GivenSettings): readonly ListSettings[] {
  return Object.entries(settings.lists).map(([list, { sources }]) => {
    if (sources !== undefined) return settingsOf(list, settings, sources);
    throw new Failure(`${file}: lists.${list}: expected "sources" with at least one source`);
  });
}

/** Parses arguments such as `malware=urls.txt`. Several arguments may add sources to the same list. */
function listsOnCommandLine(
  given: readonly string[],
  settings: Settings,
  { input: format, column, where }: SourceOptions,
): readonly ListSettings[] {
  const lists = new Map<string, string[]>();
  for (const each of given) {
    const at = each.indexOf("=");
    // A URL is not quoted in the message, because it may contain a password.
    if (isUrl(each)) {
      throw new Failure(
        "Expected NAME=SOURCE, such as malware=https://feed.example/urls.txt, not a URL alone",
      );
    }
    if (at < 1 || at === each.length - 1 || each.slice(0, at).includes(":")) {
      const not = each.includes(":") ? "" : `, not ${JSON.stringify(each)}`;
      throw new Failure(`Expected NAME=SOURCE, such as malware=urls.txt${not}`);
    }
    const name = each.slice(0, at);
    checkListName(name);
    lists.set(name, [...(lists.get(name) ?? []), each.slice(at + 1)]);
  }
  const reading = { ...(format && { format }), ...(column && { column }), ...(where && { where }) };
  return [...lists].map(([list, sources]) =>
    settingsOf(
      list,
      settings,
      sources.map((source) => ({ source, ...reading })),
    ),
  );
}

/** Returns the lists to publish, from the command line or from the settings file. */
export function chosenLists(
  names: readonly string[],
  given: GivenSettings,
  { input, column, where }: SourceOptions,
): readonly ListSettings[] {
  const options = { input, column, where } as SourceOptions;
  if (names.length > 0) return listsOnCommandLine(names, given.settings, options);
  const [option] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (option !== undefined)
    throw new Failure(`--${option} is for NAME=SOURCE: write it into ${given.file}`);
  const lists = listsInSettings(given);
  if (lists.length > 0) return lists;
  throw new Failure(
    `Expected NAME=SOURCE, such as malware=urls.txt, or lists in the settings file ${given.file}`,
  );
}

import { Failure } from "@x/command-line";
import type { SourceFormat } from "@x/list-source";
import { checkListName } from "@x/list-store";
import { isUrl } from "../../publish/fetch/source-url.ts";
import type { Settings } from "../settings/schema.ts";
import type { GivenSettings } from "../settings/settings-file.ts";
import type { ListSettings, SourceSettings } from "./settings.ts";

/** How the sources on the command line are read. */
export interface SourceOptions {
  readonly input?: SourceFormat;
  readonly column?: string;
  readonly where?: readonly string[];
}

/** The settings of a list: its own, and those of all lists. */
function settingsOf(
  list: string,
  settings: Settings,
  sources: readonly SourceSettings[],
): ListSettings {
  const { lists } = settings;
  const own: Settings["lists"][string] = Object.hasOwn(lists, list) ? lists[list]! : {};
  const { exceptions: exceptFiles = [], "never-block": neverBlockFiles = [] } = own;
  const of = <Name extends keyof typeof own & keyof Settings>(name: Name) =>
    (own[name] ?? settings[name]) as NonNullable<Settings[Name]>;
  return {
    list,
    sources,
    exceptFiles,
    neverBlockFiles,
    sharesExceptions: of("share-exceptions"),
    interop: of("interop"),
    allowEmpty: of("allow-empty"),
    allowBroad: of("allow-broad"),
    skipBad: of("skip-bad"),
    lifetime: of("lifetime"),
    minInterval: of("min-interval"),
    maxRemoved: of("max-removed"),
  };
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
  return [...lists].map(([list, sources]) =>
    settingsOf(
      list,
      settings,
      sources.map((source) => ({ source, format, column, where })),
    ),
  );
}

/** Returns the lists to publish, from the command line or from the settings file. */
export function chosenLists(
  names: readonly string[],
  given: GivenSettings,
  options: SourceOptions,
): readonly ListSettings[] {
  if (names.length > 0) return listsOnCommandLine(names, given.settings, options);
  const [option] = Object.keys(options);
  if (option !== undefined)
    throw new Failure(`--${option} is for NAME=SOURCE: write it into ${given.file}`);
  const lists = listsInSettings(given);
  if (lists.length > 0) return lists;
  throw new Failure(
    `Expected NAME=SOURCE, such as malware=urls.txt, or lists in the settings file ${given.file}`,
  );
}

import { Failure } from "@x/command-line";
import { checkListName } from "@x/list-store";
import { isUrl } from "../../publish/fetch/source-url.ts";
import { limitOf } from "../../publish/removal-limits.ts";
import { listsInFile } from "./publisher-file.ts";
import type { ListOptions, ListSettings, SharedSettings } from "./settings.ts";

/** Returns the settings of a list that follow from the options of `publish`. */
export function settingsByOptions(list: string, options: ListOptions): SharedSettings {
  const { interop, shareExceptions } = options;
  const { lifetime, minInterval, maxRemoved } = options;
  const { allowEmpty = false, allowBroad = false, skipBad = false } = options;
  return {
    sharesExceptions: shareExceptions?.has(list) ?? false,
    interop: interop?.has(list) ?? false,
    allowEmpty,
    allowBroad,
    skipBad,
    lifetime,
    minInterval,
    maxRemoved: limitOf(maxRemoved, list),
  };
}

/** Parses arguments such as `malware=urls.txt`. Several arguments may add sources to the same list. */
export function listsOnCommandLine(
  given: readonly string[],
  options: ListOptions,
): readonly ListSettings[] {
  const { input: format, column, where } = options;
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
  return [...lists].map(([list, sources]) => ({
    ...settingsByOptions(list, options),
    list,
    sources: sources.map((source) => ({ source, format, column, where })),
    exceptFiles: [],
    neverBlockFiles: [],
  }));
}

/** Options that are refused on the command line together with a file of lists, which sets them for each list. */
const WITHOUT_FILE = {
  input: "--input",
  column: "--column",
  where: "--where",
  interop: "--interop",
  shareExceptions: "--share-exceptions",
} as const;

/** Options on the command line that override the file of lists. */
const OVER_FILE = ["allowEmpty", "allowBroad", "skipBad", "lifetime", "minInterval"] as const;

/** Reads a file of lists. Options supply the settings that the file does not set. */
async function listsOfFile(
  file: string,
  options: ListOptions,
  isGiven: (option: string) => boolean,
): Promise<readonly ListSettings[]> {
  for (const [option, flag] of Object.entries(WITHOUT_FILE)) {
    if (isGiven(option))
      throw new Failure(`${flag} is for lists on the command line: write it into ${file}`);
  }
  const { maxRemoved } = options;
  const over = OVER_FILE.filter(isGiven);
  return (await listsInFile(file)).map((inFile) => {
    const { list } = inFile;
    const settings = settingsByOptions(list, options);
    const isLimited = maxRemoved.lists.has(list) || maxRemoved.others !== null;
    return {
      ...settings,
      ...inFile,
      ...Object.fromEntries(over.map((name) => [name, settings[name]])),
      ...(isGiven("maxRemoved") && isLimited && { maxRemoved: settings.maxRemoved }),
    };
  });
}

/**
 * Returns the lists to publish, from the command line or from a file.
 *
 * @param file the path of a file of lists (`--config`), if one is set.
 * @param isGiven whether an option is on the command line.
 */
export async function chosenLists(
  given: readonly string[],
  file: string | undefined,
  options: ListOptions,
  isGiven: (option: string) => boolean,
): Promise<readonly ListSettings[]> {
  if (given.length > 0) {
    if (isGiven("config")) throw new Failure("Expected either NAME=SOURCE or --config, not both");
    return listsOnCommandLine(given, options);
  }
  if (file !== undefined) return listsOfFile(file, options, isGiven);
  throw new Failure(
    "Expected NAME=SOURCE, such as malware=urls.txt, or a file of lists (--config)",
  );
}

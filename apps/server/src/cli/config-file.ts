import { isDeepStrictEqual } from "node:util";
import { didYouMean, Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import type { StoreError } from "@x/list-store";
import { readRegularFile } from "@x/list-store/node";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Command } from "commander";
import { SETTINGS } from "./option-defaults.ts";
import type { StoreOptions } from "./store-address.ts";
import { filesBesideStore } from "./store-files.ts";

/** Returns the text of a new configuration file, with all {@link SETTINGS} and their defaults commented out. */
export function configTemplate(store: string): string {
  const lines = [
    `# Settings of urlhash-server for the store ${store}.`,
    "# Each line sets the option of that name for all commands; options on the command line take precedence.",
    "# Relative paths start from the folder in which the command runs, so write absolute paths.",
    "",
  ];
  for (const [name, { help, ...rest }] of Object.entries(SETTINGS)) {
    lines.push(`# ${help}`, `#${name} = ${"preset" in rest ? rest.preset : ""}`, "");
  }
  return lines.join("\n");
}

async function readSettings(configFile: string): Promise<string> {
  const unreadable = (cause: unknown) =>
    new Failure(`The settings file ${configFile} cannot be read: ${reasonOf(cause)}`, { cause });
  try {
    const bytes = await readRegularFile(configFile, `The settings file ${configFile}`);
    if (bytes === null) throw unreadable("it is a directory");
    return Buffer.from(bytes).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw hasName<StoreError>(error, "StoreError") || hasName<Failure>(error, "Failure")
      ? error
      : unreadable(error);
  }
}

/** Reads the settings that are not on the command line from the store's configuration file. */
export async function readConfig(command: Command): Promise<void> {
  for (const [key, value] of Object.entries(await settingsInConfig(command))) {
    command.setOptionValueWithSource(key, value, "config");
  }
}

/**
 * Returns a function that returns the options of a command, with the current settings in the configuration file. The
 * function throws if the options in use, which it is given, have settings of the file and the file has none now: it may
 * be missing, or not yet written, and without its settings, lists and addresses could be open that the settings close.
 */
export function optionsReader<Options extends object>(
  command: Command,
): (inUse: Options) => Promise<Options> {
  const isFromFile = (key: string) => command.getOptionValueSource(key) === "config";
  const presets = command.options.map((option) => {
    const key = option.attributeName();
    return [key, isFromFile(key) ? option.defaultValue : command.getOptionValue(key)] as const;
  });
  return async (inUse) => {
    const settings = await settingsInConfig(command);
    const hadSettings = presets.some(
      ([key, preset]) => !isDeepStrictEqual(inUse[key as keyof Options], preset),
    );
    if (hadSettings && Object.keys(settings).length === 0) {
      throw new Failure(
        "The settings file no longer has any settings: if that is intended, restart the command",
      );
    }
    return { ...Object.fromEntries(presets), ...settings } as Options;
  };
}

/**
 * Reads the settings in the configuration file that are not on the command line. The keys of the result are the
 * attribute names of the options.
 */
async function settingsInConfig(command: Command): Promise<Readonly<Record<string, unknown>>> {
  const { store, files } = command.opts<Partial<StoreOptions>>();
  const settings: Record<string, unknown> = {};
  if (store === undefined) return settings;
  const { configFile } = filesBesideStore({ store, ...(files !== undefined && { files }) });
  const text = await readSettings(configFile);
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value] = /^\s*([a-z0-9-]+)\s*=\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) {
      throw new Failure(`${configFile}:${i + 1}: expected a line such as "port = 8080"`);
    }
    if (!Object.hasOwn(SETTINGS, name)) {
      const similar = didYouMean(name, Object.keys(SETTINGS));
      throw new Failure(`${configFile}:${i + 1}: unknown setting '${name}'${similar}`);
    }
    const option = command.options.find((each) => each.long === `--${name}`);
    if (option === undefined) continue;
    const key = option.attributeName();
    if (command.getOptionValueSource(key) === "cli") continue;
    try {
      settings[key] = option.parseArg ? option.parseArg(value!, undefined) : value;
    } catch (error) {
      throw new Failure(`${configFile}:${i + 1}: ${(error as Error).message}`, { cause: error });
    }
  }
  return settings;
}

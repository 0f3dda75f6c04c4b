import { type Command, Option } from "commander";
import { readConfig } from "./config-file.ts";
import { type Definition, SETTINGS, type SettingName } from "./option-defaults.ts";

export const TRUST_CLOCK = {
  flags: "--trust-clock",
  help: "publish even if the newest version was signed later than this machine's clock says",
} as const;

/** Help for the commands after which a list stops following its sources. */
export const HOLD_HELP = `
From then on, publish leaves the list as it is, whatever its sources contain.
When the sources are good again, publish it once with --resume.`;

export function optionOf(name: SettingName): Option {
  const { flags, help, ...rest }: Definition = SETTINGS[name];
  const option = new Option(flags, help);
  if (rest.parse) option.argParser(rest.parse as (text: string, before: unknown) => unknown);
  if (rest.preset) option.default(rest.parse ? rest.parse(rest.preset) : rest.preset, rest.preset);
  return option;
}

export const STORE_HELP =
  "the store: a directory, DIR, or s3://BUCKET/PREFIX, or for reading https://HOST/PATH/";

export const FILES = {
  flags: "--files <path>",
  help: "where DIR.conf and the other files beside the store are, if not beside DIR; for URLs, DIR is the last name, in this folder",
} as const;

/**
 * Adds the options that locate S3 buckets. Access keys come only from environment variables, because other users can
 * see the arguments of a process.
 */
export function addS3Options(command: Command): Command {
  return command.addOption(optionOf("s3-endpoint")).addOption(optionOf("s3-region"));
}

/** Adds `--store` and some settings to a command. */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  command.requiredOption("--store <place>", STORE_HELP).option(FILES.flags, FILES.help);
  addS3Options(command);
  return addOptions(command, names);
}

/** Adds some settings to a command that reads no store. Its `--store` only says where the configuration file is. */
export function addSettingsWithoutStore(command: Command, names: readonly SettingName[]): Command {
  command
    .option("--store <place>", "use the settings of this store, DIR.conf")
    .option(FILES.flags, FILES.help);
  return addOptions(command, names);
}

function addOptions(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) command.addOption(optionOf(name));
  return command.hook("preAction", (_, action) => readConfig(action));
}

import { collect } from "@x/command-line";
import type { Command } from "commander";

export const TRUST_CLOCK = {
  flags: "--trust-clock",
  help: "publish even if the newest version was signed later than this machine's clock says",
} as const;

/** Help for the commands after which a list stops following its sources. */
export const HOLD_HELP = `
From then on, publish leaves the list as it is, whatever its sources contain.
When the sources are good again, publish it once with --resume.`;

export const STORE_HELP =
  "the store: a directory, DIR, or s3://BUCKET/PREFIX, or for reading https://HOST/PATH/";

export const LOG_LEVEL = {
  flags: "--log-level <level>",
  help: "the least important lines that are printed: debug, info, warn, error or silent (default: info)",
} as const;

/** Adds the options that every command with settings has. */
export function addSettings(command: Command): Command {
  return addSettingsWithoutStore(command.option("--store <place>", STORE_HELP));
}

/** Adds the same options, except the one for the store. */
export function addSettingsWithoutStore(command: Command): Command {
  return command
    .option("--config <file>", "the settings (default: urlhash-server.yaml beside the store)")
    .option(
      "--set <name=value>",
      "any setting of that file, as in --set lifetime=7d; may be given more than once",
      collect,
    );
}

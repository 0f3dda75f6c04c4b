import { collect, collecting, durationValue, expecting, wholeNumber } from "@x/command-line";
import { isWhere } from "@x/list-source";
import type { Command } from "commander";

export const TRUST_CLOCK = {
  flags: "--trust-clock",
  help: "publish even if the newest version is dated in the future",
} as const;

const STORE_HELP = "the store: a directory, s3://BUCKET/PREFIX, or to read https://HOST/PATH/";

export const LOG_LEVEL = {
  flags: "--log-level <level>",
  help: "how much is logged: debug, info, warn, error or silent (default: info)",
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

const [LEAST, MOST] = [durationValue("1s"), durationValue("7d")];

/** Parses an interval. Intervals are limited, because Node timers cannot wait for more than 24 days. */
export const parseInterval: (text: string) => number = expecting(
  "a duration from 1s to 7d",
  (text) => {
    const milliseconds = durationValue(text);
    return milliseconds >= LEAST && milliseconds <= MOST ? milliseconds : null;
  },
);

export const parseCount: (text: string) => number = wholeNumber(0, 999_999_999);

export const parsePort = wholeNumber(0, 65_535);

/** Collects the values of `--where`. */
export const collectWhere = collecting(
  'a condition such as "verdict=malicious", or "all"',
  isWhere,
);

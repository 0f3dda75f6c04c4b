import { expecting, Failure, parseDuration, wholeNumber } from "@x/command-line";
import { FOLLOW_LIMITS } from "@x/links/follow";
import type { Command } from "commander";

/** The options of commands that follow links. For options that are not set, the defaults of `followLink` apply. */
export interface FollowOptions {
  readonly follow?: boolean;
  readonly maxHops?: number;
  readonly maxBytes?: number;
  readonly maxTime?: number;
}

const HOUR = 3_600_000;

const timeValue = expecting("a duration from 1s to 1h, such as 30s", (text) => {
  const time = parseDuration(text);
  return time !== null && time > 0 && time <= HOUR ? time : null;
});

/** `--follow` and its limits. */
export function addFollowOptions(command: Command): Command {
  return command
    .option("--follow", "follow redirects: this asks the servers of the URLs")
    .option(
      "--max-hops <n>",
      `with --follow, the most redirects of a URL (default: ${FOLLOW_LIMITS.maxHops})`,
      wholeNumber(0, 1000),
    )
    .option(
      "--max-bytes <n>",
      `with --follow, the most bytes of the pages of a URL (default: ${FOLLOW_LIMITS.maxBytes})`,
      wholeNumber(0, 2 ** 30),
    )
    .option(
      "--max-time <time>",
      `with --follow, the longest time for a URL (default: ${FOLLOW_LIMITS.timeout / 1000}s)`,
      timeValue,
    );
}

/** @throws {Failure} when a limit is given without `--follow`. */
export function checkFollowOptions({ follow, ...limits }: FollowOptions): void {
  if (follow) return;
  const flags = { maxHops: "--max-hops", maxBytes: "--max-bytes", maxTime: "--max-time" };
  for (const [name, flag] of Object.entries(flags)) {
    if (limits[name as keyof typeof limits] !== undefined) {
      throw new Failure(`${flag} needs --follow`);
    }
  }
}

export const FOLLOW_HELP = `With --follow, each URL that is not listed is requested, and so is what it
redirects to, with the headers Location and Refresh or with a refresh in the
page. Every URL is checked before it is requested, and the first listed one is
not requested any more: then the given URL is listed. stderr names each URL
before it is requested. THE SERVERS LEARN THAT SOMEBODY FOLLOWS THE LINK, and a
request may do something, such as confirm an address or unsubscribe. No cookies
and no scripts are used, and private and local addresses are refused. A URL that
could not be followed to its end is "unsure", with the reason.`;

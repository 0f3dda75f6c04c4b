import type { Command } from "commander";

/** The option of commands that follow links, within the limits of `followLink`. */
export interface FollowOptions {
  readonly follow?: boolean;
}

export function addFollowOption(command: Command): Command {
  return command.option("--follow", "follow redirects: this asks the servers of the URLs");
}

export const FOLLOW_HELP = `With --follow, each URL that is not listed is requested, and so is what it
redirects to, with the headers Location and Refresh or with a refresh in the
page. Every URL is checked before it is requested, and the first listed one is
not requested any more: then the given URL is listed. stderr names each URL
before it is requested. THE SERVERS LEARN THAT SOMEBODY FOLLOWS THE LINK, and a
request may do something, such as confirm an address or unsubscribe. No cookies
and no scripts are used, and private and local addresses are refused. A URL that
could not be followed to its end is "unsure", with the reason.`;

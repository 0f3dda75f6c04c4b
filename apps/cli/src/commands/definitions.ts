import { addDefinitionCommands } from "@x/command-line";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { KEY_VARIABLE } from "../input/api-key.ts";

const MAN_TEXTS = {
  purpose: "canonicalize URLs, hash their expressions, and check them against lists",
  exitStatus: [
    ["0", "Success; nothing is listed."],
    ["1", "Something is listed, or matches."],
    [
      "2",
      "Failure: bad usage, an unreadable file, a broken list. This status is never combined with others.",
    ],
    ["4", "Some input was refused; the rest was processed. 5 is 1 and 4 together."],
    ["8", "There is no verdict on some URL. This status is added to 1 and 4."],
    [
      "16",
      "Some URL is on no list, but built to mislead people. This status is added to the others.",
    ],
    ["32", "Some URL could not be followed to its end (--follow). 8 is added, too."],
  ],
  environment: [
    [KEY_VARIABLE, "The API key for --server, unless there is --key-file."],
    [
      "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY",
      "The proxies for connections to servers, and the hosts that are asked directly.",
    ],
    [
      "XDG_CACHE_HOME",
      "The folder for caches. Lists of servers and stores are kept in its subfolder urlhash. It must be an absolute path.",
    ],
    [
      "NO_COLOR, FORCE_COLOR, TERM, COLUMNS",
      "Whether output is coloured, and how wide it may be. --color takes precedence.",
    ],
  ],
} as const;

/**
 * Registers the commands whose output is made from the definitions of the others: `completion`, `man` and `help`.
 */
export function registerDefinitions(program: Command, { stdout }: Context): void {
  addDefinitionCommands(program, stdout.write, MAN_TEXTS);
}

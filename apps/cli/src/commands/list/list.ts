import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { registerListBuild } from "./build.ts";
import { registerListFetch } from "./fetch.ts";
import { registerListDump, registerListInfo } from "./list-file.ts";

const HELP = `
A list file holds prefixes of the SHA-256 hashes of expressions such as
evil.example/path/, sorted and packed, with a name, a time and a checksum. It
does not hold the entries themselves, but anyone who has it can test guesses.

Exit status: 0 for success, 2 for a failure; "list build" can also exit with 4.

Examples:
  $ urlhash list build hosts.txt feed.txt -o hosts.list
  $ urlhash list info hosts.list
  $ urlhash list dump hosts.list
  $ urlhash list fetch https://lists.example/malware -o malware.list`;

export function registerList(program: Command, context: Context): void {
  const list = program
    .command("list")
    .summary("build, inspect and fetch lists")
    .description("Work with list files, which `urlhash check --list` reads.")
    .addHelpText("after", HELP);
  registerListBuild(list, context);
  registerListInfo(list, context);
  registerListDump(list, context);
  registerListFetch(list, context);
}

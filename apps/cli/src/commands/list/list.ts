import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { registerListBuild } from "./build.ts";
import { registerListApply, registerListDiff } from "./difference.ts";
import { registerListFetch } from "./fetch.ts";
import { registerListDump, registerListInfo, registerListMerge } from "./list-file.ts";

const HELP = `
A list file holds prefixes of the SHA-256 hashes of expressions such as
evil.example/path/, sorted and packed, with a name, a time and a checksum. It
does not hold the entries themselves, but anyone who has it can test guesses.

Keep a list current: build it again, send the difference, and apply it.

Exit status: 0 for success, 2 for a failure; "list build" can also exit with 4.

Examples:
  $ urlhash list build hosts.txt --name hosts -o monday.list
  $ urlhash list info monday.list
  $ urlhash list diff monday.list tuesday.list -o tuesday.diff
  $ urlhash list apply monday.list tuesday.diff -o tuesday.list
  $ urlhash list merge tuesday.list feed.list -o all.list
  $ urlhash list dump tuesday.list
  $ urlhash list fetch https://lists.example/malware -o malware.list`;

export function registerList(program: Command, context: Context): void {
  const list = program
    .command("list")
    .summary("build, inspect, compare, merge and fetch lists")
    .description("Work with list files, which `urlhash check --list` reads.")
    .helpCommand(false)
    .addHelpText("after", HELP);
  registerListBuild(list, context);
  registerListInfo(list, context);
  registerListDump(list, context);
  registerListMerge(list, context);
  registerListDiff(list, context);
  registerListApply(list, context);
  registerListFetch(list, context);
}

import { prefixes } from "@x/prefix-list";
import { toHex } from "@x/sha256-prefix";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { readList } from "../../input/list-files.ts";

const HELP = `
Prefixes are sorted within each length; shorter lengths come first.
"urlhash list build --input hex --bytes 32" makes the same list from the lines.

Exit status: 0, or 2 when the file is not a list or is damaged.

Examples:
  $ urlhash list dump hosts.list | wc -l
  $ diff <(urlhash list dump a.list) <(urlhash list dump b.list)`;

const BLOCK_LINES = 4096;

export function registerListDump(list: Command, { stdout }: Context): void {
  list
    .command("dump")
    .description("Write the prefixes of a list in hexadecimal, one per line.")
    .argument("<list>", "the file of a list")
    .addHelpText("after", HELP)
    .action(async (file: string) => {
      let lines: string[] = [];
      for (const prefix of prefixes(await readList(file))) {
        lines.push(`${toHex(prefix)}\n`);
        if (lines.length < BLOCK_LINES) continue;
        await stdout.write(lines.join(""));
        lines = [];
      }
      await stdout.write(lines.join(""));
    });
}

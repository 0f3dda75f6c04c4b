import { Failure } from "@x/command-line";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import { type PrefixList, prefixes } from "@x/prefix-list";
import { FULL_HASH_BYTES, toHex } from "@x/sha256-prefix";
import { type Command, Option } from "commander";
import type { Context } from "../../context.ts";
import { readList } from "../../input/list-files.ts";

const HELP = `
Prefixes are sorted within each length; shorter lengths come first.
"urlhash list build --input hex --bytes 32" makes the same list from the lines.

--format clamav writes a database (.gdb) with which ClamAV reports mail with
links to listed URLs. The list must have full hashes: build or fetch it with
--bytes 32.

Exit status: 0, or 2 when the file is not a list or is damaged.

Examples:
  $ urlhash list dump hosts.list | wc -l
  $ diff <(urlhash list dump a.list) <(urlhash list dump b.list)
  $ urlhash list dump --format clamav hosts.list > hosts.gdb`;

const BLOCK_LINES = 4096;

/** How the lines of each format begin, and what stands above them. */
const FORMATS = {
  hex: { head: () => "", lineStart: "" },
  // `S1` makes ClamAV report `Heuristics.Phishing.URL.Blocked`, and `F` is for full hashes, the only ones that ClamAV
  // looks up. freshclam refuses an empty file and keeps the old one, so the comment is always there.
  clamav: {
    head: ({ name, size }: PrefixList) =>
      `# ${printable(name)}: ${counted(size, "full hash", "full hashes")} of URL expressions, for ClamAV\n`,
    lineStart: "S1:F:",
  },
} as const;

type Format = keyof typeof FORMATS;

export function registerListDump(list: Command, { stdout }: Context): void {
  list
    .command("dump")
    .description("Write the prefixes of a list in hexadecimal, one per line.")
    .argument("<list>", "the file of a list")
    .addOption(
      new Option("--format <format>", "the format of the lines")
        .choices(Object.keys(FORMATS))
        .default("hex"),
    )
    .addHelpText("after", HELP)
    .action(async (file: string, { format }: { readonly format: Format }) => {
      const read = await readList(file);
      if (
        format === "clamav" &&
        read.lengths.some(({ prefixBytes }) => prefixBytes !== FULL_HASH_BYTES)
      ) {
        throw new Failure(
          `ClamAV needs full hashes, and ${printable(file)} has shorter prefixes: build or fetch it with --bytes 32`,
        );
      }
      const { head, lineStart } = FORMATS[format];
      let lines: string[] = [head(read)];
      for (const prefix of prefixes(read)) {
        lines.push(`${lineStart}${toHex(prefix)}\n`);
        if (lines.length < BLOCK_LINES) continue;
        await stdout.write(lines.join(""));
        lines = [];
      }
      await stdout.write(lines.join(""));
    });
}

import { diffPrefixLists, encodeDifference } from "@x/prefix-list";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { toJson } from "../json.ts";
import { readList } from "../list-files.ts";
import { writeFileAtomically } from "../write-file-atomically.ts";

interface DiffOptions {
  readonly output?: string;
  readonly json?: boolean;
}

const HELP = `
With -o the difference is written to a file, from which "urlhash list apply"
makes NEW of OLD.
JSON: { "removals", "additions", "oldChecksum", "checksum", "bytes" }; "bytes"
is the size of that file.

Exit status: 0, or 2 for a failure.

Examples:
  $ urlhash list diff monday.list tuesday.list
  $ urlhash list diff monday.list tuesday.list -o tuesday.diff`;

export function registerListDiff(list: Command, { stdout }: Context): void {
  list
    .command("diff")
    .description("Compare two versions of a list.")
    .argument("<old>", "the file of the earlier list")
    .argument("<new>", "the file of the later list")
    .option("-o, --output <file>", "write the difference to this file")
    .option("--json", "write one JSON object")
    .addHelpText("after", HELP)
    .action(async (oldFile: string, newFile: string, { output, json }: DiffOptions) => {
      const [from, to] = await Promise.all([readList(oldFile), readList(newFile)]);
      const difference = diffPrefixLists(from, to);
      const octets = encodeDifference(difference);
      if (output !== undefined) await writeFileAtomically(output, octets);
      const { oldChecksum, checksum } = difference;
      const removals = difference.removals.length;
      const additions = difference.additions.reduce(
        (sum, { prefixSize, rawHashes }) => sum + rawHashes.length / prefixSize,
        0,
      );
      const bytes = octets.length;
      const [gone, come, size] = [removals, additions, bytes].map((n) => n.toLocaleString("en"));
      await stdout.write(
        json
          ? `${toJson({ removals, additions, oldChecksum, checksum, bytes })}\n`
          : `${gone} removed, ${come} added; ${size} octets as a difference\n`,
      );
    });
}

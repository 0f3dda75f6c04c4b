import { printable, printableJson } from "@x/explain/printable";
import { diffPrefixLists, encodeDifference } from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { readList } from "../../input/list-files.ts";
import { addJsonOption } from "../../output/format.ts";
import { checkJsonOutput, OUTPUT_HELP, openOutput } from "../../output/write-output.ts";

interface DiffOptions {
  readonly output?: string;
  readonly json?: boolean;
}

const HELP = `
-o writes the difference to a file. "urlhash list apply" makes NEW from OLD and
that file.
JSON: { "removals", "additions", "oldChecksum", "checksum", "fileBytes" };
"fileBytes" is the size of that file.
Both versions should have one name: build each with the same --name.
${OUTPUT_HELP}

Exit status: 0, or 2 for a failure.

Examples:
  $ urlhash list diff monday.list tuesday.list
  $ urlhash list diff monday.list tuesday.list -o tuesday.diff`;

export function registerListDiff(list: Command, context: Context): void {
  const command = list
    .command("diff")
    .description("Compare two versions of a list.")
    .argument("<old>", "the file of the earlier list")
    .argument("<new>", "the file of the later list")
    .option("-o, --output <file>", 'write the difference to this file; "-" is stdout');
  addJsonOption(command)
    .addHelpText("after", HELP)
    .action(async (oldFile: string, newFile: string, { output, json }: DiffOptions) => {
      checkJsonOutput(json, output);
      const file =
        output === undefined ? null : await openOutput(output, [oldFile, newFile], context);
      const [from, to] = await Promise.all([readList(oldFile), readList(newFile)]);
      if (from.name !== to.name) {
        const names = `${printable(from.name)} and ${printable(to.name)}`;
        const advice = '"urlhash list apply" will ask for --allow-rename';
        await context.stderr.write(`urlhash: warning: the lists are named ${names}: ${advice}\n`);
      }
      const difference = diffPrefixLists(from, to);
      const bytes = encodeDifference(difference);
      await file?.write(bytes);
      const { oldChecksum, checksum } = difference;
      const removals = difference.removals.length;
      const additions = countEntries(difference.additions);
      const fileBytes = bytes.length;
      const record = { removals, additions, oldChecksum, checksum, fileBytes };
      const [gone, added, size] = [removals, additions, fileBytes].map((n) =>
        n.toLocaleString("en"),
      );
      const tell = file?.tell ?? context.stdout.write;
      await tell(
        json
          ? `${printableJson(record)}\n`
          : `${gone} removed, ${added} added; the difference takes ${size} bytes\n`,
      );
    });
}

import { applyDifference, decodeDifference, encodePrefixList } from "@x/prefix-list";
import type { Command } from "commander";
import { printable } from "../../text/printable.ts";
import type { Context } from "../context.ts";
import { counted } from "../counted.ts";
import { Failure, reasonOf } from "../failure.ts";
import { decodeOctets, readList, readOctets } from "../list-files.ts";
import { writeFileAtomically } from "../write-file-atomically.ts";

const HELP = `
The difference must have been made from OLD, and what comes out must have the
checksum it names; else nothing is written.

Exit status: 0, or 2 for a failure.

Example:
  $ urlhash list apply monday.list tuesday.diff -o tuesday.list`;

export function registerListApply(list: Command, { stdout }: Context): void {
  list
    .command("apply")
    .description("Make the later version of a list from the earlier one and a difference.")
    .argument("<old>", "the file of the earlier list")
    .argument("<difference>", 'a file of "urlhash list diff -o"')
    .requiredOption("-o, --output <list>", "the file to write")
    .addHelpText("after", HELP)
    .action(async (oldFile: string, file: string, { output }: { output: string }) => {
      const old = await readList(oldFile);
      const difference = decodeOctets(file, await readOctets(file), "difference", decodeDifference);
      let size: number;
      try {
        const result = applyDifference(old, difference);
        size = result.size;
        await writeFileAtomically(output, encodePrefixList(result));
      } catch (error) {
        if (error instanceof Failure || (error as Error).name !== "PrefixListError") throw error;
        throw new Failure(`${printable(file)} does not apply: ${printable(reasonOf(error))}`);
      }
      await stdout.write(`${printable(output)}: ${counted(size, "prefix", "prefixes")}\n`);
    });
}

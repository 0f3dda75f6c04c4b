import { printable } from "@x/explain/printable";
import {
  applyDifference,
  decodeDifference,
  encodePrefixList,
  type PrefixList,
  type PrefixListDifference,
} from "@x/prefix-list";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { Failure, reasonOf } from "../../failure.ts";
import { decodeBytes, readBytes, readList } from "../../input/list-files.ts";
import { counted } from "../../output/layout.ts";
import { writeFileAtomically } from "../../output/write-file-atomically.ts";

const HELP = `
The difference must start from OLD, and the result must have the checksum that
the difference names. It must not lead back in time or rename the list, unless
you allow it. Otherwise nothing is written.

Exit status: 0, or 2 for a failure.

Example:
  $ urlhash list apply monday.list tuesday.diff -o tuesday.list`;

interface ApplyOptions {
  readonly output: string;
  readonly allowOlder?: boolean;
  readonly allowRename?: boolean;
}

/** @throws {Failure} when the difference is not for this list. */
function apply(
  old: PrefixList,
  difference: PrefixListDifference,
  file: string,
  { allowOlder, allowRename }: ApplyOptions,
): PrefixList {
  try {
    return applyDifference(old, difference, { allowOlder, allowRename });
  } catch (error) {
    if ((error as Error).name !== "PrefixListError") throw error;
    throw new Failure(`${printable(file)} does not apply: ${printable(reasonOf(error))}`);
  }
}

export function registerListApply(list: Command, { stdout }: Context): void {
  list
    .command("apply")
    .description("Make the later version of a list from the earlier one and a difference.")
    .argument("<old>", "the file of the earlier list")
    .argument("<difference>", 'a file that "urlhash list diff -o" wrote')
    .requiredOption("-o, --output <list>", "the file to write")
    .option("--allow-older", "accept a difference that leads to an older list")
    .option("--allow-rename", "accept a difference that changes the name of the list")
    .addHelpText("after", HELP)
    .action(async (oldFile: string, file: string, options: ApplyOptions) => {
      const { output } = options;
      const old = await readList(oldFile);
      const difference = decodeBytes(file, await readBytes(file), "difference", decodeDifference);
      const result = apply(old, difference, file, options);
      await writeFileAtomically(output, encodePrefixList(result));
      const count = counted(result.size, "prefix", "prefixes");
      await stdout.write(`${printable(output)}: ${count}\n`);
    });
}

import { Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { counted } from "@x/explain/counted";
import { printable, printableJson } from "@x/explain/printable";
import {
  applyDifference,
  decodeDifference,
  encodePrefixList,
  type PrefixList,
  type PrefixListDifference,
  type PrefixListError,
  type PrefixListErrorCode,
} from "@x/prefix-list";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { decodeBytes, readBytes, readList } from "../../input/list-files.ts";
import { addJsonOption } from "../../output/format.ts";
import { checkJsonOutput, OUTPUT_HELP, openOutput } from "../../output/write-output.ts";
import { listRecord } from "./list-record.ts";

const HELP = `
The difference must start from OLD, and the result must have the checksum that
the difference names. A difference that makes a list with another name, or goes
back in time, is refused, too, unless --allow-rename or --allow-older is given:
an old difference would bring back an old list. If a difference is refused,
nothing is written.
JSON: { "file", "name", "created", "prefixes", "lengths", "checksum",
"fileBytes" }, as "urlhash list info" writes it.
${OUTPUT_HELP}

Exit status: 0, or 2 for a failure.

Example:
  $ urlhash list apply monday.list tuesday.diff -o tuesday.list`;

interface ApplyOptions {
  readonly output: string;
  readonly allowOlder?: boolean;
  readonly allowRename?: boolean;
  readonly json?: boolean;
}

const ADVICE: Readonly<Partial<Record<PrefixListErrorCode, string>>> = {
  "name-different": "--allow-rename applies it anyway",
  "created-earlier": "--allow-older applies it anyway",
};

/** @throws {Failure} when the difference cannot be applied to this list. */
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
    const { code } = error as PrefixListError;
    const advice = ADVICE[code] === undefined ? "" : ` (${ADVICE[code]})`;
    const reason = printable(reasonOf(error)).replace(/\.$/, "");
    throw new Failure(`${printable(file)} does not apply: ${reason}${advice}`);
  }
}

export function registerListApply(list: Command, context: Context): void {
  const command = list
    .command("apply")
    .description("Make the later version of a list from the earlier one and a difference.")
    .argument("<old>", "the file of the earlier list")
    .argument("<difference>", 'a file that "urlhash list diff -o" wrote')
    .requiredOption("-o, --output <list>", 'the file to write; "-" is stdout')
    .option("--allow-older", "accept a difference that makes an older list")
    .option("--allow-rename", "accept a difference that makes a list with another name");
  addJsonOption(command)
    .addHelpText("after", HELP)
    .action(async (oldFile: string, file: string, options: ApplyOptions) => {
      checkJsonOutput(options.json, options.output);
      const output = await openOutput(options.output, [file], context);
      const old = await readList(oldFile);
      const difference = decodeBytes(file, await readBytes(file), "difference", decodeDifference);
      const result = apply(old, difference, file, options);
      const encoded = encodePrefixList(result);
      await output.write(encoded);
      if (options.json) {
        const record = listRecord(options.output, encoded.length, result);
        await context.stdout.write(`${printableJson(record)}\n`);
        return;
      }
      const count = counted(result.size, "prefix", "prefixes");
      await output.tell(`${output.name}: ${count}\n`);
    });
}

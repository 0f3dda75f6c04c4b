import { Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { counted } from "@x/explain/counted";
import { printable, printableJson } from "@x/explain/printable";
import {
  applyDifference,
  decodeDifference,
  diffPrefixLists,
  encodeDifference,
  encodePrefixList,
  type PrefixList,
  type PrefixListDifference,
  type PrefixListError,
  type PrefixListErrorCode,
} from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { decodeBytes, readBytes, readList } from "../../input/list-files.ts";
import { addJsonOption } from "../../output/format.ts";
import { checkJsonOutput, OUTPUT_HELP, openOutput } from "../../output/write-output.ts";
import { listRecord } from "./list-file.ts";

interface DiffOptions {
  readonly output?: string;
  readonly json?: boolean;
}

const DIFF_HELP = `
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
    .addHelpText("after", DIFF_HELP)
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

const APPLY_HELP = `
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
    .addHelpText("after", APPLY_HELP)
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

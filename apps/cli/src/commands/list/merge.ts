import { Failure, wholeNumber } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { counted } from "@x/explain/counted";
import { printable, printableJson } from "@x/explain/printable";
import { encodePrefixList, mergePrefixLists, type PrefixList } from "@x/prefix-list";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { readEach } from "../../input/list-files.ts";
import { addJsonOption } from "../../output/format.ts";
import { checkJsonOutput, OUTPUT_HELP, openOutput } from "../../output/write-output.ts";
import { listRecord } from "./list-record.ts";

interface MergeOptions {
  readonly output: string;
  readonly name?: string;
  readonly bytes?: number;
  readonly json?: boolean;
}

const HELP = `
The new list has every prefix that is on at least one of the lists, once. Its
name is that of the first list, and its time is the current time.
JSON: { "file", "name", "created", "prefixes", "lengths", "checksum",
"fileBytes" }, as "urlhash list info" writes it.
${OUTPUT_HELP}

Exit status: 0 written, 2 not written.

Example:
  $ urlhash list merge hosts.list feed.list -o all.list --name all`;

/** @throws {Failure} when the name is not valid, or a prefix is shorter than `bytes`. */
function merge(lists: readonly PrefixList[], name: string, bytes: number | undefined): PrefixList {
  try {
    return mergePrefixLists(lists, { name, prefixBytes: bytes });
  } catch (error) {
    const { name: kind } = error as Error;
    if (kind !== "RangeError" && kind !== "PrefixListError") throw error;
    throw new Failure(`cannot merge the lists: ${printable(reasonOf(error))}`);
  }
}

export function registerListMerge(list: Command, context: Context): void {
  const command = list
    .command("merge")
    .description("Make one list from several.")
    .argument("<list...>", "the files of the lists")
    .requiredOption("-o, --output <list>", 'the file to write; "-" is stdout')
    .option("--name <name>", "the new list's name (default: the name of the first)")
    .option("--bytes <n>", "cut longer prefixes to this length, 4 to 32", wholeNumber(4, 32));
  addJsonOption(command)
    .addHelpText("after", HELP)
    .action(async (files: string[], { output, name, bytes, json }: MergeOptions) => {
      checkJsonOutput(json, output);
      const file = await openOutput(output, files, context);
      const lists = await readEach(files);
      const merged = merge(lists, name ?? lists[0]!.name, bytes);
      const encoded = encodePrefixList(merged);
      await file.write(encoded);
      if (json) {
        const record = listRecord(output, encoded.length, merged);
        await context.stdout.write(`${printableJson(record)}\n`);
        return;
      }
      const prefixes = counted(merged.size, "prefix", "prefixes");
      const from = counted(lists.length, "list", "lists");
      await file.tell(`${file.name}: ${prefixes} from ${from}\n`);
    });
}

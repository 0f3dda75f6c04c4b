import { printable, printableJson } from "@x/explain/printable";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { decodeBytes, decodeList, readBytes } from "../../input/list-files.ts";
import { addJsonOption } from "../../output/format.ts";
import { type ListRecord, listRecord } from "./list-record.ts";

function toText(info: ListRecord, { colours }: Context): string {
  const number = (value: number): string => value.toLocaleString("en");
  const each =
    info.prefixes > 0 ? `, ${(info.fileBytes / info.prefixes).toFixed(2)} for each prefix` : "";
  const rows: [string, string][] = [
    ["file", printable(info.file)],
    ["name", printable(info.name)],
    ["created", info.created],
    ["prefixes", number(info.prefixes)],
    ...info.lengths.map(({ prefixBytes, count }): [string, string] => [
      "",
      `${number(count)} of ${prefixBytes} bytes`,
    ]),
    ["checksum", info.checksum],
    ["size", `${number(info.fileBytes)} bytes${each}`],
  ];
  return rows.map(([label, value]) => `${colours.dim(label.padEnd(10))}${value}\n`).join("");
}

const HELP = `
JSON: { "file", "name", "created", "prefixes", "lengths": [{ "prefixBytes",
"count" }], "checksum", "fileBytes" }; "fileBytes" is the size of the file.
The checksum is the SHA-256 of the sorted prefixes, as in Safe Browsing lists.

Exit status: 0, or 2 when the file is not a list or is damaged.

Example:
  $ urlhash list info hosts.list`;

export function registerListInfo(list: Command, context: Context): void {
  const command = list
    .command("info")
    .description("Check a list file, and show its name, time, counts and checksum.")
    .argument("<list>", "the file of a list");
  addJsonOption(command)
    .addHelpText("after", HELP)
    .action(async (file: string, { json }: { json?: boolean }) => {
      const bytes = await readBytes(file);
      const list = decodeBytes(file, bytes, "list", decodeList);
      const info = listRecord(file, bytes.length, list);
      await context.stdout.write(json ? `${printableJson(info)}\n` : toText(info, context));
    });
}

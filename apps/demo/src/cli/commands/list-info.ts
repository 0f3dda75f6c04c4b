import { decodePrefixList, type PrefixList } from "@x/prefix-list";
import type { Command } from "commander";
import { printable } from "../../text/printable.ts";
import type { Context } from "../context.ts";
import { toJson } from "../json.ts";
import { decodeOctets, readOctets } from "../list-files.ts";

interface ListInfo {
  readonly file: string;
  readonly name: string;
  readonly created: string;
  readonly prefixes: number;
  readonly lengths: readonly { readonly octets: number; readonly prefixes: number }[];
  readonly checksum: string;
  readonly bytes: number;
}

function infoOf(file: string, bytes: number, list: PrefixList): ListInfo {
  return {
    file,
    name: list.name,
    created: new Date(list.created).toISOString(),
    prefixes: list.size,
    lengths: list.tables.map(({ prefixBytes, size }) => ({ octets: prefixBytes, prefixes: size })),
    checksum: list.checksum,
    bytes,
  };
}

function toText(info: ListInfo, { colours }: Context): string {
  const number = (value: number): string => value.toLocaleString("en");
  const each = info.prefixes > 0 ? `, ${(info.bytes / info.prefixes).toFixed(2)} a prefix` : "";
  const rows: [string, string][] = [
    ["file", printable(info.file)],
    ["name", printable(info.name)],
    ["created", info.created],
    ["prefixes", number(info.prefixes)],
    ...info.lengths.map(({ octets, prefixes }): [string, string] => [
      "",
      `${number(prefixes)} of ${octets} octets`,
    ]),
    ["checksum", info.checksum],
    ["size", `${number(info.bytes)} octets${each}`],
  ];
  return rows.map(([label, value]) => `${colours.dim(label.padEnd(10))}${value}\n`).join("");
}

const HELP = `
JSON: { "file", "name", "created", "prefixes", "lengths": [{ "octets",
"prefixes" }], "checksum", "bytes" }; "bytes" is the size of the file.
The checksum is the SHA-256 of the sorted prefixes, as Safe Browsing's lists
have it.

Exit status: 0, or 2 when the file is no list, or a damaged one.

Example:
  $ urlhash list info hosts.list`;

export function registerListInfo(list: Command, context: Context): void {
  list
    .command("info")
    .description("Show the name, time, counts and checksum of a list, after checking all of it.")
    .argument("<list>", "the file of a list")
    .option("--json", "write one JSON object")
    .addHelpText("after", HELP)
    .action(async (file: string, { json }: { json?: boolean }) => {
      const octets = await readOctets(file);
      const info = infoOf(
        file,
        octets.length,
        decodeOctets(file, octets, "list", decodePrefixList),
      );
      await context.stdout.write(json ? `${toJson(info)}\n` : toText(info, context));
    });
}

import { Failure } from "@x/command-line";
import { counted } from "@x/explain/counted";
import { printable, printableJson } from "@x/explain/printable";
import { type PrefixList, prefixes } from "@x/prefix-list";
import { FULL_HASH_BYTES, toHex } from "@x/sha256-prefix";
import { type Command, Option } from "commander";
import type { Context } from "../../context.ts";
import { decodeBytes, readBytes, readList } from "../../input/list-files.ts";
import { addJsonOption } from "../../output/format.ts";

/** The facts about a list and its file, as JSON. */
interface ListRecord {
  readonly file: string;
  readonly name: string;
  readonly created: string;
  readonly prefixes: number;
  readonly lengths: PrefixList["lengths"];
  readonly checksum: string;
  readonly fileBytes: number;
}

function listRecord(file: string, fileBytes: number, list: PrefixList): ListRecord {
  return {
    file,
    name: list.name,
    created: new Date(list.created).toISOString(),
    prefixes: list.size,
    lengths: list.lengths,
    checksum: list.checksum,
    fileBytes,
  };
}

function toText(info: ListRecord, { colours }: Context): string {
  const number = (value: number): string => value.toLocaleString("en");
  const shortNumber = (value: number): string =>
    value.toLocaleString("en", { maximumSignificantDigits: 3 });
  const each =
    info.prefixes > 1 ? `, ${shortNumber(info.fileBytes / info.prefixes)} for each prefix` : "";
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

const INFO_HELP = `
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
    .addHelpText("after", INFO_HELP)
    .action(async (file: string, { json }: { json?: boolean }) => {
      const bytes = await readBytes(file);
      const list = decodeBytes(file, bytes);
      const info = listRecord(file, bytes.length, list);
      await context.stdout.write(json ? `${printableJson(info)}\n` : toText(info, context));
    });
}

const DUMP_HELP = `
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
    .addHelpText("after", DUMP_HELP)
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

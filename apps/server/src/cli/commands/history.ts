import { urlHistory } from "@x/client/history";
import { Failure, historyJson, historyLines } from "@x/command-line";
import { isTerminal } from "@x/command-line/node";
import { counted, formatCount } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import {
  checkListName,
  isSignedByOne,
  listNames,
  type Manifest,
  readEntry,
  readNewest,
  readPrevious,
  readSnapshot,
  textOfNote,
} from "@x/list-store";
import type { Command } from "commander";
import { registrableDomain } from "../../publish/exceptions.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { addSettings, parseCount } from "../options.ts";
import type { SettingsOptions } from "../settings/settings-file.ts";
import { readPublicKeys, storedList } from "../signing.ts";
import { openStore } from "../store-files.ts";
import { failIfNoUrl, wholeUrl } from "./why.ts";

/* The commands that show versions and changes: log, show and history. */

interface LogOptions extends SettingsOptions {
  readonly number: number;
  readonly json?: boolean;
  readonly ndjson?: boolean;
}

const LOG_HELP = `
On a terminal, the versions are a table. Elsewhere, each is a line of fields
between tabs.
JSON: { "list", "version", "issued", "entries", "added", "removed", "withdrawn",
"retired", "restores" }. "added" and "removed" are null for a version that was
only signed again, and "restores" is the version to which the list was rolled
back.`;

type Version = ReturnType<typeof versionOf>;

function versionOf({
  list,
  version,
  issued,
  contents,
  change,
  withdrawn,
  retired,
  restores,
}: Manifest) {
  return {
    list,
    version,
    issued: new Date(issued).toISOString(),
    entries: contents.fullHashes,
    added: change?.addedEntries ?? null,
    removed: change?.removedEntries ?? null,
    withdrawn,
    retired: retired ?? false,
    restores: change === null ? null : (restores ?? null),
  };
}

/** A version on one line, for programs. */
function lineOf({ list, version, issued, entries, ...rest }: Version): string {
  const change = rest.added === null ? "signed again" : `+${rest.added} -${rest.removed}`;
  const columns = [list, `v${version}`, issued, entries, kindOf(rest, change)];
  if (rest.restores !== null) columns.push(`rolled back to v${rest.restores}`);
  return columns.join("\t");
}

function kindOf({ retired, withdrawn }: Pick<Version, "retired" | "withdrawn">, change: string) {
  return retired ? "retired" : withdrawn ? "withdrawn" : change;
}

const HEADER = ["LIST", "VERSION", "ISSUED", "ENTRIES", "CHANGE"];
/** The columns of numbers, which are aligned at their end. */
const NUMBERS: ReadonlySet<number> = new Set([1, 3]);

function columnsOf(record: Version): string[] {
  const { list, version, issued, entries, added, removed, restores } = record;
  const change =
    added === null ? "signed again" : `+${formatCount(added)} -${formatCount(removed ?? 0)}`;
  const kind = kindOf(record, change);
  const back = restores === null ? "" : `, rolled back to v${restores}`;
  const day = `${issued.slice(0, 10)} ${issued.slice(11, 16)}Z`;
  return [list, `v${version}`, day, formatCount(entries), kind + back];
}

/** Formats rows as a table with a header. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const all = [HEADER, ...rows];
  const widths = HEADER.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
  return all
    .map((row) => {
      return row
        .map((cell, i) => (NUMBERS.has(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
        .join("  ")
        .trimEnd();
    })
    .join("\n");
}

export function registerLog(program: Command, context: Context): void {
  const command = program
    .command("log")
    .description("show the versions of a list, or of all lists, newest first")
    .argument("[NAME]", "a list")
    .option("-n, --number <versions>", "how many versions of each list to show", parseCount, 20)
    .option("--json", "write one JSON array of versions")
    .option("--ndjson", "write each version as one JSON object per line");
  addSettings(command).addHelpText("after", LOG_HELP);
  command.action(async (name: string | undefined, options: LogOptions) => {
    if (options.json && options.ndjson) throw new Failure("Choose --json or --ndjson, not both");
    if (name !== undefined) checkListName(name);
    const { files } = await openStore(options, context);
    const publicKeys = await readPublicKeys(files.publicKeyFile);
    const names = name === undefined ? await listNames(files.storage) : [name];
    if (names.length === 0) throw new Failure(`The store ${files.address.shown} has no lists yet`);
    const records: Version[] = [];
    const isTable = !options.json && isTerminal(context.io.stdout);
    for (const list of names) {
      let entry = await readNewest(await storedList(files, list, publicKeys));
      if (entry === null) throw new Failure(`The store has no list ${list}`);
      for (let left = options.number; entry !== null && left > 0; left--) {
        const version = versionOf(entry.manifest);
        if (options.ndjson) context.print(JSON.stringify(version));
        else if (options.json || isTable) records.push(version);
        else context.print(lineOf(version));
        entry = await readPrevious(files.storage, entry);
      }
    }
    if (options.json) context.print(JSON.stringify(records, null, 2));
    else if (isTable && !options.ndjson) context.print(tableOf(records.map(columnsOf)));
  });
}

/** Formats the JSON of a manifest with one field per line. */
function indented(text: string): string {
  const [first, ...json] = text.split("\n");
  return `${first}\n${JSON.stringify(JSON.parse(json.join("\n")), null, 2)}`;
}

export function registerShow(program: Command, context: Context): void {
  const { print, complain, exitWith } = context;
  const command = program
    .command("show")
    .summary("show the manifest of a version, and verify it")
    .description("show the manifest of a list's newest version, or of another one, and verify it")
    .argument("<NAME>", "a list; urlhash-server log names all of them")
    .argument("[VERSION]", "the number of a version", parseCount);
  addSettings(command).action(
    async (list: string, given: number | undefined, options: SettingsOptions) => {
      checkListName(list);
      const { files } = await openStore(options, context);
      const { storage } = files;
      const publicKeys = await readPublicKeys(files.publicKeyFile);
      const entry =
        given === undefined
          ? await readNewest(await storedList(files, list, publicKeys))
          : await readEntry(storage, list, given);
      if (entry === null) {
        const version = given === undefined ? "" : `version ${given} of `;
        throw new Failure(`The store has no ${version}list ${list}`);
      }
      print(indented(textOfNote(entry.note)!));
      if (!(await isSignedByOne(entry.note, publicKeys))) {
        complain(
          "This version is not signed by a trusted key: trust its publisher's public key (public-keys), or restore the store from a good copy",
        );
        exitWith(2);
        return;
      }
      const { size } = (await readSnapshot(storage, entry.manifest, sha256)).prefixes;
      print(
        `\nThe signature is good, and the checksum in the manifest is that of ${counted(size, "prefix", "prefixes")}.`,
      );
    },
  );
}

const HISTORY_HELP = `
JSON: [{ "list", "about", "expression", "listed", "changes": [{ "version",
"issued", "change", "certain", "orEarlier" }], "begins": { "version",
"issued" }, "version", "chance" }]. "change" is "added" or "removed". If
"certain" is false, only the first four bytes of the hash are known, which
another entry may have.

The answer comes from the blocks that the store keeps of every version. The exit
status is 0, whether or not the URL was ever on a list.`;

export function registerHistory(program: Command, context: Context): void {
  const command = program
    .command("history")
    .description("say when a URL was added to the lists and removed from them")
    .argument("<URL>", "a URL or a host")
    .option("--json", "write one JSON array");
  addSettings(command).addHelpText("after", HISTORY_HELP);
  command.action(async (url: string, options: SettingsOptions & { readonly json?: boolean }) => {
    const whole = wholeUrl(url);
    const { files } = await openStore(options, context);
    const publicKeys = await readPublicKeys(files.publicKeyFile);
    const names = await listNames(files.storage);
    if (names.length === 0) throw new Failure(`The store ${files.address.shown} has no lists yet`);
    const all: object[] = [];
    for (const list of names) {
      const stored = await storedList(files, list, publicKeys);
      const records = await urlHistory(whole, { ...stored, sha256 }, { registrableDomain }).catch(
        failIfNoUrl,
      );
      if (records === null) continue;
      if (options.json) all.push(...records.map(historyJson));
      else for (const line of historyLines(url, records)) context.print(printable(line));
    }
    if (options.json) context.print(JSON.stringify(all, null, 2));
  });
}

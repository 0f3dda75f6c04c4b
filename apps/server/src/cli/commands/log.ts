import { Failure } from "@x/command-line";
import { checkListName, listNames, type Manifest, readNewest, readPrevious } from "@x/list-store";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { parseCount } from "../option-values.ts";
import { addSettings } from "../options.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";
import { checkStore, readPublicKeys, storedList, storeFiles } from "../store-files.ts";

interface Options extends SettingsOptions {
  readonly number: number;
  readonly json?: boolean;
  readonly ndjson?: boolean;
}

const HELP = `
JSON: { "list", "version", "issued", "entries", "added", "removed", "withdrawn",
"retired", "restores" }. "added" and "removed" are null for a version that was only signed
again, and "restores" is the version to which the list was rolled back.`;

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

function lineOf(record: ReturnType<typeof versionOf>): string {
  const { list, version, issued, entries, added, removed, withdrawn, retired, restores } = record;
  const change = added === null ? "signed again" : `+${added} -${removed}`;
  const kind = retired ? "retired" : withdrawn ? "withdrawn" : change;
  const columns = [list, `v${version}`, issued, entries, kind];
  if (restores !== null) columns.push(`rolled back to v${restores}`);
  return columns.join("\t");
}

export function registerLog(program: Command, context: Context): void {
  const command = program
    .command("log")
    .description("show the versions of a list, or of all lists, newest first")
    .argument("[NAME]", "a list")
    .option("-n, --number <versions>", "how many versions of each list to show", parseCount, 20)
    .option("--json", "write one JSON array of versions")
    .option("--ndjson", "write each version as one JSON object per line");
  addSettings(command)
    .addHelpText("after", HELP)
    .action(async (name: string | undefined, options: Options) => {
      if (options.json && options.ndjson)
        throw new Failure("Expected either --json or --ndjson, not both");
      if (name !== undefined) checkListName(name);
      const files = storeFiles((await readSettings(options)).settings, context);
      await checkStore(files);
      const publicKeys = await readPublicKeys(files.publicKeyFile);
      const names = name === undefined ? await listNames(files.storage) : [name];
      if (names.length === 0)
        throw new Failure(`The store ${files.address.shown} has no lists yet`);
      const records: object[] = [];
      for (const list of names) {
        let entry = await readNewest(await storedList(files, list, publicKeys));
        if (entry === null) throw new Failure(`The store has no list ${list}`);
        for (let left = options.number; entry !== null && left > 0; left--) {
          const version = versionOf(entry.manifest);
          if (options.json) records.push(version);
          else context.print(options.ndjson ? JSON.stringify(version) : lineOf(version));
          entry = await readPrevious(files.storage, entry);
        }
      }
      if (options.json) context.print(JSON.stringify(records, null, 2));
    });
}

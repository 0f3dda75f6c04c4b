import { Failure } from "@x/command-line";
import { counted } from "@x/explain/counted";
import {
  checkListName,
  isSignedByOne,
  readEntry,
  readNewest,
  readSnapshot,
  textOfNote,
} from "@x/list-store";
import type { Command } from "commander";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { parseCount } from "../option-values.ts";
import { addSettings } from "../options.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";
import { checkStore, readPublicKeys, storedList, storeFiles } from "../store-files.ts";

/** Formats the JSON of a manifest with one field per line. */
function indented(text: string): string {
  const [first, ...json] = text.split("\n");
  return `${first}\n${JSON.stringify(JSON.parse(json.join("\n")), null, 2)}`;
}

export function registerShow(program: Command, context: Context): void {
  const { print, complain, exitWith } = context;
  const command = program
    .command("show")
    .description("show the manifest of a list's newest version, or of another one, and verify it")
    .argument("<NAME>", "a list; urlhash-server log names all of them")
    .argument("[VERSION]", "the number of a version", parseCount);
  addSettings(command).action(
    async (list: string, given: number | undefined, options: SettingsOptions) => {
      checkListName(list);
      const files = storeFiles((await readSettings(options)).settings, context);
      const { storage } = files;
      await checkStore(files);
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

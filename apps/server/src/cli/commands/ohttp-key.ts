import { readFile } from "node:fs/promises";
import { durationValue } from "@x/command-line";
import { temporaryPath } from "@x/command-line/node";
import { counted } from "@x/explain/counted";
import { ifThere, type OpenedFile, writeWhole } from "@x/list-store/node";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";

export function registerOhttpKey(program: Command, { print }: Context): void {
  program
    .command("ohttp-key")
    .description("make a new key for the setting ohttp-keys, and drop old ones")
    .argument("<FILE>", "the file with the keys; it is made if it does not exist")
    .addOption(
      new Option(
        "--overlap <duration>",
        "how long requests with a key that was replaced are still answered",
      )
        .argParser(durationValue)
        .default(durationValue("7d"), "7d"),
    )
    .addHelpText(
      "after",
      `
The server publishes the new key, and answers requests with the old ones, as
soon as it gets SIGHUP. Run this once a month, for example.`,
    )
    .action(async (file: string, { overlap }: { readonly overlap: number }) => {
      // Imported only here, so that the other commands start faster.
      const { formatOhttpKeys, parseOhttpKeys, withNewKey } = await import(
        "../../serve/ohttp/ohttp-keys.ts"
      );
      const text = await ifThere(readFile(file, "utf8"));
      const before = text === null ? [] : parseOhttpKeys(text, file);
      const keys = await withNewKey(before, Date.now(), overlap);
      const write = (opened: OpenedFile) => opened.writeFile(formatOhttpKeys(keys));
      await writeWhole(file, temporaryPath(file), write, { mode: 0o600 });
      const older = counted(keys.length - 1, "older key is", "older keys are");
      const others = keys.length === 1 ? "" : `; ${older} still answered`;
      print(`${file}: the key ${keys[0]!.config.keyId} is the newest${others}`);
    });
}

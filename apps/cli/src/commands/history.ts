import type { ExpressionHistory } from "@x/client/history";
import { collect, Failure, historyJson, historyLines } from "@x/command-line";
import { printable, printableJson } from "@x/explain/printable";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addListUrlOptions } from "./options.ts";

interface Options {
  readonly list: readonly string[];
  readonly publicKey?: string;
  readonly json?: boolean;
}

const HELP = `
The store of the list keeps all changes. They are read from there, and the URL
is not sent. But if it was on the list, the host of the store may guess the
first four bytes of its hash from the versions that are read.

PLACE is the address of a store and the name of a list, https://HOST/PATH/NAME
or s3://BUCKET/PATH/NAME, or a folder with a store or a copy of one,
FOLDER/NAME. Give the public key of the publisher, unless "list fetch" has
fetched the list from this URL before.

A store keeps the first four bytes of every hash that was added or removed, but
full hashes of some versions only. Where these are gone, the output says
"probably", because another entry may have the same four bytes.

JSON: [{ "list", "about", "expression", "listed", "changes": [{ "version",
"issued", "change", "certain", "orEarlier" }], "begins": { "version", "issued"
}, "version", "chance" }]. "change" is "added" or "removed".

Exit status: 0, whether or not the URL is listed, or 2 for a failure.

Examples:
  $ urlhash history mysite.example --list https://lists.example/malware
  $ urlhash history mysite.example --list copy/malware --public-key store.pub`;

async function historyAt(
  place: string,
  url: string,
  options: Options,
  context: Context,
): Promise<readonly ExpressionHistory[]> {
  const { openPlace } = await import("../client/open-place.ts");
  const { registrableDomain } = await import("../registrable-domain.ts");
  const { failTo } = await import("@x/command-line/node");
  const { failureOf } = await import("../client/list-address.ts");
  const { urlHistory } = await import("@x/client/history");
  const { checkTimes } = await import("@x/list-store");
  const { stored, keptVersion } = await openPlace(place, options, context);
  const records = await urlHistory(url, stored, { registrableDomain }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.syscall !== undefined) return failTo(`read ${printable(place)}`)(error);
      if (hasName(error, "CanonError")) {
        throw new Failure(printable(error.message), { cause: error });
      }
      throw failureOf(error, { url: place });
    },
  );
  if (records === null) throw new Failure(`there is no list at ${printable(place)}`);
  const { list, newest } = records[0]!;
  if (newest.version < keptVersion) {
    throw new Failure(
      `${printable(place)} was rolled back: ${list} is at version ${newest.version}, but version ${keptVersion} was seen before`,
    );
  }
  try {
    checkTimes({ manifest: { list, ...newest } }, Date.now());
  } catch (error) {
    await context.stderr.write(`urlhash: warning: ${printable((error as Error).message)}\n`);
  }
  return records;
}

export function registerHistory(program: Command, context: Context): void {
  const command = program
    .command("history")
    .summary("say when a URL was added to a list and removed from it")
    .description("Say when the expressions of a URL were added to a list and removed from it.")
    .argument("<url>", "a URL or a host");
  command.requiredOption(
    "--list <place>",
    "a list in a store: a URL or FOLDER/NAME; may be given more than once",
    collect,
  );
  addListUrlOptions(command)
    .option("--json", "write one JSON array")
    .addHelpText("after", HELP)
    .action(async (url: string, options: Options) => {
      const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
      const all: object[] = [];
      for (const place of options.list) {
        const records = await historyAt(place, whole, options, context);
        if (options.json) all.push(...records.map(historyJson));
        else
          for (const line of historyLines(url, records))
            await context.stdout.write(`${printable(line)}\n`);
      }
      if (options.json) await context.stdout.write(`${printableJson(all)}\n`);
    });
}

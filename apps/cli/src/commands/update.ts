import { Failure } from "@x/command-line";
import type { Command } from "commander";
import type { UpdateOptions } from "../client/update-lists.ts";
import type { Context } from "../context.ts";
import { addJsonOption } from "../output/format.ts";
import {
  addPublicKeyOption,
  addServerOptions,
  addStoredBytesOption,
  SERVER_HELP,
  STORED_BYTES_HELP,
} from "./options.ts";

const HELP = `
${SERVER_HELP}

A server says when it may be asked again. Before that, the command sends no
request and says what is stored, unless you give --now. So it may run every few
minutes. After a failure, it waits longer each time. --watch keeps running and
updates the lists whenever the server says, until SIGINT or SIGTERM. A list is
replaced as a whole or not at all, and other processes may read the folder
meanwhile.

${STORED_BYTES_HELP}

JSON, an object for each update: { "server", "protocol", "database", "updated",
"lists": [{ "name", "changed", "added", "removed", "bytes", "entries",
"version", "ageSeconds", "error" }], "bytes", "nextUpdate", "error" }. The bytes
of a list are those of its coded entries. The "bytes" after the lists are
everything that was received. --watch has more than one update, so it needs
--ndjson, which writes one object per line.

Exit status:
  0  the lists are up to date, or no update is due
  2  failure: bad usage, the server or the folder failed, a list was damaged; in
     --watch, only bad usage and a folder that cannot be read

Examples:
  $ urlhash update --server https://safebrowsing.googleapis.com --key-file key
  $ urlhash update --server https://lists.example --lists mw-4b --watch --ndjson
  $ urlhash update --server https://lists.example/store --protocol store \\
      --lists malware --public-key store.pub --database /var/lib/lists`;

export function registerUpdate(program: Command, context: Context): void {
  const command = program
    .command("update")
    .summary("keep the lists of a server up to date")
    .description("Bring the lists of a Safe Browsing server or a store up to date.");
  addStoredBytesOption(addPublicKeyOption(addServerOptions(command, { isRequired: true })))
    .option("--now", "ask the server even if no update is due")
    .option("--watch", "keep running, and update whenever that is due")
    .option("-q, --quiet", "write only problems");
  addJsonOption(command)
    .option("--ndjson", "write one JSON object per line, for each update")
    .addHelpText("after", HELP)
    .action(async (options: UpdateOptions) => {
      if (options.json && options.watch) {
        throw new Failure("--json writes one object: use --ndjson with --watch");
      }
      // The client is loaded only when it is needed, so that other commands start fast.
      const { updateOnce, updateUntil } = await import("../client/update-lists.ts");
      if (!options.watch) return updateOnce(options, context);
      let stop = (): void => {};
      const stopped = new Promise<void>((resolve) => {
        stop = resolve;
      });
      process.once("SIGTERM", stop).once("SIGINT", stop);
      try {
        await updateUntil(stopped, options, context);
      } finally {
        process.off("SIGTERM", stop).off("SIGINT", stop);
      }
    });
}

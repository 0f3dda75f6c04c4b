import type { Command } from "commander";
import { optionsReader } from "../config-file.ts";
import type { Context } from "../context.ts";
import { namedValue } from "../option-values.ts";
import { addSettings } from "../options.ts";
import { catchHangUps } from "../serving/hang-ups.ts";
import type { ServeOptions } from "../serving/serve-options.ts";

export function registerServe(program: Command, context: Context): void {
  const command = program
    .command("serve")
    .description(
      "serve the lists of a store to clients of Safe Browsing and Web Risk, as files for ClamAV and DNS, and for look-ups of whole URLs",
    )
    .option(
      "--behind-proxy",
      "take clients' addresses from the X-Forwarded-For header of your own proxy",
    )
    .option("--first-start", "start without the file of seen versions, and make it")
    .option(
      "--upstream <name=url>",
      "keep the lists mw-4b, se-4b and uws-4b of this server over v5, and serve them, too; may be given more than once",
      namedValue,
    )
    .option("--upstream-key <name=file>", "the file with the API key for it", namedValue);
  addSettings(command, [
    ...(["public-key", "host", "port", "listen", "admin"] as const),
    ...(["wait", "cache", "poll", "window", "prefix-bytes", "hash-memory", "hash-folder"] as const),
    ...(["lists", "optional", "keys", "cors-origins", "ohttp"] as const),
    ...(["upstreams", "upstreams-folder", "seen", "log-level", "log-requests"] as const),
    ...(["operator-name", "operator-contact", "operator-text", "tls-cert", "tls-key"] as const),
  ]).addHelpText(
    "after",
    `
The server never reads the signing key, and never writes to the store. SIGHUP
makes it read DIR.conf and all files that the options name again, and update the
lists of other servers now. A new certificate is used without a signal.
It uses the sockets that systemd passes to it.
The log goes to standard output, one JSON object per line.`,
  );
  command.action(async (options: ServeOptions) => {
    // SIGHUP must not end the process while the lists are being read.
    const hangUps = catchHangUps();
    try {
      // The modules of the server are imported only here, so that the other commands start faster.
      const { runServer } = await import("../serving/run-server.ts");
      await runServer(options, context, hangUps, optionsReader(command));
    } finally {
      hangUps.release();
    }
  });
}

import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings, LOG_LEVEL, parsePort } from "../options.ts";
import { isOneOfMany, withSettings } from "../serving/with-settings.ts";
import type { SettingsOptions } from "../settings/settings-file.ts";

const HELP = `
The server never reads the signing key, and never writes to the store. SIGHUP
makes it read its settings and all files that they name again, and update the
lists of other servers now. A new certificate is used without a signal.
It uses the sockets that systemd passes to it.
The log goes to standard output: text on a terminal, and elsewhere one JSON
object per line.`;

export function registerServe(program: Command, context: Context): void {
  const command = program
    .command("serve")
    .summary("serve lists to clients, and answer look-ups of whole URLs")
    .description(
      "serve the lists of a store to clients of Safe Browsing and Web Risk, and for look-ups of whole URLs",
    )
    .option(
      "--listen <address>",
      "where to listen: HOST:PORT, or unix:PATH for a Unix socket (default: 127.0.0.1:8080)",
    )
    .option("--port <number>", "the port to listen on; 0 picks a free port", parsePort)
    .option(LOG_LEVEL.flags, LOG_LEVEL.help)
    .option("--first-start", "start without the file of seen versions, and make it");
  addSettings(command).addHelpText("after", HELP);
  command.action(
    ({
      firstStart = false,
      ...options
    }: SettingsOptions & { readonly firstStart?: boolean }): Promise<void> =>
      isOneOfMany(context.io)
        ? import("../serving/one-of-many.ts").then(({ runOneOfMany }) => runOneOfMany(context))
        : withSettings(options, async (settings) => {
            // The modules of the server are imported only here, so that the other commands start faster.
            const { runServer } = await import("../serving/run-server.ts");
            const { processCount, runProcesses } = await import("../serving/processes.ts");
            const count = processCount(settings.given.settings);
            await (count === 1
              ? runServer(settings, firstStart, context)
              : runProcesses(count, settings, firstStart, context));
          }),
  );
}

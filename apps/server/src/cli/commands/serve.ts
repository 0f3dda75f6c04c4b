import { collect } from "@x/command-line";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings, LOG_LEVEL, parsePort } from "../options.ts";
import { isOneOfMany, withSettings } from "../serving/with-settings.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";

const SERVE_HELP = `
The server never reads the signing key, and never writes to the store. SIGHUP
makes it read its settings and all files that they name again, and update the
lists of other servers now. A new certificate is used without a signal.
It uses the sockets that systemd passes to it.
The log goes to standard output: text on a terminal, and elsewhere one JSON
object per line.`;

export function registerServe(program: Command, context: Context): void {
  const command = program
    .command("serve")
    .summary("serve lists to clients, and answer lookups of whole URLs")
    .description(
      "serve the lists of a store to clients of Safe Browsing and Web Risk, and for lookups of whole URLs",
    )
    .option(
      "--listen <address>",
      "where to listen: HOST:PORT, or unix:PATH for a Unix socket (default: 127.0.0.1:8080)",
    )
    .option("--port <number>", "the port to listen on; 0 picks a free port", parsePort)
    .option(LOG_LEVEL.flags, LOG_LEVEL.help)
    .option("--first-start", "start without the file of seen versions, and make it");
  addSettings(command).addHelpText("after", SERVE_HELP);
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

const DNS_HELP = `
Put it in front of a resolver such as unbound, or behind one such as dnsmasq.
Only entries for whole hosts block a name; an entry for a page blocks no host.
SIGHUP makes it read its settings and all files that they name again.
It uses the sockets that systemd passes to it.
The log goes to standard output: text on a terminal, and elsewhere one JSON
object per line. It never names what is asked for, unless the setting
dns.log-names is true.`;

const TEST_HELP = `
Exit status: 0 if all names are forwarded, 1 if one is blocked or refused, and 2
for a failure.`;

interface DnsOptions extends Omit<SettingsOptions, "listen" | "port"> {
  readonly listen?: string;
  readonly resolver?: readonly string[];
}

export function registerDns(program: Command, context: Context): void {
  const command = program
    .command("dns")
    .summary("answer DNS queries, and block the hosts on lists")
    .description(
      "answer DNS queries: block the hosts on lists, and forward all other queries to a resolver",
    )
    .option(
      "--resolver <address>",
      "the resolver: an IP address, perhaps with a port; may be given more than once",
      collect,
    )
    .option("--listen <address>", "where to listen: HOST:PORT (default: 127.0.0.1:53)")
    .option(LOG_LEVEL.flags, LOG_LEVEL.help);
  addSettings(command).addHelpText("after", DNS_HELP);
  command.action((given: DnsOptions) =>
    withSettings(settingsOptions(given), async (settings) => {
      const { runDns } = await import("../serving/run-dns.ts");
      await runDns(settings, context);
    }),
  );
}

export function registerDnsTest(program: Command, context: Context): void {
  const command = program
    .command("dns-test")
    .summary("show what dns does with names, and why")
    .description("show what dns does with names, and which list and entry block them")
    .argument("<name...>", "the names, such as www.example.com");
  addSettings(command).addHelpText("after", TEST_HELP);
  command.action(async (names: readonly string[], options: SettingsOptions) => {
    const { settings } = await readSettings(options, context);
    const { testNames } = await import("../serving/run-dns.ts");
    await testNames(names, settings, context);
  });
}

/** The settings that the options of the command stand for. */
function settingsOptions({ resolver, listen, set = [], ...others }: DnsOptions): SettingsOptions {
  const more = [
    ...(listen === undefined ? [] : [`dns.listen=${listen}`]),
    ...(resolver === undefined ? [] : [`dns.resolvers=${JSON.stringify(resolver)}`]),
  ];
  return { ...others, set: [...set, ...more] };
}

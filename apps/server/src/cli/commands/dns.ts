import { collect } from "@x/command-line";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings, LOG_LEVEL } from "../options.ts";
import { withSettings } from "../serving/with-settings.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";

const HELP = `
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
  addSettings(command).addHelpText("after", HELP);
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
    const { testNames } = await import("../serving/test-names.ts");
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

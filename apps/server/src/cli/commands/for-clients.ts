import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { durationValue, Failure } from "@x/command-line";
import { temporaryPath } from "@x/command-line/node";
import { counted } from "@x/explain/counted";
import { checkListName } from "@x/list-store";
import { ifThere, type OpenedFile, writeWhole } from "@x/list-store/node";
import { Argument, type Command, Option } from "commander";
import { hashApiKey } from "../../serve/api-keys.ts";
import { BLOCK_MESSAGES } from "../../serve/pages/blocked-page.ts";
import { firefoxSettings } from "../../serve/pages/firefox-settings.ts";
import { nameOf, operatorFrom } from "../../serve/pages/operator.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";

/* The commands that make settings, pages and keys for other programs: firefox, blocked-page, key and ohttp-key. */

interface FirefoxOptions extends SettingsOptions {
  readonly v4?: boolean;
}

export function registerFirefox(program: Command, context: Context): void {
  const command = program
    .command("firefox")
    .summary("print the settings that make Firefox use a server")
    .description("print the settings that make Firefox use a server, for the user.js of a profile")
    .addArgument(
      new Argument("[URL]", "the address of the server").default("http://127.0.0.1:8080"),
    )
    .option("--v4", "use Safe Browsing v4, for older Firefox");
  addSettings(command).addHelpText(
    "after",
    "\nThe red page shows operator.name of the settings or, without it, the host of the\nserver.",
  );
  command.action(async (url: string, { v4, ...options }: FirefoxOptions) => {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new Failure(`${JSON.stringify(url)} is not the URL of a server`);
    }
    const { origin } = new URL(url);
    const { settings } = await readSettings(options, context);
    const name = nameOf(operatorFrom(settings.operator), origin);
    context.io.stdout.write(firefoxSettings(origin, v4 ? "v4" : "v5", name));
  });
}

export function registerBlockedPage(program: Command, context: Context): void {
  const command = program
    .command("blocked-page")
    .summary("print a block page for Squid or nginx, or a rule for rspamd")
    .description("print a block page for Squid or nginx, or a rule for rspamd that rejects mail")
    .addArgument(new Argument("<program>", "which program").choices(Object.keys(BLOCK_MESSAGES)));
  addSettings(command).addHelpText(
    "after",
    `
squid   an error page, for deny_info
nginx   a page, for error_page
rspamd  a rule for local.d/force_actions.conf, to reject mail with a listed link`,
  );
  command.action(async (name: string, options: SettingsOptions) => {
    const { settings } = await readSettings(options, context);
    context.io.stdout.write(BLOCK_MESSAGES[name]!(operatorFrom(settings.operator)));
  });
}

const KEY_BYTES = 24;

export function registerKey(program: Command, { print }: Context): void {
  program
    .command("key")
    .description("make an API key for private lists")
    .argument("<NAME...>", "the lists that the key opens")
    .action((lists: string[]) => {
      lists.forEach(checkListName);
      const key = randomBytes(KEY_BYTES).toString("base64url");
      print(`The key, for the client (it is shown only once):

  ${key}

The reader, for the settings of the server, with a name of your choice:

readers:
  somebody:
    key-sha256: ${hashApiKey(key)}
    lists: [${lists.join(", ")}]`);
    });
}

export function registerOhttpKey(program: Command, { print }: Context): void {
  program
    .command("ohttp-key")
    .description("make a new key for the setting ohttp-keys, and drop old ones")
    .argument("<FILE>", "the file with the keys; it is made if it does not exist")
    .addOption(
      new Option("--overlap <duration>", "how long replaced keys still work")
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
        "../../serve/ohttp/gateway.ts"
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

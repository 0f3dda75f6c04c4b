import { Failure } from "@x/command-line";
import { Argument, type Command } from "commander";
import { firefoxSettings } from "../../serve/pages/firefox-settings.ts";
import { nameOf, operatorFrom } from "../../serve/pages/operator.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";

interface Options extends SettingsOptions {
  readonly v4?: boolean;
}

export function registerFirefox(program: Command, { io }: Context): void {
  const command = program
    .command("firefox")
    .description("print the settings that make Firefox use a server, for the user.js of a profile")
    .addArgument(
      new Argument("[URL]", "the address of the server").default("http://127.0.0.1:8080"),
    )
    .option("--v4", "use Safe Browsing v4, for older Firefox");
  addSettings(command).addHelpText(
    "after",
    "\nWithout a name, the red page shows the host of the server.",
  );
  command.action(async (url: string, { v4, ...options }: Options) => {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new Failure(`${JSON.stringify(url)} is not the URL of a server`);
    }
    const { origin } = new URL(url);
    const { settings } = await readSettings(options);
    const name = nameOf(operatorFrom(settings.operator), origin);
    io.stdout.write(firefoxSettings(origin, v4 ? "v4" : "v5", name));
  });
}

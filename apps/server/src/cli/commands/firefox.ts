import { Failure } from "@x/command-line";
import { Argument, type Command } from "commander";
import { firefoxSettings } from "../../serve/pages/firefox-settings.ts";
import { nameOf } from "../../serve/pages/operator.ts";
import type { Context } from "../context.ts";
import { type OperatorOptions, operatorOf } from "../operator-options.ts";
import { addSettingsWithoutStore } from "../options.ts";

interface Options extends OperatorOptions {
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
  addSettingsWithoutStore(command, ["operator-name"]).addHelpText(
    "after",
    "\nWithout a name, the red page shows the host of the server.",
  );
  command.action((url: string, options: Options) => {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new Failure(`${JSON.stringify(url)} is not the URL of a server`);
    }
    const { origin } = new URL(url);
    const name = nameOf(operatorOf(options), origin);
    io.stdout.write(firefoxSettings(origin, options.v4 ? "v4" : "v5", name));
  });
}

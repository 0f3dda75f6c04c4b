import { Argument, type Command } from "commander";
import { firefoxSettings } from "../../serve/pages/firefox-settings.ts";
import type { Context } from "../context.ts";
import { Failure } from "../failure.ts";

export function registerFirefox(program: Command, { io }: Context): void {
  program
    .command("firefox")
    .description("print the settings that make Firefox use a server, for the user.js of a profile")
    .addArgument(new Argument("[URL]", "where the server is").default("http://127.0.0.1:8080"))
    .option("--v4", "use Safe Browsing v4, for older Firefox")
    .option(
      "--name <name>",
      "the name on the red page, as the source of the warning",
      "This server",
    )
    .action((url: string, { v4 = false, name }: { v4?: boolean; name: string }) => {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        throw new Failure(`${JSON.stringify(url)} is not the URL of a server`);
      }
      io.stdout.write(firefoxSettings(new URL(url).origin, v4 ? "v4" : "v5", name));
    });
}

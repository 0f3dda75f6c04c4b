import { readFile } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { listsInSettings } from "../publishing/list-settings.ts";
import { findSettings, InvalidSettings, type SettingsOptions } from "../settings/settings-file.ts";

const SCHEMA = new URL("../../../settings.schema.json", import.meta.url);

export function registerCheck(program: Command, context: Context): void {
  const command = program
    .command("check")
    .description("check the settings")
    .option("--schema", "print the JSON Schema of the settings, for editors");
  addSettings(command).action(
    async ({ schema, ...options }: SettingsOptions & { readonly schema?: boolean }) => {
      if (schema) {
        context.io.stdout.write(await readFile(SCHEMA, "utf8"));
        return;
      }
      const given = await findSettings(options).catch((error) => {
        if (!(error instanceof InvalidSettings)) throw error;
        for (const problem of error.problems) context.complain(printable(problem));
        const count = counted(error.problems.length, "problem", "problems");
        throw new Failure(`The settings have ${count}`, { cause: error });
      });
      if (given.warning !== null) throw new Failure(given.warning);
      if (given.inFile.length === 0) throw new Failure(`There are no settings in ${given.file}`);
      for (const { list, sources } of listsInSettings(given))
        context.print(`${list}: ${counted(sources.length, "source", "sources")}`);
      context.print(`${given.file} has no problems`);
    },
  );
}

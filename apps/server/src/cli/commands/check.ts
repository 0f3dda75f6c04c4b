import { readFile } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { describeError } from "../errors.ts";
import { addSettings } from "../options.ts";
import { exceptFilesOf, readExceptFiles } from "../publishing/except-file.ts";
import { listsInSettings } from "../publishing/list-settings.ts";
import type { Settings } from "../settings/schema.ts";
import { findSettings, InvalidSettings, type SettingsOptions } from "../settings/settings-file.ts";

const SCHEMA = new URL("../../../settings.schema.json", import.meta.url);

/** What is wrong with the files of exceptions that settings name. */
async function problemsOfExceptions(settings: Settings): Promise<readonly string[]> {
  const problems = new Set<string>();
  for (const named of [settings, ...Object.values(settings.lists)]) {
    const { exceptFiles, neverBlockFiles } = exceptFilesOf(named);
    const each = [
      ...exceptFiles.map((file) => ({ exceptFiles: [file], neverBlockFiles: [] })),
      ...neverBlockFiles.map((file) => ({ exceptFiles: [], neverBlockFiles: [file] })),
    ];
    for (const file of each) {
      await readExceptFiles(file).catch((error) => {
        const problem = describeError(error);
        if (problem === null) throw error;
        problems.add(problem);
      });
    }
  }
  return [...problems];
}

export function registerCheck(program: Command, context: Context): void {
  const command = program
    .command("check")
    .description("check the settings")
    .option("--schema", "print the JSON Schema of the settings, for editors");
  const failIfAny = (problems: readonly string[]) => {
    for (const problem of problems) context.complain(printable(problem));
    if (problems.length === 0) return;
    throw new Failure(`The settings have ${counted(problems.length, "problem", "problems")}`);
  };
  addSettings(command).action(
    async ({ schema, ...options }: SettingsOptions & { readonly schema?: boolean }) => {
      if (schema) {
        context.io.stdout.write(await readFile(SCHEMA, "utf8"));
        return;
      }
      const given = await findSettings(options).catch((error) => {
        if (error instanceof InvalidSettings) failIfAny(error.problems);
        throw error;
      });
      if (given.warning !== null) throw new Failure(given.warning);
      if (given.inFile.length === 0) throw new Failure(`There are no settings in ${given.file}`);
      const lists = listsInSettings(given);
      failIfAny(await problemsOfExceptions(given.settings));
      for (const { list, sources } of lists)
        context.print(`${list}: ${counted(sources.length, "source", "sources")}`);
      context.print(`${given.file} has no problems`);
    },
  );
}

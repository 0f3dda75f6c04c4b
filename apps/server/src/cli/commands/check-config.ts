import { Failure } from "@x/command-line";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { readPublisherFile } from "../publishing/publisher-file.ts";
import { publisherFileSchema } from "../publishing/publisher-file-schema.ts";

export function registerCheckConfig(program: Command, context: Context): void {
  program
    .command("check-config")
    .description("check a file of lists, for publish --config")
    .argument("[FILE]", "the file")
    .option("--schema", "print the JSON Schema of such files, for editors")
    .action(async (file: string | undefined, { schema = false }: { schema?: boolean }) => {
      if (schema === (file !== undefined)) throw new Failure("Expected a file, or --schema");
      if (file === undefined) {
        context.print(JSON.stringify(publisherFileSchema(), null, 2));
        return;
      }
      const { lists, problems } = await readPublisherFile(file);
      for (const problem of problems) context.complain(printable(problem));
      if (problems.length > 0)
        throw new Failure(`${file} has ${counted(problems.length, "problem", "problems")}`);
      for (const { list, sources } of lists)
        context.print(`${list}: ${counted(sources.length, "source", "sources")}`);
    });
}

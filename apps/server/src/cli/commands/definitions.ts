import { completionScript, manPage, SHELLS } from "@x/explain/command-line";
import type { Command } from "commander";
import type { Context } from "../context.ts";

const SHELL_NAMES = SHELLS.join(", ");

const MAN_TEXTS = {
  purpose: "publish lists of URLs, and serve them to Safe Browsing clients",
  exitStatus: [
    ["0", "Success."],
    ["1", "A source was refused, or would remove too much, and nothing was published."],
    ["2", "The command failed."],
  ],
} as const;

/** Adds the commands `completion` and `man`, whose output is made from the definitions of all commands. */
export function registerDefinitions(program: Command, { io }: Context): void {
  program
    .command("completion")
    .description("write a script that completes commands and options in a shell")
    .argument("<shell>", SHELL_NAMES)
    .action((shell: string) => {
      const script = completionScript(program, shell);
      if (script === null) program.error(`unknown shell '${shell}': expected ${SHELL_NAMES}`);
      io.stdout.write(script);
    });
  program
    .command("man")
    .description("write the man page, in roff")
    .action(() => {
      io.stdout.write(manPage(program, { version: program.version()!, ...MAN_TEXTS }));
    });
}

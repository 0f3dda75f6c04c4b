import type { Command } from "commander";
import { completionScript, SHELLS } from "./completions.ts";
import { allCommands, type CommandDescription, describeCommand } from "./describe.ts";
import { didYouMean } from "./program.ts";

const SHELL_NAMES = `${SHELLS.slice(0, -1).join(", ")} or ${SHELLS.at(-1)}`;

const completionHelp = (name: string): string => `
The script is made from the definitions of the commands, so it fits this
version.

Exit status: 0, or 2 for a failure.

Examples:
  $ source <(${name} completion bash)
  $ ${name} completion fish | source`;

const manHelp = (name: string): string => `
The page is made from the help texts.

Exit status: 0, or 2 for a failure.

Example:
  $ ${name} man > /usr/local/share/man/man1/${name}.1`;

/**
 * Adds the commands that are made from the definitions of the others: `completion`, `man` and `help`.
 *
 * @param write writes to stdout.
 * @param texts the other texts of the man page.
 */
export function addDefinitionCommands(
  program: Command,
  write: (text: string) => void | Promise<void>,
  texts: Omit<ManPageTexts, "version">,
): void {
  const name = program.name();
  program
    .command("completion")
    .summary("write a script that completes commands in a shell")
    .description(`Write a script that completes the commands and options of ${name} in a shell.`)
    .argument("<shell>", SHELL_NAMES)
    .addHelpText("after", completionHelp(name))
    .action(async (shell: string, _options: unknown, command: Command) => {
      const script = completionScript(program, shell);
      if (script === null) {
        const which = shell === "" ? "the name of the shell is empty" : `unknown shell '${shell}'`;
        return command.error(`${which}: expected ${SHELL_NAMES}`);
      }
      await write(script);
    });
  program
    .command("man")
    .summary("write the man page")
    .description(`Write the man page of ${name}, in roff.`)
    .addHelpText("after", manHelp(name))
    .action(async () => {
      await write(manPage(program, { version: program.version()!, ...texts }));
    });
  program
    .command("help")
    .summary("show what a command does")
    .description("Show what a command does and its options, like its --help.")
    .argument("[command...]", "the name of a command")
    .action((names: readonly string[]) => {
      let command = program;
      for (const each of names) {
        const known = new Map(command.commands.map((next) => [next.name(), next]));
        const next = known.get(each);
        if (next === undefined) {
          return command.error(`unknown command '${each}'${didYouMean(each, known.keys())}`);
        }
        command = next;
      }
      command.help();
    });
}

/** Escapes text for roff, where a backslash, a leading dot or quote, and a dash have special meanings. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/gm, "\\&$1");
}

function section(command: CommandDescription, helpOf: (words: readonly string[]) => string) {
  const { program, words, args, text, options } = command;
  return [
    `.SS ${roff([program, ...words, ...args].join(" "))}`,
    roff(text),
    ...options.flatMap(({ long, short, value, text: described }) => {
      const names = [short, long].filter((name) => name !== null).join(", ");
      return [".TP", `.B ${roff(value === null ? names : `${names} ${value}`)}`, roff(described)];
    }),
    ".PP",
    ".nf",
    roff(helpOf(words).trim()),
    ".fi",
  ].join("\n");
}

/** The text that the definition of a command adds at the end of its help. */
function helpAfter(program: Command, words: readonly string[]): string {
  let command = program;
  for (const word of words) command = command.commands.find((each) => each.name() === word)!;
  let text = "";
  command.configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
  });
  command.outputHelp();
  return text.slice(command.helpInformation().length);
}

/** The texts of a man page that are not in the definitions of the commands. */
interface ManPageTexts {
  readonly version: string;
  /** A short description of the program, which follows its name. */
  readonly purpose: string;
  /** Exit statuses and their descriptions, such as `["0", "Success."]`. */
  readonly exitStatus: readonly (readonly [name: string, text: string])[];
  readonly environment?: readonly (readonly [name: string, text: string])[];
}

function terms(title: string, rows: ManPageTexts["exitStatus"]): string {
  const each = rows.map(([name, text]) => `.TP\n.B ${roff(name)}\n${roff(text)}\n`);
  return rows.length === 0 ? "" : `.SH ${title}\n${each.join("")}`;
}

/**
 * Returns the man page of a program, in roff, made from the help of its commands. The function modifies the
 * definitions, which can then no longer print help.
 */
export function manPage(
  defined: Command,
  { version, purpose, exitStatus, environment = [] }: ManPageTexts,
): string {
  const described = describeCommand(defined);
  const { program, text } = described;
  const helpOf = (words: readonly string[]) => helpAfter(defined, words);
  const [, ...commands] = allCommands(described);
  return `.TH ${roff(program.toUpperCase())} 1 "" "${roff(`${program} ${version}`)}" "User Commands"
.SH NAME
${roff(program)} \\- ${roff(purpose)}
.SH SYNOPSIS
.B ${roff(program)}
.I command
[option ...] [argument ...]
.SH DESCRIPTION
${roff(text)}
.PP
.nf
${roff(helpOf([]).trim())}
.fi
.SH COMMANDS
${commands.map((command) => section(command, helpOf)).join("\n")}
${terms("EXIT STATUS", exitStatus)}${terms("ENVIRONMENT", environment)}`;
}

import {
  allCommands,
  type CommandDescription,
  type DefinedCommand,
  describeCommand,
} from "./describe.ts";

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
function helpAfter(program: DefinedCommand, words: readonly string[]): string {
  let command = program;
  for (const word of words) command = command.commands.find((each) => each.name() === word)!;
  let text = "";
  command.configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
  });
  command.outputHelp();
  const own = command.createHelp().formatHelp(command, command.createHelp());
  return text.slice(own.length);
}

/** The texts of a man page that are not in the definitions of the commands. */
export interface ManPageTexts {
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
 *
 * @example
 * ```ts
 * import { manPage } from "@x/command-line";
 * import { Command } from "commander";
 *
 * const texts = { version: "1.0", purpose: "say hello", exitStatus: [["0", "Success."]] } as const;
 * manPage(new Command("greet"), texts).split("\n")[2]; // → "greet \\- say hello"
 * ```
 */
export function manPage(
  defined: DefinedCommand,
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

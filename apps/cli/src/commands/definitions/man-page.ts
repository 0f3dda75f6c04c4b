import { allCommands, type CommandDescription, namesOf, valueNameOf } from "./describe.ts";

/** Text for roff: a backslash, a leading dot or quote, and a dash have a meaning of their own. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/gm, "\\&$1");
}

function section(command: CommandDescription, helpOf: (words: readonly string[]) => string) {
  const { words, args, text, options } = command;
  return [
    `.SS ${roff(["urlhash", ...words, ...args].join(" "))}`,
    roff(text),
    ...options.flatMap((option) => {
      const [names, value] = [namesOf(option).join(", "), valueNameOf(option)];
      const shown = value === null ? names : `${names} ${value}`;
      return [".TP", `.B ${roff(shown)}`, roff(option.description)];
    }),
    ".PP",
    ".nf",
    roff(helpOf(words).trim()),
    ".fi",
  ].join("\n");
}

/**
 * The man page.
 *
 * @param helpOf the text after the options in the help of a command.
 */
export function manPage(
  program: CommandDescription,
  version: string,
  helpOf: (words: readonly string[]) => string,
): string {
  const [, ...commands] = allCommands(program);
  return `.TH URLHASH 1 "" "urlhash ${roff(version)}" "User Commands"
.SH NAME
urlhash \\- canonicalize URLs, hash their expressions, and check them against lists
.SH SYNOPSIS
.B urlhash
.I command
[option ...] [argument ...]
.SH DESCRIPTION
${roff(program.text)}
.PP
.nf
${roff(helpOf([]).trim())}
.fi
.SH COMMANDS
${commands.map((command) => section(command, helpOf)).join("\n")}
.SH EXIT STATUS
.TP
.B 0
Success; nothing is listed.
.TP
.B 1
Something is listed, or matches.
.TP
.B 2
Failure: bad usage, an unreadable file, a broken list. It stands alone.
.TP
.B 4
Some input was refused; the rest was processed. 5 is 1 and 4 together.
.SH ENVIRONMENT
.TP
.B NO_COLOR, FORCE_COLOR, TERM, COLUMNS
Whether and how wide output is coloured and folded. \\-\\-color wins.
`;
}

import type { Command } from "commander";
import {
  allCommands,
  type CommandDescription,
  describeCommand,
  type OptionDescription,
} from "./describe.ts";
import { quoted } from "./shell-word.ts";

const wordsOf = ({ options, commands }: CommandDescription): string[] => [
  ...commands.map(({ words }) => words.at(-1)!),
  ...options.flatMap(({ long, short }) => (short === null ? [long] : [long, short])),
];

/** The quoted names of all commands except the program itself. */
const quotedNames = (program: CommandDescription): string[] =>
  allCommands(program)
    .slice(1)
    .map(({ words }) => quoted(words.join(" ")));

const withChoices = (options: readonly OptionDescription[]): readonly OptionDescription[] =>
  options.filter(({ choices }) => choices.length > 0);

/** The name of the function that a script defines. */
const functionOf = ({ program }: CommandDescription): string =>
  `_${program.replaceAll(/[^a-z]/g, "_")}`;

/** The script keeps the command that is being typed in the variable `path`. */
function bash(program: CommandDescription): string {
  const commands = allCommands(program);
  const cases = commands.map((command) => {
    const choices = withChoices(command.options).map(
      ({ long, choices }) =>
        `        ${long}) COMPREPLY=($(compgen -W ${quoted(choices.join(" "))} -- "$word")); return ;;`,
    );
    return [
      `    ${quoted(command.words.join(" "))})`,
      ...(choices.length === 0 ? [] : ['      case "$before" in', ...choices, "      esac"]),
      `      words=${quoted(wordsOf(command).join(" "))} ;;`,
    ].join("\n");
  });
  return `# bash completion for ${program.program}. Put it in a file that your shell reads, or run:
#   source <(${program.program} completion bash)
${functionOf(program)}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}"
  local path="" words="" i known
  for ((i = 1; i < COMP_CWORD; i++)); do
    known="\${path:+$path }\${COMP_WORDS[i]}"
    case "$known" in
      ${quotedNames(program).join("|")}) path="$known" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F ${functionOf(program)} ${program.program}
`;
}

function zsh(program: CommandDescription): string {
  const bracketed = (text: string): string => text.replace(/[[\]:]/g, "\\$&");
  const cases = allCommands(program).map((command) => {
    const options = command.options.flatMap(({ long, short, value, choices, text }) => {
      const values =
        value === null
          ? ""
          : `:${bracketed(value)}:${choices.length > 0 ? `(${choices.join(" ")})` : "_files"}`;
      return [long, ...(short === null ? [] : [short])].map((name) =>
        quoted(`*${name}[${bracketed(text)}]${values}`),
      );
    });
    const names = command.commands.map(({ words }) => words.at(-1)!);
    const rest = names.length === 0 ? "*:argument:_files" : `1:command:(${names.join(" ")})`;
    return `    ${quoted(command.words.join(" "))}) _arguments ${[...options, quoted(rest)].join(" ")} ;;`;
  });
  return `#compdef ${program.program}
# zsh completion for ${program.program}. Put it as ${functionOf(program)} in a folder of $fpath, or run:
#   source <(${program.program} completion zsh)
${functionOf(program)}() {
  local taken="" known each i depth=1
  for ((i = 2; i < CURRENT; i++)); do
    known="\${taken:+$taken }\${words[i]}"
    case "$known" in
      ${quotedNames(program).join("|")}) taken="$known"; depth=$i ;;
    esac
  done
  # _arguments needs the command as the first word, so the words before it are dropped.
  words=("\${(@)words[depth,-1]}")
  ((CURRENT -= depth - 1))
  case "$taken" in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "${functionOf(program)}" ]; then ${functionOf(program)} "$@"; else compdef ${functionOf(program)} ${program.program}; fi
`;
}

function fish(program: CommandDescription): string {
  const lines = allCommands(program).flatMap((command) => {
    const condition = `-n ${quoted(`_${functionOf(program)}_at ${command.words.join(" ")}`)}`;
    return [
      ...command.commands.map(
        ({ words, text }) =>
          `complete -c ${program.program} ${condition} -f -a ${quoted(words.at(-1)!)} -d ${quoted(text)}`,
      ),
      ...command.options.map(({ long, short, value, choices, text }) => {
        const names = `-l ${long.slice(2)}${short === null ? "" : ` -s ${short.slice(1)}`}`;
        const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : " -r";
        return `complete -c ${program.program} ${condition} ${names}${value === null ? "" : values} -d ${quoted(text)}`;
      }),
    ];
  });
  return `# fish completion for ${program.program}. Put it in ~/.config/fish/completions/${program.program}.fish, or run:
#   ${program.program} completion fish | source
function _${functionOf(program)}_at
    set -l path
    for word in (commandline -opc)[2..-1]
        set -l known (string join -- ' ' $path $word)
        if contains -- $known ${quotedNames(program).join(" ")}
            set path $path $word
        end
    end
    # Without the quotes, an empty list would not be passed to test at all.
    test "$path" = "$argv"
end
${lines.join("\n")}
`;
}

const SCRIPTS: Readonly<Record<string, (program: CommandDescription) => string>> = {
  bash,
  zsh,
  fish,
};

/** The shells that {@link completionScript} knows. */
export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

/**
 * Returns a script that completes the commands, the options and their values in a shell; `null` for an unknown shell.
 */
export function completionScript(program: Command, shell: string): string | null {
  return Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell]!(describeCommand(program)) : null;
}

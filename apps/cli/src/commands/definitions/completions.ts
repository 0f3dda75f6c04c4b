import { allCommands, type CommandDescription, namesOf, valueNameOf } from "./describe.ts";

/** A text in single quotes, for any shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const wordsOf = ({ options, commands }: CommandDescription): string[] => [
  ...commands.map(({ words }) => words.at(-1)!),
  ...options.flatMap(namesOf),
];

/** All commands but `urlhash` itself, each as its quoted words. */
const quotedNames = (program: CommandDescription): string[] =>
  allCommands(program)
    .slice(1)
    .map(({ words }) => quoted(words.join(" ")));

/** The command that is being typed, in the variable `path`; and completions for it. */
function bash(program: CommandDescription): string {
  const commands = allCommands(program);
  const cases = commands.map((command) => {
    const choices = command.options.flatMap(({ long, argChoices }) =>
      argChoices === undefined
        ? []
        : `        ${long}) COMPREPLY=($(compgen -W ${quoted(argChoices.join(" "))} -- "$word")); return ;;`,
    );
    return [
      `    ${quoted(command.words.join(" "))})`,
      ...(choices.length === 0 ? [] : ['      case "$before" in', ...choices, "      esac"]),
      `      words=${quoted(wordsOf(command).join(" "))} ;;`,
    ].join("\n");
  });
  return `# bash completion for urlhash. Put it in a file that your shell reads, or run:
#   source <(urlhash completion bash)
_urlhash() {
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
complete -o default -F _urlhash urlhash
`;
}

function zsh(program: CommandDescription): string {
  const bracketed = (text: string): string => text.replace(/[[\]:]/g, "\\$&");
  const cases = allCommands(program).map((command) => {
    const options = command.options.flatMap((option) => {
      const value = valueNameOf(option);
      const choices =
        option.argChoices === undefined ? "_files" : `(${option.argChoices.join(" ")})`;
      const values = value === null ? "" : `:${bracketed(value)}:${choices}`;
      return namesOf(option).map((name) =>
        quoted(`*${name}[${bracketed(option.description)}]${values}`),
      );
    });
    const names = command.commands.map(({ words }) => words.at(-1)!);
    const rest = names.length === 0 ? "*:argument:_files" : `1:command:(${names.join(" ")})`;
    return `    ${quoted(command.words.join(" "))}) _arguments ${[...options, quoted(rest)].join(" ")} ;;`;
  });
  return `#compdef urlhash
# zsh completion for urlhash. Put it as _urlhash in a folder of $fpath, or run:
#   source <(urlhash completion zsh)
_urlhash() {
  local taken="" known each i depth=1
  for ((i = 2; i < CURRENT; i++)); do
    known="\${taken:+$taken }\${words[i]}"
    case "$known" in
      ${quotedNames(program).join("|")}) taken="$known"; depth=$i ;;
    esac
  done
  # What _arguments sees begins with the command itself.
  words=("\${(@)words[depth,-1]}")
  ((CURRENT -= depth - 1))
  case "$taken" in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_urlhash" ]; then _urlhash "$@"; else compdef _urlhash urlhash; fi
`;
}

function fish(program: CommandDescription): string {
  const lines = allCommands(program).flatMap((command) => {
    const condition = `-n ${quoted(`__urlhash_at ${command.words.join(" ")}`)}`;
    return [
      ...command.commands.map(
        ({ words, text }) =>
          `complete -c urlhash ${condition} -f -a ${quoted(words.at(-1)!)} -d ${quoted(text)}`,
      ),
      ...command.options.map((option) => {
        const { long = "", short, argChoices, description } = option;
        const names = `-l ${long.slice(2)}${short === undefined ? "" : ` -s ${short.slice(1)}`}`;
        const choices = argChoices === undefined ? " -r" : ` -x -a ${quoted(argChoices.join(" "))}`;
        const values = valueNameOf(option) === null ? "" : choices;
        return `complete -c urlhash ${condition} ${names}${values} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# fish completion for urlhash. Put it in ~/.config/fish/completions/urlhash.fish, or run:
#   urlhash completion fish | source
function __urlhash_at
    set -l path
    for word in (commandline -opc)[2..-1]
        set -l known (string join ' ' $path $word)
        if contains -- $known ${quotedNames(program).join(" ")}
            set path $path $word
        end
    end
    test (string join ' ' $path) = (string join ' ' $argv)
end
${lines.join("\n")}
`;
}

/** For each shell, a script that completes the command line. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, (program: CommandDescription) => string>> =
  { bash, zsh, fish };

import { Command } from "commander";

/** The line that commander adds to a message, such as `(Did you mean port?)`. */
const SUGGESTION = /\n\(Did you mean (one of )?(.*)\?\)$/;

/**
 * Names the known words that are similar to `word`, in brackets; `""` when none is similar. Commander decides which
 * words are similar, as it does for the commands of a program.
 *
 * @example
 * ```ts
 * import { didYouMean } from "@x/command-line";
 *
 * didYouMean("prot", ["port", "host"]); // → " (did you mean port?)"
 * didYouMean("colour", ["port", "host"]); // → ""
 * ```
 */
export function didYouMean(word: string, known: Iterable<string>): string {
  const bare = (text: string): string => text.replace(/^-+/, "");
  const names = new Map(Array.from(known, (each) => [bare(each), each]));
  const asked = new Command().exitOverride().helpCommand(false);
  asked.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const name of names.keys()) asked.command(name);
  try {
    asked.parse([bare(word)], { from: "user" });
  } catch (error) {
    const [, oneOf = "", found] = SUGGESTION.exec((error as Error).message) ?? [];
    if (found === undefined) return "";
    const all = found.split(", ").map((name) => names.get(name));
    return ` (did you mean ${oneOf}${all.join(", ")}?)`;
  }
  return "";
}

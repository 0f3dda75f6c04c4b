import type { Io } from "../../context.ts";

/** Returns the files that the arguments name, or stdin if there are no arguments. */
export function filesOf(args: readonly string[], { stdin, stderr }: Io): readonly string[] {
  if (args.length > 0) return args;
  if (stdin.isTTY) stderr.write("urlhash: reading text from the terminal; Ctrl-D ends\n");
  return ["-"];
}

import type { UrnSyntax } from "@x/urn";
import { type Command, Option } from "commander";

export interface SyntaxOptions {
  readonly syntax: UrnSyntax;
}

/** `--syntax`: the specification that decides what a URN is. */
export function addSyntaxOption(command: Command): Command {
  return command.addOption(
    new Option("--syntax <rfc>", "the specification that decides what a URN is")
      .choices(["rfc2141", "rfc8141"])
      .default("rfc2141"),
  );
}

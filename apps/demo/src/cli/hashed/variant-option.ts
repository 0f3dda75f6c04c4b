import type { CanonicalFormOptions } from "@x/hashed-uri";
import { type Command, Option } from "commander";

/** What publishers and readers have to agree on. */
export type FormOptions = Required<Pick<CanonicalFormOptions, "variant">> &
  Pick<CanonicalFormOptions, "base">;

/** `--variant` and `--base`: how the canonical form is made. */
export function addFormOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--variant <variant>", "of canonical forms: N equates little, P more")
        .choices(["N", "P"])
        .default("N"),
    )
    .option("--base <uri>", "what relative URIs are relative to");
}

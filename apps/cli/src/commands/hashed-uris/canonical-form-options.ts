import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { type HashedUriError, type HashUriOptions, hashUri } from "@x/hashed-uri";
import { type Command, Option } from "commander";

/** The options for the canonical form of URIs, on which publishers and readers must agree. */
export interface CanonicalFormOptions {
  /** The default is `N`. When URIs are matched, the variant that the list names takes precedence over this default. */
  readonly variant?: "N" | "P" | undefined;
  readonly base?: string | undefined;
}

/** `--variant` and `--base`: the canonical form of URIs. */
export function addCanonicalFormOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--variant <variant>",
        "the variant of the canonical form: P treats more URIs as equal than N, the default",
      ).choices(["N", "P"]),
    )
    .option("--base <uri>", "the base for relative URIs");
}

/** @throws {Failure} when an option is wrong. Call this function before any input is read. */
export function checkHashing(options: HashUriOptions): void {
  try {
    hashUri("a", { ...options, base: options.base ?? "http://a/" });
  } catch (error) {
    if ((error as HashedUriError).name !== "HashedUriError") throw error;
    throw new Failure(printable((error as HashedUriError).message));
  }
}

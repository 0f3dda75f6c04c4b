import { readFileSync } from "node:fs";
import { createProgram, Failure, isCommanderError } from "@x/command-line";
import { namesProxy } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Command } from "commander";
import picocolors from "picocolors";
import { addColorOption } from "./commands/options.ts";
import {
  ClosedPipe,
  type Context,
  createContext,
  type Io,
  type Settings,
  wantsColour,
} from "./context.ts";
import { FAILED } from "./exit-status.ts";
import { KEY_VARIABLE } from "./input/api-key.ts";

type Register = (program: Command, context: Context) => void;

/**
 * The commands, in the order of the help. Only the command that is run is loaded, because loading all of them takes
 * longer than most of them run. The last entry has no name: its commands describe the others, so running one of them
 * loads all commands.
 */
const COMMANDS: readonly (readonly [name: string | null, load: () => Promise<Register>])[] = [
  ["explain", async () => (await import("./commands/explain.ts")).registerExplain],
  ["canon", async () => (await import("./commands/canon.ts")).registerCanon],
  ["hash", async () => (await import("./commands/hash.ts")).registerHash],
  ["check", async () => (await import("./commands/check.ts")).registerCheck],
  ["links", async () => (await import("./commands/links.ts")).registerLinks],
  ["sql", async () => (await import("./commands/sql.ts")).registerSql],
  ["update", async () => (await import("./commands/update.ts")).registerUpdate],
  ["history", async () => (await import("./commands/history.ts")).registerHistory],
  ["list", async () => (await import("./commands/list/list.ts")).registerList],
  ["hash-uris", async () => (await import("./commands/hashed-uris/hash-uris.ts")).registerHashUris],
  ["match", async () => (await import("./commands/hashed-uris/match.ts")).registerMatch],
  ["urn", async () => (await import("./commands/urn/urn.ts")).registerUrn],
  ["helper", async () => (await import("./commands/helper/squid.ts")).registerHelper],
  [null, async () => (await import("./commands/definitions.ts")).registerDefinitions],
];

/** The groups of the help, by their first commands. */
const GROUPS: Readonly<Record<string, string>> = {
  explain: "URLs:",
  update: "Lists:",
  "hash-uris": "Hashed URIs and URNs:",
  helper: "Other commands:",
};

/** The commands to load for a first argument. */
function commandsFor(name: string | undefined): typeof COMMANDS {
  if (name === "--version" || name === "-V") return [];
  const named = COMMANDS.filter(([each]) => each === name);
  return named.length > 0 ? named : COMMANDS;
}

function version(): string {
  const file = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

const EXAMPLES = `
Examples:
  $ urlhash explain http://EXAMPLE.com/%2561/../b
  $ urlhash list build hosts.txt -o hosts.list
  $ urlhash check --list hosts.list evil.example/login
  $ urlhash COMMAND --help`;

/** @param writeOut receives the text of `--help` and `--version`. */
async function urlhash(
  argv: readonly string[],
  context: Context,
  writeOut: (text: string) => void,
): Promise<Command> {
  const { io, colours, columns } = context;
  const program = createProgram({
    name: "urlhash",
    description:
      "Explain, hash and check URLs against lists of hash prefixes; work with hashed URIs and URNs.",
    version: version(),
    writeOut,
    writeErr: (text) => void io.stderr.write(text),
  })
    // Commander removes the style where there are no colours.
    .configureHelp({ styleTitle: picocolors.createColors(true).bold })
    .configureOutput({
      getOutHelpWidth: () => columns ?? 80,
      getErrHelpWidth: () => columns ?? 80,
      getOutHasColors: () => colours.isColorSupported,
      getErrHasColors: () => wantsColour(argv, io.stderr, io.env),
    });
  for (const [each, load] of commandsFor(argv[0])) {
    if (each !== null && Object.hasOwn(GROUPS, each)) program.commandsGroup(GROUPS[each]!);
    (await load())(program, context);
  }
  addColorOption(program);
  return program.addHelpText("after", EXAMPLES);
}

/**
 * Runs the command with the arguments `argv`, which do not include the program's name.
 *
 * @returns the exit status, once everything is written.
 */
export async function main(
  argv: readonly string[],
  io: Io,
  settings: Settings = {},
): Promise<number> {
  let status = 0;
  const context = createContext(argv, io, settings, (bits) => {
    status |= bits;
  });
  try {
    refuseOddArguments(argv);
    // The modules for proxies are loaded only here, because loading them takes a while.
    if (namesProxy(io.env)) (await import("@x/command-line/proxy")).useProxies();
    const help: string[] = [];
    const program = await urlhash(argv, context, (text) => void help.push(text));
    try {
      await program.parseAsync(argv, { from: "user" });
    } catch (error) {
      if (!isCommanderError(error)) throw error;
      if (error.exitCode !== 0) return FAILED;
    }
    // The help is written here, because Commander cannot wait for the stream.
    await context.stdout.write(help.join(""));
    return status;
  } catch (error) {
    if (error instanceof ClosedPipe) return status;
    const message = hasName<Failure>(error, "Failure")
      ? error.message
      : `unexpected: ${(error as Error).stack ?? error}`;
    await context.stderr.write(`urlhash: ${message}\n`).catch(() => {});
    return FAILED;
  }
}

const REPLACEMENT = "\ufffd";

/** @throws {Failure} for an argument that is not UTF-8 or looks like a negative number, and for an API key. */
function refuseOddArguments(argv: readonly string[]): void {
  for (const [i, argument] of argv.entries()) {
    // Node replaces bytes that are not UTF-8, so the original bytes are lost.
    if (!argument.includes(REPLACEMENT)) continue;
    throw new Failure(
      `argument ${i + 1}, ${printable(argument)}, is not UTF-8: give it in a file or on stdin`,
    );
  }
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  // Commander would quote some of these arguments in its errors, and so reveal the key.
  if (options.some((argument) => /^--(?:api-?)?key(?:=|$)/.test(argument))) {
    throw new Failure(
      `an API key must not be an argument, because other users can see it there: put it into a file and name the file with --key-file, or set the variable ${KEY_VARIABLE}`,
    );
  }
  // Commander treats negative numbers as arguments, not as unknown options.
  const number = options.find((argument) => /^-\.?\d/.test(argument));
  if (number === undefined) return;
  throw new Failure(`unknown option '${printable(number)}': put -- before it if it is an argument`);
}

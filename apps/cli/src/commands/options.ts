import { collect, durationValue, GENERAL_OPTIONS, wholeNumber } from "@x/command-line";
import { type Command, Option } from "commander";
import type { FetchOptions } from "../client/list-address.ts";
import type { Context } from "../context.ts";
import { KEY_VARIABLE } from "../input/api-key.ts";
import type { ReadListUrl } from "../input/list-files.ts";

/** `--bytes`: the prefix length. */
export function addBytesOption(command: Command): Command {
  return command.option(
    "--bytes <n>",
    "length of each hash prefix in bytes, 4 to 32",
    wholeNumber(4, 32),
    4,
  );
}

/** The options of commands that give verdicts. */
export interface VerdictOptions {
  readonly list?: readonly string[];
  readonly safeList?: readonly string[];
}

/** `--list` and `--safe-list`: the lists to check URLs against. */
export function addVerdictOptions(command: Command): Command {
  return addListOption(command).option(
    "--safe-list <file>",
    "a list of safe sites; may be given more than once",
    collect,
  );
}

/** `--color`, for every command below `program` that has an action. `createContext` applies it. */
export function addColorOption(program: Command): void {
  for (const command of program.commands) {
    if (command.commands.length > 0) addColorOption(command);
    else {
      command.addOption(
        new Option("--color <when>", "when to use colours; auto: on a terminal")
          .choices(["auto", "always", "never"])
          .helpGroup(GENERAL_OPTIONS),
      );
    }
  }
}

/** `--list`: lists of hash prefixes. */
export function addListOption(command: Command): Command {
  return command.option(
    "--list <file>",
    "a list to check against, a file or a URL; may be given more than once",
    collect,
  );
}

/** `--public-key`: for lists at URLs. */
export function addListUrlOptions(command: Command): Command {
  return command.option(
    "--public-key <key>",
    "the publisher's public key, or a file of public keys; needed once for each list at a URL",
  );
}

/** The options of commands that check against lists at URLs. */
export interface ListUrlOptions extends Pick<FetchOptions, "publicKey"> {
  readonly maxAge?: number;
}

/**
 * Returns a function that reads lists at URLs. The modules for URLs are loaded only when they are needed, because most
 * commands read files.
 */
export function listUrlReader(options: ListUrlOptions, context: Context): ReadListUrl {
  return async (url) => {
    const { loadStoredList } = await import("../client/stored-list.ts");
    return loadStoredList(url, options, context);
  };
}

export const LIST_URL_HELP = `A list may be at a URL: the address of a store that urlhash-server published,
and the name of the list, https://HOST/PATH/NAME or s3://BUCKET/PATH/NAME. It is
verified, kept in the cache, and brought up to date before it is used.`;

/** `--max-age`: the age after which lists are too old. */
export function addMaxAgeOption(command: Command): Command {
  return command.option(
    "--max-age <age>",
    'warn about lists that are older than this, such as "36h" or "7d"; lists at URLs are then checked for a newer version',
    durationValue,
  );
}

/** `--lists-from`: the lists in a folder. */
export function addListsFromOption(command: Command): Command {
  return command.option(
    "--lists-from <folder>",
    "check against all .list files in a folder; changes to them are picked up",
  );
}

/** `--refang`: turns defanged URLs back into the original ones. */
export function addRefangOption(command: Command): Command {
  return command.option("--refang", 'turn defanged URLs back, as in "hxxps://evil[.]example/"');
}

/** `--no-unwrap`: leaves out the URLs inside URLs. */
export function addUnwrapOption(command: Command): Command {
  return command.option("--no-unwrap", "do not check the URLs inside URLs");
}

export const UNWRAP_HELP = `A URL is also listed if a URL inside it is: one that an email filter, a
redirect, a cache or an archive has wrapped, or any absolute URL in its path,
parameters or fragment. This sends no requests. --no-unwrap turns it off.`;

export const REFANG_HELP = `A defanged URL, such as hxxps://evil[.]example/, is refused. --refang turns it
back into the URL that is meant, and the output then has that URL.`;

/** The flag of an option, such as `--key-file` for `keyFile`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter}`.toLowerCase())}`;
}

/** The protocols of list servers. */
export const PROTOCOLS = ["v5", "v4", "web-risk", "store"] as const;

/** The options that belong to `--server`: the names of its lists, the API key, and where the lists are kept. */
export function addKeptListOptions(command: Command): Command {
  return command
    .option("--lists <names>", "the names of its lists, separated by commas", collect)
    .option("--key-file <file>", "a file with the API key")
    .option("--database <folder>", "where its lists are kept (default: in the user's cache)");
}

/** `--server` and its options: the protocol, the lists, the API key, and where the lists are kept. */
export function addServerOptions(
  command: Command,
  { isRequired = false }: { readonly isRequired?: boolean } = {},
): Command {
  command
    .addOption(
      new Option("--server <url>", "the address of the server").makeOptionMandatory(isRequired),
    )
    .addOption(
      new Option("--protocol <protocol>", "the protocol of the server (default: v5)").choices(
        PROTOCOLS,
      ),
    );
  return addKeptListOptions(command);
}

/** `--bytes`: the length of the prefixes of lists in stores. */
export function addStoredBytesOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--bytes <n>",
      "length of each hash prefix in bytes (default: as before, or 4)",
    ).choices(["4", "8", "32"]),
  );
}

export const STORED_BYTES_HELP = `With --bytes 8, a match is practically never a coincidence, so no server has to
be asked about it. A list then takes about 5.7 bytes per entry instead of 1.7.`;

/** `--relay` and its options: searches go through a relay. */
export function addRelayOptions(command: Command): Command {
  return command
    .option("--relay <url>", "the relay through which searches are sent")
    .option("--relay-keys <file>", "the keys of the server behind it, a file or a URL")
    .option("--relay-updates", "fetch updates of the lists through the relay, too");
}

/** `--public-key`: for lists that are signed. */
export function addPublicKeyOption(command: Command): Command {
  return command.option(
    "--public-key <key>",
    "the publisher's public key, or a file of public keys",
  );
}

export const SERVER_HELP: string = `The server is Google's (https://safebrowsing.googleapis.com for v5 and v4,
https://webrisk.googleapis.com for web-risk), an urlhash-server, or any other
that speaks the protocol; for store, it is the address of a store. --lists has
the names that the protocol gives to lists. By default, these are mw-4b, se-4b
and uws-4b in v5, and MALWARE, SOCIAL_ENGINEERING and UNWANTED_SOFTWARE in v4
and web-risk. The API key is read from --key-file or from the environment
variable ${KEY_VARIABLE}, and sent only to this server.`;

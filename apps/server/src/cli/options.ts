import { didYouMean, durationValue, expecting, Failure, wholeNumber } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { isListName, StoreError } from "@x/list-store";
import { readRegularFile } from "@x/list-store/node";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseSize } from "../publish/fetch/size.ts";
import { parseRemovalLimits } from "../publish/removal-limits.ts";
import type { Address } from "../serve/address.ts";
import { LOG_LEVELS, parseLoggedRequests } from "../serve/log.ts";
import { isContact } from "../serve/pages/operator.ts";
import type { StoreOptions } from "./store-address.ts";
import { filesBesideStore } from "./store-files.ts";

function durationFrom(least: string, most: string): (text: string) => number {
  return expecting(`a duration from ${least} to ${most}`, (text) => {
    const milliseconds = durationValue(text);
    const isInRange = milliseconds >= durationValue(least) && milliseconds <= durationValue(most);
    return isInRange ? milliseconds : null;
  });
}

/**
 * A lifetime below a minute would end before clients have the version. With one above a year, a mirror could freeze the
 * list.
 */
export const parseLifetime: (text: string) => number = durationFrom("1m", "365d");

/**
 * An interval between fetches or polls, or the time limit of a fetch. Values are limited, because a timer of Node
 * cannot wait for more than 24 days.
 */
export const parseInterval: (text: string) => number = durationFrom("1s", "7d");

export const parseMinInterval: (text: string) => number = durationFrom("0s", "7d");

const size = expecting("a size such as 500kB, 256MB or 1GB", (text) => parseSize(text) || null);

const hosts = expecting("hosts, separated by commas", (text) => {
  const names = text.split(",").map((host) => {
    const url = `http://${host}/`;
    const isHost = /^[^/?#@:]+$|^\[[^\]]*\]$/.test(host) && URL.canParse(url);
    return isHost ? new URL(url).hostname : null;
  });
  return names.every((name) => name !== null) ? new Set(names) : null;
});

export const parseCount: (text: string) => number = wholeNumber(0, 999_999_999);

/** Parses a value `NAME=VALUE` of an option that may be given more than once. */
export function namedValue(
  text: string,
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError("Expected a name, an equals sign and a value.");
  }
  if (before.has(name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return new Map([...before, [name, value]]);
}

const port = wholeNumber(0, 65_535);

/** Where to listen: `HOST:PORT`, with an IPv6 address in brackets, or `unix:PATH`. */
const address = expecting(
  "HOST:PORT such as 127.0.0.1:9090 or [::1]:9090, or unix:PATH",
  (text): Address | null => {
    const [, path] = /^unix:(?:\/\/(?=\/))?(.+)$/s.exec(text) ?? [];
    if (path !== undefined) return { kind: "unix", path };
    const [, ipv6, host = ipv6, number] =
      /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
    if (host === undefined || Number(number) > 65_535) return null;
    return { kind: "tcp", host, port: Number(number) };
  },
);

const logLevel = expecting(
  LOG_LEVELS.join(", "),
  (text) => LOG_LEVELS.find((level) => level === text) ?? null,
);

const loggedRequests = expecting("all, errors, none or a share such as 1%", parseLoggedRequests);

const parseListNames = expecting("names of lists, separated by commas", (text) => {
  const names = text.split(",");
  return names.every(isListName) ? new Set(names) : null;
});

/** Adds the names of lists in a value of an option that may be given more than once. */
const moreListNames = (text: string, before: ReadonlySet<string> = new Set()) =>
  new Set([...before, ...parseListNames(text)]);

/** The prefix length in bytes that all clients support, and the lengths that only v5 clients can request. */
const [PREFIX_BYTES, ...LONGER_PREFIX_BYTES] = [4, 8, 16, 32] as const;

const prefixLengths = expecting(
  "4, or 4 and longer ones (8, 16 or 32), such as 4,8",
  (text): readonly number[] | null => {
    const lengths = new Set(text.split(",").map((length) => (/^\d+$/.test(length) ? +length : 0)));
    const longer = LONGER_PREFIX_BYTES.filter((length) => lengths.delete(length));
    return lengths.delete(PREFIX_BYTES) && lengths.size === 0 ? [PREFIX_BYTES, ...longer] : null;
  },
);

const removalLimits = expecting(
  "shares or numbers of entries, such as 20% or 20%,malware=5%,feed=300",
  parseRemovalLimits,
);

/**
 * One line of text for people. Control characters are refused, because the text also goes into the settings and
 * messages of other programs.
 */
const line = expecting("one line of up to 1000 characters", (text) =>
  text.trim() !== "" && text.length <= 1000 && !/\p{Cc}/u.test(text) ? text.trim() : null,
);

const contact = expecting(
  "an email address or a URL, such as lists@example.com or https://example.com/contact",
  (text) => (isContact(text) ? text : null),
);

interface Definition {
  readonly flags: string;
  readonly help: string;
  readonly parse?: (text: string, before?: ReadonlySet<string>) => unknown;
  readonly preset?: string;
}

/** The options that the configuration file can set. */
const SETTINGS = {
  "s3-endpoint": {
    flags: "--s3-endpoint <url>",
    help: "the S3 server of s3:// addresses (default: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, or AWS)",
  },
  "s3-region": {
    flags: "--s3-region <region>",
    help: "its region (default: AWS_REGION or AWS_DEFAULT_REGION, or us-east-1)",
  },
  key: { flags: "--key <file>", help: "the signing key (default: DIR.key)" },
  "public-key": {
    flags: "--public-key <file>",
    help: "public keys to trust, one per line (default: DIR.pub)",
  },
  lifetime: {
    flags: "--lifetime <duration>",
    help: "how long a published version is valid, from 1m to 365d",
    parse: parseLifetime,
    preset: "30d",
  },
  "keep-names": {
    flags: "--keep-names <lists>",
    help: "keep the host names of these lists, for DNS zones; anyone who can read the store can read them",
    parse: parseListNames,
  },
  "public-names": {
    flags: "--public-names <lists>",
    help: "keep the host names of these lists, and let anyone have their DNS zones",
    parse: parseListNames,
  },
  interop: {
    flags: "--interop <lists>",
    help: "publish these lists with variants of their entries, for clients that read URLs differently",
    parse: parseListNames,
  },
  except: {
    flags: "--except <file>",
    help: "entries that are never published, one per line (default: DIR.except)",
  },
  "share-exceptions": {
    flags: "--share-exceptions <lists>",
    help: "in these lists, let the Adblock exceptions (@@) of a source leave out entries of the other sources, too",
    parse: parseListNames,
  },
  "max-removed": {
    flags: "--max-removed <limits>",
    help: "how much a new version may remove, as a share of lists of more than 100 entries or as a number of entries; for all lists or by name, such as 20%,malware=5%,feed=300",
    parse: removalLimits,
    preset: "10%",
  },
  "min-interval": {
    flags: "--min-interval <duration>",
    help: "the shortest time between two versions of a list, up to 7d",
    parse: parseMinInterval,
    preset: "0s",
  },
  config: {
    flags: "--config <file>",
    help: "a file (YAML) with the lists, and the sources and settings of each; see check-config",
  },
  "fetch-every": {
    flags: "--fetch-every <duration>",
    help: "how often --watch fetches sources that are URLs",
    parse: parseInterval,
    preset: "1h",
  },
  "fetch-size": {
    flags: "--fetch-size <size>",
    help: "how large a fetched source may be, unpacked, such as 500kB, 256MB or 1GB",
    parse: size,
    preset: "256MB",
  },
  "fetch-time": {
    flags: "--fetch-time <duration>",
    help: "how long fetching a source may take",
    parse: parseInterval,
    preset: "5m",
  },
  "allow-redirects-to": {
    flags: "--allow-redirects-to <hosts>",
    help: "other hosts to which sources may redirect, separated by commas",
    parse: hosts,
  },
  "allow-private": {
    flags: "--allow-private <hosts>",
    help: "hosts that may have private addresses, separated by commas; localhost and addresses need no permission",
    parse: hosts,
  },
  metrics: {
    flags: "--metrics <file>",
    help: "after each run of publish, write here for Prometheus the version of each list, whether an older one is kept, and why",
  },
  keep: {
    flags: "--keep <versions>",
    help: "keep everything that this many of the newest versions of each list need",
    parse: parseCount,
    preset: "3",
  },
  window: {
    flags: "--window <versions>",
    help: "send differences from this many of the newest versions, and whole lists to older clients",
    parse: parseCount,
    preset: "200",
  },
  grace: {
    flags: "--grace <duration>",
    help: "how long to keep unused objects; must be longer than the slowest publisher takes",
    parse: durationValue,
    preset: "1d",
  },
  host: { flags: "--host <address>", help: "the address to listen on", preset: "127.0.0.1" },
  port: {
    flags: "--port <number>",
    help: "the port to listen on; 0 picks a free port",
    parse: port,
    preset: "8080",
  },
  "grpc-port": {
    flags: "--grpc-port <number>",
    help: "also serve Web Risk over gRPC, on this port, with TLS if --tls-cert is given; 0 picks a free port",
    parse: port,
  },
  listen: {
    flags: "--listen <address>",
    help: "where to listen, instead of --host and --port: HOST:PORT, or unix:PATH for a Unix socket",
    parse: address,
  },
  admin: {
    flags: "--admin <address>",
    help: "serve /metrics, /readyz and /healthz only here, without TLS: HOST:PORT or unix:PATH",
    parse: address,
  },
  "log-level": {
    flags: "--log-level <level>",
    help: "the least important lines that are logged: debug, info, warn, error or silent",
    parse: logLevel,
    preset: "info",
  },
  "log-requests": {
    flags: "--log-requests <which>",
    help: "which requests are logged at the level info: all, errors (status 500 and above), none, or a share such as 1%, with all errors",
    parse: loggedRequests,
    preset: "all",
  },
  wait: {
    flags: "--wait <duration>",
    help: "how long clients should wait between updates",
    parse: durationValue,
    preset: "30m",
  },
  cache: {
    flags: "--cache <duration>",
    help: "how long clients and caches may keep an answer",
    parse: durationValue,
    preset: "5m",
  },
  poll: {
    flags: "--poll <duration>",
    help: "how often to look for new versions; with many lists, at most once in 50ms for each of them",
    parse: durationValue,
    preset: "2s",
  },
  "prefix-bytes": {
    flags: "--prefix-bytes <lengths>",
    help: "the lengths of hash prefixes that clients of v5 can have: with 4,8, each list is served as NAME-4b and NAME-8b; 16 and 32 are possible, too",
    parse: prefixLengths,
    preset: "4",
  },
  "hash-memory": {
    flags: "--hash-memory <size>",
    help: "how much memory full hashes may take, 32 bytes for each entry; all others are in files",
    parse: size,
    preset: "40MB",
  },
  "hash-folder": {
    flags: "--hash-folder <folder>",
    help: "a folder on a disk of this machine for these files (default: that for temporary files)",
  },
  lists: {
    flags: "--lists <lists>",
    help: "serve only these lists; needed for a store at https://, which cannot be asked for its lists",
    parse: parseListNames,
  },
  optional: {
    flags: "--optional <lists>",
    help: "the server is ready (/readyz) even if these lists have a problem; may be given more than once",
    parse: moreListNames,
  },
  keys: { flags: "--keys <file>", help: "hashes of API keys, and the lists that they open" },
  ohttp: {
    flags: "--ohttp <file>",
    help: "also answer requests over Oblivious HTTP, with the keys in this file; urlhash-server ohttp-key makes it",
  },
  upstreams: {
    flags: "--upstreams <file>",
    help: "other servers whose lists are kept and served, too (JSON; see docs/other-servers.md)",
  },
  "upstreams-folder": {
    flags: "--upstreams-folder <folder>",
    help: "where serve keeps the lists of other servers (default: DIR.upstreams)",
  },
  seen: {
    flags: "--seen <file>",
    help: "where serve remembers the highest versions that it has seen (default: DIR.seen); other commands always use DIR.seen",
  },
  "operator-name": {
    flags: "--operator-name <name>",
    help: "who runs the server, for the people who are blocked; Firefox shows it on the red page",
    parse: line,
  },
  "operator-contact": {
    flags: "--operator-contact <contact>",
    help: "where they can object: an email address or a URL",
    parse: contact,
  },
  "operator-text": {
    flags: "--operator-text <text>",
    help: "what else they should know, in a sentence or two",
    parse: line,
  },
  "tls-cert": { flags: "--tls-cert <file>", help: "certificate chain (PEM), to serve HTTPS" },
  "tls-key": { flags: "--tls-key <file>", help: "private key of the certificate (PEM)" },
} as const satisfies Readonly<Record<string, Definition>>;

export const TRUST_CLOCK = {
  flags: "--trust-clock",
  help: "publish even if the newest version was signed later than this machine's clock says",
} as const;

/** Help for the commands after which a list stops following its sources. */
export const HOLD_HELP = `
From then on, publish leaves the list as it is, whatever its sources contain.
When they are good, publish it once with --resume.`;

export type SettingName = keyof typeof SETTINGS;

/** Returns a new configuration file: all {@link SETTINGS}, commented out, with their defaults. */
export function configTemplate(store: string): string {
  const lines = [
    `# Settings of urlhash-server for the store ${store}.`,
    "# Each line sets the option of that name for all commands; options on the command line take precedence.",
    "# Relative paths start from the folder in which the command runs, so write absolute paths.",
    "",
  ];
  for (const [name, { help, ...rest }] of Object.entries(SETTINGS)) {
    lines.push(`# ${help}`, `#${name} = ${"preset" in rest ? rest.preset : ""}`, "");
  }
  return lines.join("\n");
}

export function optionOf(name: SettingName): Option {
  const { flags, help, ...rest }: Definition = SETTINGS[name];
  const option = new Option(flags, help);
  if (rest.parse) option.argParser(rest.parse as (text: string, before: unknown) => unknown);
  if (rest.preset) option.default(rest.parse ? rest.parse(rest.preset) : rest.preset, rest.preset);
  return option;
}

export const STORE_HELP =
  "the store: a directory, DIR, or s3://BUCKET/PREFIX, or for reading https://HOST/PATH/";

export const FILES = {
  flags: "--files <path>",
  help: "where DIR.conf and the other files beside the store are, if not beside DIR; for URLs, DIR is the last name, in this folder",
} as const;

/**
 * Adds the options that locate S3 buckets. Access keys come only from environment variables, because other users can
 * see the arguments of a process.
 */
export function addS3Options(command: Command): Command {
  return command.addOption(optionOf("s3-endpoint")).addOption(optionOf("s3-region"));
}

/** Adds `--store` and some settings to a command. */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  command.requiredOption("--store <place>", STORE_HELP).option(FILES.flags, FILES.help);
  addS3Options(command);
  return addOptions(command, names);
}

/** Adds some settings to a command that reads no store. Its `--store` only says where the configuration file is. */
export function addSettingsWithoutStore(command: Command, names: readonly SettingName[]): Command {
  command
    .option("--store <place>", "use the settings of this store, DIR.conf")
    .option(FILES.flags, FILES.help);
  return addOptions(command, names);
}

function addOptions(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) command.addOption(optionOf(name));
  return command.hook("preAction", (_, action) => readConfig(action));
}

async function readSettings(configFile: string): Promise<string> {
  const unreadable = (cause: unknown) =>
    new Failure(`The settings file ${configFile} cannot be read: ${reasonOf(cause)}`, { cause });
  try {
    const bytes = await readRegularFile(configFile, `The settings file ${configFile}`);
    if (bytes === null) throw unreadable("it is a directory");
    return Buffer.from(bytes).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error instanceof StoreError || error instanceof Failure ? error : unreadable(error);
  }
}

/** Reads the settings that are not on the command line from the store's configuration file. */
async function readConfig(command: Command): Promise<void> {
  for (const [key, value] of Object.entries(await settingsInConfig(command))) {
    command.setOptionValueWithSource(key, value, "config");
  }
}

/** Returns the options of a command, with the current settings of the configuration file. */
export async function reloadOptions<Options extends object>(command: Command): Promise<Options> {
  const settings = await settingsInConfig(command);
  const presets = command.options.map((option) => {
    const key = option.attributeName();
    const isFromFile = command.getOptionValueSource(key) === "config";
    return [key, isFromFile ? option.defaultValue : command.getOptionValue(key)] as const;
  });
  return { ...Object.fromEntries(presets), ...settings } as Options;
}

/** Reads the settings in the configuration file that are not on the command line. The keys are those of the options. */
async function settingsInConfig(command: Command): Promise<Readonly<Record<string, unknown>>> {
  const { store, files } = command.opts<Partial<StoreOptions>>();
  const settings: Record<string, unknown> = {};
  if (store === undefined) return settings;
  const { configFile } = filesBesideStore({ store, ...(files !== undefined && { files }) });
  const text = await readSettings(configFile);
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value] = /^\s*([a-z0-9-]+)\s*=\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) {
      throw new Failure(`${configFile}:${i + 1}: expected a line such as "port = 8080"`);
    }
    if (!Object.hasOwn(SETTINGS, name)) {
      const similar = didYouMean(name, Object.keys(SETTINGS));
      throw new Failure(`${configFile}:${i + 1}: unknown setting '${name}'${similar}`);
    }
    const option = command.options.find((each) => each.long === `--${name}`);
    if (option === undefined) continue;
    const key = option.attributeName();
    if (command.getOptionValueSource(key) === "cli") continue;
    try {
      settings[key] = option.parseArg ? option.parseArg(value!, undefined) : value;
    } catch (error) {
      throw new Failure(`${configFile}:${i + 1}: ${(error as Error).message}`, { cause: error });
    }
  }
  return settings;
}

import { durationValue } from "@x/command-line";
import {
  parseAddress,
  parseByteSize,
  parseContact,
  parseCount,
  parseHosts,
  parseInterval,
  parseLifetime,
  parseLine,
  parseListNames,
  parseLogLevel,
  parseLogRequests,
  parseMaxRemoved,
  parseMinInterval,
  parseMoreListNames,
  parseOrigins,
  parsePort,
  parsePrefixLengths,
} from "./option-values.ts";

export interface Definition {
  readonly flags: string;
  readonly help: string;
  readonly parse?: (text: string, before?: ReadonlySet<string>) => unknown;
  readonly preset?: string;
}

/** The options that the configuration file can set. */
export const SETTINGS = {
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
  interop: {
    flags: "--interop <lists>",
    help: "publish these lists with variants of their entries, for clients that read URLs differently",
    parse: parseListNames,
  },
  except: {
    flags: "--except <file>",
    help: "entries that are never published, one per line (default: DIR.except)",
  },
  "never-block": {
    flags: "--never-block <file>",
    help: "hosts that no list blocks, one per line: entries for them and for the hosts above them are left out",
  },
  "share-exceptions": {
    flags: "--share-exceptions <lists>",
    help: "in these lists, let the Adblock exceptions (@@) of a source leave out entries of the other sources, too",
    parse: parseListNames,
  },
  "max-removed": {
    flags: "--max-removed <limits>",
    help: "how much a new version may remove, as a share of lists of more than 100 entries or as a number of entries; for all lists or by name, such as 20%,malware=5%,feed=300",
    parse: parseMaxRemoved,
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
    parse: parseByteSize,
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
    parse: parseHosts,
  },
  "allow-private": {
    flags: "--allow-private <hosts>",
    help: "hosts that may have private addresses, separated by commas; localhost and addresses need no permission",
    parse: parseHosts,
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
    parse: parsePort,
    preset: "8080",
  },
  listen: {
    flags: "--listen <address>",
    help: "where to listen, instead of --host and --port: HOST:PORT, or unix:PATH for a Unix socket",
    parse: parseAddress,
  },
  admin: {
    flags: "--admin <address>",
    help: "serve /metrics, /readyz and /healthz only here, without TLS: HOST:PORT or unix:PATH",
    parse: parseAddress,
  },
  "log-level": {
    flags: "--log-level <level>",
    help: "the least important lines that are logged, or printed by publish: debug, info, warn, error or silent",
    parse: parseLogLevel,
    preset: "info",
  },
  "log-requests": {
    flags: "--log-requests <which>",
    help: "which requests are logged at the level info: all, errors (status 500 and above), none, or a share such as 1%, with all errors",
    parse: parseLogRequests,
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
    parse: parsePrefixLengths,
    preset: "4",
  },
  "hash-memory": {
    flags: "--hash-memory <size>",
    help: "how much memory full hashes may take, 32 bytes for each entry; all others are in files",
    parse: parseByteSize,
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
    parse: parseMoreListNames,
  },
  keys: { flags: "--keys <file>", help: "hashes of API keys, and the lists that they open" },
  "cors-origins": {
    flags: "--cors-origins <origins>",
    help: "web pages of these origins may read answers about private lists, too, such as https://app.example; * means all",
    parse: parseOrigins,
  },
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
    parse: parseLine,
  },
  "operator-contact": {
    flags: "--operator-contact <contact>",
    help: "where they can object: an email address or a URL",
    parse: parseContact,
  },
  "operator-text": {
    flags: "--operator-text <text>",
    help: "what else they should know, in a sentence or two",
    parse: parseLine,
  },
  "tls-cert": { flags: "--tls-cert <file>", help: "certificate chain (PEM), to serve HTTPS" },
  "tls-key": { flags: "--tls-key <file>", help: "private key of the certificate (PEM)" },
} as const satisfies Readonly<Record<string, Definition>>;

export type SettingName = keyof typeof SETTINGS;

import { resolve } from "node:path";
import type { ProtocolName } from "@x/client";
import { isWhere, SOURCE_FORMATS } from "@x/list-source";
import * as v from "valibot";
import { REASONS } from "../../dns/answers.ts";
import { isUrl } from "../../publish/fetch/source-url.ts";
import { LOG_LEVELS } from "../../serve/log.ts";
import {
  address,
  anyDuration,
  blockedAnswer,
  contact,
  count,
  duration,
  flag,
  hosts,
  line,
  listName,
  listNames,
  loggedRequests,
  networks,
  oneOf,
  origins,
  prefixLengths,
  removalLimit,
  resolvers,
  several,
  size,
  text,
} from "./values.ts";

const PROTOCOLS = ["v5", "v4", "web-risk", "store"] as const satisfies readonly ProtocolName[];

/**
 * A setting that may be left out. The description, which editors show, comes before what changes the value, because the
 * JSON Schema describes only what is written.
 */
function setting<Input, Output>(
  description: string,
  schema: v.GenericSchema<Input, Output>,
): v.OptionalSchema<v.GenericSchema<Input, Output>, undefined>;
function setting<Input, Output>(
  description: string,
  schema: v.GenericSchema<Input, Output>,
  otherwise: NoInfer<Input>,
): v.OptionalSchema<v.GenericSchema<Input, Output>, Input>;
function setting(description: string, schema: v.GenericSchema, otherwise?: unknown): unknown {
  return v.optional(needed(description, schema), otherwise);
}

/** A setting that must be there. */
function needed<Input, Output>(
  description: string,
  schema: v.GenericSchema<Input, Output>,
): v.GenericSchema<Input, Output> {
  const [first, ...rest] = "pipe" in schema ? (schema.pipe as [v.GenericSchema]) : [schema];
  return v.pipe(first, v.description(description), ...rest) as never;
}

/** Several settings under one name. */
const group = <Entries extends v.ObjectEntries>(description: string, entries: Entries) =>
  v.optional(
    v.pipe(v.strictObject(entries, "settings by name"), v.description(description)),
    {} as never,
  );

const named = <Entries extends v.ObjectEntries>(description: string, entries: Entries) =>
  v.optional(
    v.pipe(
      v.record(listName, v.strictObject(entries, "settings by name"), "a mapping by name"),
      v.description(description),
    ),
    {},
  );

const WHERE = '"all", or a condition such as "verdict=malicious"';

const EXPIRE_AFTER = v.optional(
  needed(
    "how long entries stay after a source first had them, from 1m; without it, as long as the source has them",
    duration("1m", "9999d"),
  ),
);

const SOURCE = {
  format: setting("the format; recognized by default", oneOf(SOURCE_FORMATS)),
  column: setting("the CSV column, or JSON field or path, that holds the entries", text),
  where: setting(
    'the rows that are entries: "all", or a condition such as "verdict=malicious,phishing", or several of them',
    v.pipe(
      several(v.pipe(v.string(WHERE), v.regex(/^(all|[^=]+=.*)$/s, WHERE)), WHERE),
      v.check((given) => isWhere(given), WHERE),
    ),
  ),
  "expire-after": EXPIRE_AFTER,
  "date-column": setting(
    "the CSV column, or JSON field, with the dates from which expire-after counts, such as 2026-11-29; entries without one count from first sight",
    text,
  ),
};

/** The settings that hold for all lists and that a list can have for itself. */
export const OF_LISTS = {
  // A shorter-lived version would expire before clients have it, and a longer-lived one would let a mirror freeze the
  // list.
  lifetime: setting(
    "how long a published version is valid, from 1m to 365d",
    duration("1m", "365d"),
    "30d",
  ),
  "min-interval": setting(
    "the shortest time between two versions, up to 7d",
    duration("0s", "7d"),
    "0s",
  ),
  "max-removed": setting(
    "how much a new version may remove: a share of a list of more than 100 entries, or a number of entries",
    removalLimit,
    "10%",
  ),
  "expire-after": EXPIRE_AFTER,
  "allow-empty": setting("publish a list even if one of its sources is empty", flag, false),
  "allow-broad": setting("publish entries for suffixes such as com and co.uk", flag, false),
  "skip-bad": setting("leave out lines that are refused, and publish the others", flag, false),
};

type OfLists = typeof OF_LISTS;

/** The same settings without defaults. */
const OF_ONE_LIST = Object.fromEntries(
  Object.entries(OF_LISTS).map(([name, { wrapped }]) => [name, v.optional(wrapped)]),
) as { [Name in keyof OfLists]: v.OptionalSchema<OfLists[Name]["wrapped"], undefined> };

/**
 * The settings of all commands. Every rule of the settings file that concerns a single value is here.
 *
 * @param folder the folder from which relative paths start.
 */
export function settingsSchema(folder: string) {
  const path = v.pipe(
    text,
    v.transform((given) => resolve(folder, given)),
    v.metadata({ isPath: true }),
  );
  const paths = several(path, "files, such as [a.txt, b.txt]");
  const source = v.pipe(
    text,
    v.transform((given) => (isUrl(given) ? given : resolve(folder, given))),
    v.metadata({ isPath: true }),
  );
  return v.strictObject(
    {
      store: setting(
        "the store: a directory, s3://BUCKET/PREFIX, or for reading https://HOST/PATH/",
        source,
      ),
      files: setting(
        "where the files beside the store are, without their extensions (default: the store's directory)",
        path,
      ),
      "signing-key": setting("the signing key (default: FILES.key)", path),
      "public-keys": setting(
        "a file of public keys to trust, one per line (default: FILES.pub)",
        path,
      ),
      seen: setting(
        "where the highest versions that were seen are remembered (default: FILES.seen)",
        path,
      ),

      lists: named("the lists to publish, by name", {
        sources: setting(
          "the files and URLs that the list is read from",
          v.pipe(
            v.array(
              v.union(
                [
                  v.pipe(
                    source,
                    v.transform((given) => ({ source: given })),
                  ),
                  v.strictObject({
                    source: needed(
                      "a file, or a URL such as https://feed.example/urls.txt",
                      source,
                    ),
                    ...SOURCE,
                  }),
                ],
                "a file, a URL, or a mapping with a source",
              ),
              "a list of sources",
            ),
            v.nonEmpty("at least one source"),
          ),
        ),
        exceptions: setting("files with exceptions for this list only", paths),
        "never-block": setting("files of hosts that this list never blocks as a whole", paths),
        reason: setting(
          "why entries are on this list, for the people who are blocked: phishing, malware, spam, adult, legal, or words of your own",
          line,
        ),
        contact: setting("where people can object: an email address or a URL", contact),
        ...OF_ONE_LIST,
      }),
      ...OF_LISTS,
      exceptions: setting(
        "files of entries that are never published (default: FILES.except); the command except changes the first",
        paths,
      ),
      "never-block": setting(
        "files of hosts that no list blocks: entries for them and for the hosts above them are left out",
        paths,
      ),
      metrics: setting(
        "after each run, publish writes the state of each list here, for Prometheus",
        path,
      ),

      fetch: group("how sources that are URLs are fetched", {
        every: setting("how often publish --watch fetches", duration("1s", "7d"), "1h"),
        size: setting("how large a source may be, unpacked", size, "256MB"),
        time: setting("how long a fetch may take", duration("1s", "7d"), "5m"),
        "redirects-to": setting("other hosts to which sources may redirect", hosts),
        "private-hosts": setting(
          "hosts that may have private addresses; localhost and IP addresses need no permission",
          hosts,
        ),
      }),
      keep: group("what garbage collection leaves in the store", {
        versions: setting(
          "everything that this many of the newest versions of each list need",
          count(1, 999_999_999),
          3,
        ),
        differences: setting(
          "the differences from this many of the newest versions; older clients get whole lists",
          count(0, 999_999_999),
          200,
        ),
        unused: setting(
          "how long unused objects stay; must be longer than the slowest publisher takes",
          anyDuration,
          "1d",
        ),
      }),

      listen: setting(
        "where serve listens: HOST:PORT, or unix:PATH for a Unix socket",
        address,
        "127.0.0.1:8080",
      ),
      processes: setting(
        "how many processes serve: a number, or auto for one on each core",
        v.union([v.literal("auto"), count(1, 256)], "auto, or a whole number from 1 to 256"),
        1,
      ),
      admin: setting(
        "serve /metrics, /readyz and /healthz only here, without TLS: HOST:PORT or unix:PATH",
        address,
      ),
      tls: setting(
        "the files for HTTPS, which are read again when they change",
        v.strictObject(
          {
            certificate: needed("the certificate chain (PEM)", path),
            key: needed("the private key of the certificate (PEM)", path),
          },
          "a certificate and its key",
        ),
      ),
      "behind-proxy": setting(
        "take clients' addresses from the X-Forwarded-For header of your own proxy",
        flag,
        false,
      ),
      "served-lists": setting(
        "serve only these lists; needed for a store at https://, which cannot be asked for its lists",
        listNames,
      ),
      "optional-lists": setting(
        "the server is ready (/readyz) even if these lists have a problem",
        listNames,
      ),
      readers: v.optional(
        v.pipe(
          v.record(
            text,
            v.strictObject(
              {
                "key-sha256": needed(
                  "the SHA-256 of the API key, in hex; urlhash-server key makes both",
                  v.pipe(
                    v.string("64 hex digits"),
                    v.regex(/^[0-9a-f]{64}$/, "64 hex digits in lower case"),
                  ),
                ),
                lists: needed(
                  "the lists that the key opens; [] for clients that cannot do without a key",
                  listNames,
                ),
              },
              "a key-sha256 and lists",
            ),
            "readers by name",
          ),
          v.description(
            "who may read private lists, by a name of your choice; a list that is named here is private",
          ),
        ),
        {},
      ),
      "public-lists": setting(
        "lists that were private, and that everyone may read from now on",
        listNames,
      ),
      "cors-origins": setting(
        'web pages of these origins may read answers about private lists, too; "*" means all',
        origins,
      ),
      "ohttp-keys": setting(
        "also answer requests over Oblivious HTTP, with the keys in this file; urlhash-server ohttp-key makes it",
        path,
      ),
      wait: setting("how long clients should wait between updates", anyDuration, "30m"),
      cache: setting("how long clients and caches may keep an answer", anyDuration, "5m"),
      poll: setting(
        "how often to look for new versions; with many lists, at most once in 50ms for each of them",
        duration("0s", "7d"),
        "2s",
      ),
      "prefix-bytes": setting(
        "the lengths of hash prefixes that clients of v5 can have: with [4, 8], each list is served as NAME-4b and NAME-8b",
        prefixLengths,
        [4],
      ),
      "hash-memory": setting(
        "how much memory full hashes may take, 32 bytes for each entry; all others are in files",
        size,
        "40MB",
      ),
      "hash-folder": setting(
        "a folder on a disk of this machine for these files (default: that for temporary files)",
        path,
      ),

      upstreams: named("other servers whose lists are kept and served, too, by name", {
        protocol: setting("the protocol of the server", oneOf(PROTOCOLS), "v5"),
        server: needed("the URL of the server", text),
        lists: setting(
          "the lists, by their names on that server (default in v5: mw-4b, se-4b and uws-4b)",
          several(text, "names of lists, such as [mw-4b, se-4b]"),
        ),
        names: setting(
          "the names that lists have here, by their names on that server (default: the usual ones)",
          v.record(text, v.string("the name of a list"), "a mapping from names to names"),
        ),
        "key-file": setting("a file with the API key for it", path),
        "public-keys": setting("a file of public keys to trust, for the protocol store", path),
        "max-removed": setting("how much an update may remove from a list", removalLimit, "10%"),
        grace: setting("how long lists that cannot be updated stay in use", anyDuration, "1d"),
      }),

      dns: group("the forwarder of DNS queries, dns", {
        listen: setting("where dns listens, over UDP and TCP: HOST:PORT", address, "127.0.0.1:53"),
        resolvers: setting(
          "the resolvers that are asked about names that are not blocked: IP addresses, perhaps with a port",
          resolvers,
        ),
        answer: setting(
          "the answer about a blocked name: nxdomain, zero (the addresses 0.0.0.0 and ::), refused, or addresses of your own",
          blockedAnswer,
          "nxdomain",
        ),
        reason: setting(
          "why names are blocked (RFC 8914): blocked, by the operator; censored, by others, such as the law; or filtered, because the clients want it",
          oneOf(Object.keys(REASONS) as (keyof typeof REASONS)[]),
          "blocked",
        ),
        ttl: setting(
          "how long clients may keep the answer about a blocked name",
          duration("0s", "7d"),
          "60s",
        ),
        allow: setting("files of hosts that are never blocked, in any list format", paths),
        block: setting("files of hosts that are blocked, too, in any list format", paths),
        "without-lists": setting(
          "what happens to a name while a list is missing or too old, or a server does not answer about it: forward, or refuse",
          oneOf(["forward", "refuse"]),
          "forward",
        ),
        "block-on-prefix": setting(
          "block a name if its prefix of four bytes is on a list, without asking the server; some innocent names are then blocked, too",
          flag,
          false,
        ),
        folder: setting("where dns keeps its copies of lists (default: FILES.dns)", path),
        clients: setting(
          "the networks whose clients are answered (default: private networks and this machine)",
          networks,
        ),
        rate: setting(
          "how many queries per second a client on another machine may send",
          count(1, 1_000_000),
          1000,
        ),
        timeout: setting("how long a query may take", duration("100ms", "1m"), "5s"),
        "log-names": setting("log the names that are blocked", flag, false),
      }),
      operator: group("who runs the server, for the people who are blocked", {
        name: setting("the name; Firefox shows it on the red page", line),
        contact: setting("where people can object: an email address or a URL", contact),
        text: setting("what else they should know, in a sentence or two", line),
      }),
      log: group("the log of serve and of publish --watch, on standard output", {
        level: setting(
          "the least important lines that are logged, or printed by publish",
          oneOf(LOG_LEVELS),
          "info",
        ),
        requests: setting(
          "which requests are logged at the level info: all, errors (status 500 and above), none, or a share such as 1%, with all errors",
          loggedRequests,
          "all",
        ),
      }),
    },
    "settings such as listen: 127.0.0.1:8080",
  );
}

/** The settings with their defaults. Durations are in milliseconds, sizes in bytes, and paths are absolute. */
export type Settings = v.InferOutput<ReturnType<typeof settingsSchema>>;

import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { UpdateOptions } from "@x/client";
import { directoryStorage } from "@x/client/node";
import { Failure } from "@x/command-line";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import {
  type ListSourceError,
  readListSource,
  type SourceEntry,
  sourceProblem,
} from "@x/list-source";
import { isListName, listNames, type Storage } from "@x/list-store";
import { readHint } from "@x/list-store/serving";
import { diffPrefixLists } from "@x/prefix-list";
import { FULL_HASH_BYTES, toHex } from "@x/sha256-prefix";
import { createHashBatch } from "@x/sha256-prefix/batch";
import { hasName } from "@x/sha256-prefix/has-name";
import { REASONS } from "../../dns/answers.ts";
import { PRIVATE_NETWORKS } from "../../dns/clients.ts";
import { type DnsSite, reasonWith } from "../../dns/dns-server.ts";
import type { ListsSource } from "../../dns/followed-lists.ts";
import { type RemovalLimit, updateCheck } from "../../publish/removal-limits.ts";
import { namingFile } from "../../storage/files.ts";
import { readSeen, type SeenVersions } from "../../storage/seen-versions.ts";
import type { Io } from "../context.ts";
import type { Settings } from "../settings/schema.ts";
import { readPublicKeys } from "../signing.ts";
import { pathOfFiles } from "../store-address.ts";
import { checkStore, lastingStorage, storageAt, storeFiles } from "../store-files.ts";
import { readUpstreams } from "./upstreams.ts";

/** The prefix length of lists from a store, in bytes: names on such a list need no question. */
const PREFIX_BYTES = 8;
/** Stores on other machines are not asked for news more often than this, in milliseconds. */
const LEAST_REMOTE_POLL = 60_000;
/** A client does not wait longer than this for an answer about a prefix, in milliseconds. */
const SEARCH_TIMEOUT = 3000;

/** Reads the files that the settings name, and returns what `dns` does with them. */
export async function readDnsSite(
  settings: Settings,
  io: Pick<Io, "env">,
  report: (line: string) => void,
): Promise<DnsSite> {
  const { dns, operator } = settings;
  if (dns.resolvers === undefined) {
    throw new Failure(
      "dns.resolvers: expected the resolvers to ask, such as --resolver 192.0.2.53",
    );
  }
  const { sources, sourcesKey } = await readSources(settings, io);
  const block = await readHostFiles("block", dns, report);
  if (sources.length === 0 && block.length === 0) {
    throw new Failure(
      "There is nothing to block: name a --store, upstreams, or files of dns.block",
    );
  }
  return {
    resolvers: dns.resolvers,
    timeout: dns.timeout,
    clients: { networks: dns.clients ?? PRIVATE_NETWORKS, rate: dns.rate },
    allow: await readHostFiles("allow", dns, report),
    block,
    sources,
    sourcesKey,
    blocksOnPrefix: dns["block-on-prefix"],
    blocked: dns.answer,
    ttl: Math.round(dns.ttl / 1000),
    reasonFor: reasonWith(REASONS[dns.reason], operator.contact ?? null),
    withoutLists: dns["without-lists"],
    logsNames: dns["log-names"],
  };
}

/** The store and the other servers with lists. */
async function readSources(
  settings: Settings,
  io: Pick<Io, "env">,
): Promise<Pick<DnsSite, "sources" | "sourcesKey">> {
  const { store, files, dns, upstreams, poll } = settings;
  const hasUpstreams = Object.keys(upstreams).length > 0;
  if (store === undefined && !hasUpstreams) return { sources: [], sourcesKey: "" };
  if (store === undefined && dns.folder === undefined) {
    throw new Failure(
      "dns.folder: expected a folder for the copies of lists, as there is no store",
    );
  }
  const folder = dns.folder ?? `${pathOfFiles(store!, files)}.dns`;
  const sources: ListsSource[] = [];
  const keys: unknown[] = [folder, poll];
  if (store !== undefined) {
    const source = await storeSource(settings, folder, io);
    sources.push(source.source);
    keys.push(source.key);
  }
  for (const upstream of await readUpstreams(upstreams, folder)) {
    const { name, client, lists, limit } = upstream;
    const { registrableDomain } =
      client.protocol === "v5" ? await import("../../publish/exceptions.ts") : {};
    const names = [...lists.keys()];
    const onNewList = limitedRemovals(name, limit, names);
    sources.push({
      name,
      client: { ...client, timeout: SEARCH_TIMEOUT, registrableDomain, updates: { onNewList } },
      lists: async () => names,
      poll: 0,
    });
    keys.push(upstream.settings);
  }
  return { sources, sourcesKey: JSON.stringify(keys) };
}

/** Returns a function that refuses versions of another server's lists that remove too much. */
function limitedRemovals(
  upstream: string,
  limit: RemovalLimit,
  lists: readonly string[],
): NonNullable<UpdateOptions["onNewList"]> {
  const checks = new Map(lists.map((list) => [list, updateCheck(upstream, limit, Date.now)]));
  return ({ name, list, before }) => {
    const removed = before === null ? 0 : diffPrefixLists(before, list).removals.length;
    checks.get(name)!({ before: before?.size ?? null, removed, after: list.size });
  };
}

async function storeSource(
  settings: Settings,
  folder: string,
  io: Pick<Io, "env">,
): Promise<{ readonly source: ListsSource; readonly key: unknown }> {
  const files = storeFiles(settings, { io });
  await checkStore(files);
  const { address, publicKeyFile } = files;
  const only = settings["served-lists"];
  const storageUntil = (signal: AbortSignal | undefined) => {
    const environment = { io, ...(signal && { signal }) };
    return lastingStorage({ ...files, storage: storageAt(address, environment) });
  };
  const publicKeys = await readPublicKeys(publicKeyFile);
  const namesIn = rememberingNames((await readSeen(files.seenFile)) ?? new Map());
  const isHere = address.kind === "directory";
  if (address.kind === "http" && only === undefined) {
    throw new Failure("served-lists: expected the lists, because a store at https:// has no index");
  }
  const source: ListsSource = {
    name: address.shown,
    client: {
      protocol: "store",
      server: isHere ? pathToFileURL(address.directory) : address.shown,
      store: { open: ({ signal }) => storageUntil(signal), prefixBytes: PREFIX_BYTES },
      publicKeys,
      storage: directoryStorage(join(folder, ".store")),
    },
    lists: async (signal) => only ?? (await namesIn(storageUntil(signal))),
    async hasNews(lists, signal) {
      const storage = storageUntil(signal);
      const hints = await Promise.all(lists.map((list) => readHint(storage, list)));
      return hints.join();
    },
    poll: Math.max(settings.poll, isHere ? 1000 : LEAST_REMOTE_POLL),
  };
  return { source, key: [address.shown, publicKeys, only] };
}

/**
 * Returns a function that lists the names in a store, and those that were there before: a list whose files are gone is
 * missing, unless it was retired. The folder of a list that has no version yet does not count.
 */
function rememberingNames(seen: SeenVersions): (storage: Storage) => Promise<readonly string[]> {
  const known = new Set([...seen].flatMap(([name, { retired }]) => (retired ? [] : name)));
  return async (storage) => {
    for (const name of await listNames(storage)) {
      if (!known.has(name) && isListName(name) && (await readHint(storage, name)) > 0) {
        known.add(name);
      }
    }
    return [...known];
  };
}

/**
 * Reads the entries for whole hosts in the files of a setting. Reports lines that are refused, and entries that are for
 * no host. The exceptions in filter rules (`@@`) are hosts to allow; among hosts to block, they leave out the same
 * ones.
 */
async function readHostFiles(
  setting: "allow" | "block",
  { [setting]: files = [] }: Settings["dns"],
  report: (line: string) => void,
): Promise<readonly Uint8Array[]> {
  const hashes: Uint8Array[] = [];
  for (const file of files) {
    const { entries, exceptions } = await readHostFile(file, report);
    if (setting === "allow") {
      for (const hash of [...entries, ...exceptions]) hashes.push(hash);
      continue;
    }
    const unused = new Set(exceptions.map(toHex));
    const leftOut = new Set(unused);
    for (const hash of entries) {
      if (leftOut.size > 0 && leftOut.has(toHex(hash))) unused.delete(toHex(hash));
      else hashes.push(hash);
    }
    if (unused.size > 0) {
      const count = counted(unused.size, "exception (@@) has", "exceptions (@@) have");
      report(
        printable(
          `${file}: ${count} no effect; to allow these hosts, put them in a file of dns.allow`,
        ),
      );
    }
  }
  return hashes;
}

async function readHostFile(
  file: string,
  report: (line: string) => void,
): Promise<{ readonly entries: Uint8Array[]; readonly exceptions: Uint8Array[] }> {
  // The Public Suffix List takes much memory, and is needed only here.
  const suffixes = await import("@x/list-source/public-suffixes");
  const entries: Uint8Array[] = [];
  const exceptions: Uint8Array[] = [];
  let pages = 0;
  let firstRefused = "";
  const addTo =
    (hosts: Uint8Array[]) =>
    ({ expression, hash }: SourceEntry) => {
      const isHost = expression === null || expression.indexOf("/") === expression.length - 1;
      if (isHost && hash.length === FULL_HASH_BYTES) hosts.push(hash);
      else pages++;
    };
  try {
    const { refused } = await readListSource(createReadStream(file), {
      ...suffixes,
      hashBatch: createHashBatch({ bytes: 2 ** 13, slices: 2 ** 7 }),
      onEntry: addTo(entries),
      onException: addTo(exceptions),
      onRefusal({ line, text, expected }) {
        firstRefused ||= `line ${line}: ${JSON.stringify(text)} is not ${expected}`;
      },
      onWarning() {},
    });
    const problem = sourceProblem(
      { entries: entries.length + exceptions.length + pages, refused },
      { allowEmpty: true },
    );
    if (problem !== null) throw new Failure(`${file}: ${problem.message} ${firstRefused}`);
    if (refused > 0) {
      const lines = counted(refused, "line was", "lines were");
      report(printable(`${file}: ${lines} refused; ${firstRefused}`));
    }
  } catch (error) {
    if (hasName<ListSourceError>(error, "ListSourceError")) {
      throw new Failure(printable(`${file}: ${error.message}`), { cause: error });
    }
    return namingFile(file)(error);
  }
  if (pages > 0) {
    const count = counted(pages, "entry is", "entries are");
    report(printable(`${file}: ${count} for pages, not for a whole host`));
  }
  return { entries, exceptions };
}

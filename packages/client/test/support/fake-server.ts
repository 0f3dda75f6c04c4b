import { expressions } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import { diffPrefixLists, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { fullUpdate, partialUpdate, readRequest, writeResponse } from "@x/wire";
import { type FullHashDetail, toHashList, V5_METHODS } from "@x/wire/v5";

/** A list of the server: its versions, from the oldest to the newest one, as expressions. */
export interface FakeList {
  readonly versions: string[][];
  readonly details?: readonly FullHashDetail[];
}

export interface FakeServer {
  readonly lists: Record<string, FakeList>;
  readonly requests: URL[];
  readonly fetch: typeof fetch;
  /** Answers instead of the server, unless it returns `null`. */
  instead: ((url: URL, init: RequestInit) => Response | Promise<Response> | null) | null;
  /** Changes an answer. */
  change: ((name: string, message: never) => unknown) | null;
  wait: number | null;
  cache: number;
}

const MALWARE: readonly FullHashDetail[] = [{ threatType: "MALWARE", attributes: [] }];

/** The list of some expressions, with the prefix length in the name of the list. */
export function listOf(name: string, expressions: readonly string[]): PrefixList {
  const prefixBytes = Number(/-(\d+)b$/.exec(name)?.[1] ?? 4) as 4;
  return prefixList(
    expressions.map((text) => fullHash(text)),
    { name, created: 0, prefixBytes },
  );
}

const tokenOf = (name: string, version: number) => new TextEncoder().encode(`${name}:${version}`);

/** A v5 server as a `fetch`, for edge cases of the procedures. */
export function fakeServer(lists: Record<string, FakeList>): FakeServer {
  const server: FakeServer = {
    lists,
    requests: [],
    instead: null,
    change: null,
    wait: 1_800_000,
    cache: 300_000,
    fetch: async (input, init = {}) => {
      const url = new URL(String(input));
      server.requests.push(url);
      init.signal?.throwIfAborted();
      const instead = await server.instead?.(url, init);
      if (instead) return instead;
      const { body, contentType } = answer(url);
      return new Response(body, { headers: { "content-type": contentType } });
    },
  };

  function answer(url: URL) {
    const request = readRequest({ method: "GET", target: url.pathname + url.search }, V5_METHODS);
    if (request.name === "v5.hashLists.batchGet") {
      const tokens = request.message.version.map((token) => new TextDecoder().decode(token));
      const hashLists = request.message.names.map((name) => {
        const { versions } = server.lists[name] ?? { versions: [[]] };
        const newest = versions.length;
        const had = tokens.find((token) => token.startsWith(`${name}:`));
        const before = had === undefined ? 0 : Number(had.split(":")[1]);
        const list = listOf(name, versions[newest - 1]!);
        const isKnown = name in server.lists && before > 0 && before <= newest;
        const update = isKnown
          ? partialUpdate(diffPrefixLists(listOf(name, versions[before - 1]!), list))
          : fullUpdate(list);
        const facts = {
          name,
          version: tokenOf(name, newest),
          minimumWaitDuration: server.wait ?? 0,
        };
        const message = { ...toHashList(update, facts), minimumWaitDuration: server.wait };
        return (server.change?.(name, message as never) ?? message) as typeof message;
      });
      return writeResponse(request.method, { hashLists }, request.answer);
    }
    if (request.name === "v5.urls.search") {
      const threats = request.message.urls.flatMap((href) => {
        const known = expressions(href);
        return Object.values(server.lists).flatMap(({ versions, details = MALWARE }) =>
          (details.length === 0 ? [] : versions.at(-1)!)
            .filter((text) => (known as string[]).includes(text))
            .map((url) => ({ url, threatTypes: details.map(({ threatType }) => threatType!) })),
        );
      });
      const message = { threats, cacheDuration: server.cache };
      return writeResponse(request.method, message, request.answer);
    }
    if (request.name === "v5.hashLists.list") {
      const start = Number(request.message.pageToken || 0);
      const names = Object.keys(server.lists);
      const hashLists = names.slice(start, start + 2).map((name) => ({ name }));
      const nextPageToken = start + 2 < names.length ? String(start + 2) : "";
      return writeResponse(request.method, { hashLists, nextPageToken }, request.answer);
    }
    if (request.name !== "v5.hashes.search") throw new Error(request.name);
    const prefixes = request.message.hashPrefixes.map((prefix) => prefix.join());
    const fullHashes = Object.values(server.lists).flatMap(({ versions, details = MALWARE }) =>
      (details.length === 0 ? [[]] : versions)
        .at(-1)!
        .map((text) => fullHash(text))
        .filter((hash) => prefixes.includes(hash.subarray(0, 4).join()))
        .map((hash) => ({ fullHash: hash, fullHashDetails: details })),
    );
    const message = { fullHashes, cacheDuration: server.cache };
    return writeResponse(request.method, message, request.answer);
  }
  return server;
}

/** The hash prefixes of a search, in hexadecimal. */
export function prefixesOf(url: URL): string[] {
  return url.searchParams
    .getAll("hashPrefixes")
    .map((text) => Buffer.from(text, "base64").toString("hex"));
}

export const prefixOfText = (text: string): string =>
  Buffer.from(fullHash(text)).toString("hex", 0, 4);

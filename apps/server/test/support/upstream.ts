import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fullHash, toHex } from "@x/sha256-prefix";
import { type PlainList, plainServer } from "@x/test-support/plain-server";
import { vi } from "vitest";
import { parseRemovalLimit } from "../../src/publish/removal-limits.ts";
import type { UpstreamOptions } from "../../src/serve/upstream/upstream-lists.ts";

/** An answer of the plain server. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Returns the answer to send instead of an honest one, or `null` if the function has sent an answer itself. */
export type Lie = (
  path: string,
  answer: PlainAnswer,
  response: ServerResponse,
) => PlainAnswer | null;

export interface OtherServer {
  readonly origin: string;
  readonly lists: Record<string, PlainList>;
  readonly waits: { update: number | null; found: number; notFound: number };
  /** The paths that were requested. `sent` counts the bytes of the answers. */
  readonly asked: string[];
  readonly sent: { bytes: number };
  /** Publishes the next version of a list. */
  set(list: string, urls: readonly string[]): void;
  lie: Lie | null;
  /** Refuses connections until the server is started again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const HASHES = (urls: readonly string[]): string[] =>
  urls.map((url) => toHex(fullHash(url)));
const prefixesOf = (urls: readonly string[]) => HASHES(urls).map((hash) => hash.slice(0, 8));

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Starts a plain Safe Browsing server on a free port of 127.0.0.1. The server can be made to lie. */
export async function otherServer(
  lists: Readonly<Record<string, readonly string[]>>,
): Promise<OtherServer> {
  const THREATS = { "mw-4b": "MALWARE", "se-4b": "SOCIAL_ENGINEERING" } as const;
  const served: Record<string, PlainList> = {};
  const waits = { update: 60_000 as number | null, found: 300_000, notFound: 300_000 };
  const plain = plainServer({ lists: served, waits });
  const asked: string[] = [];
  const sent = { bytes: 0 };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = request;
    asked.push(url);
    const headers = new Headers(request.headers as Record<string, string>);
    const honest = plain.answer({ method, url, headers, body: await bodyOf(request) });
    const path = new URL(url, "http://localhost").pathname;
    const given = other.lie === null ? honest : other.lie(path, honest, response);
    if (given === null) return;
    sent.bytes += given.body.length;
    response.writeHead(given.status, given.headers).end(given.body);
  }
  const server = createServer((request, response) => {
    response.on("error", () => {});
    answer(request, response).catch(() => response.destroy());
  });
  let port = 0;
  const other: OtherServer = {
    get origin() {
      return `http://127.0.0.1:${port}`;
    },
    ...{ lists: served, waits, asked, sent, lie: null },
    set(list, urls) {
      const threatType = THREATS[list as keyof typeof THREATS] ?? "MALWARE";
      served[list] ??= { threatType, versions: [], fullHashes: [] };
      served[list].versions.push(prefixesOf(urls));
      served[list].fullHashes = HASHES(urls);
    },
    async start() {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      ({ port } = server.address() as AddressInfo);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  for (const [list, urls] of Object.entries(lists)) other.set(list, urls);
  await other.start();
  return other;
}

/** Returns the options for serving the lists of the other server over v5, under other names. */
export function upstreamOf(
  { origin }: Pick<OtherServer, "origin">,
  {
    protocol = "v5" as UpstreamOptions["client"]["protocol"],
    lists = { "mw-4b": "malware" } as Readonly<Record<string, string>>,
    maxRemoved = "10%",
    ...client
  }: Partial<UpstreamOptions["client"]> & {
    readonly lists?: Readonly<Record<string, string>>;
    readonly maxRemoved?: string;
  } = {},
): UpstreamOptions {
  return {
    name: "other",
    client: { protocol, server: origin, ...client },
    lists: new Map(Object.entries(lists)),
    limit: parseRemovalLimit(maxRemoved)!,
    settings: `other ${maxRemoved}`,
  };
}

/** Waits until `check` no longer throws, and returns its result. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 120_000, interval: 20 });
}

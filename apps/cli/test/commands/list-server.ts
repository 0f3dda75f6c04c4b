import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fullHash, toHex } from "@x/sha256-prefix";
import { type PlainList, plainServer } from "@x/test-support/plain-server";

const MINUTE = 60_000;

/** A local server of Safe Browsing v5 and v4 and of Web Risk, which shares no code with the client. */
export interface ListServer {
  readonly url: string;
  /** The received requests, as paths with their queries. */
  readonly asked: string[];
  /** The status of answers to updates and to searches; 200 until a test sets it. */
  readonly status: { update: number; search: number };
  /** Publishes the next version of the malware list. */
  setMalware(expressions: readonly string[]): void;
  /** The number of requests for updates so far. */
  updates(): number;
  close(): void;
}

const hexOf = (expressions: readonly string[]) => expressions.map((text) => toHex(fullHash(text)));
const prefixesOf = (expressions: readonly string[]) =>
  hexOf(expressions).map((hash) => hash.slice(0, 8));

const SEARCH = /hashes[:/]search|fullHashes:find/;

/**
 * Starts a server with evil.example on its malware list and phish.example on its social-engineering list.
 *
 * @param port 0 for any free port.
 */
export async function startListServer(port = 0): Promise<ListServer> {
  const malware: PlainList = {
    threatType: "MALWARE",
    versions: [prefixesOf(["evil.example/"])],
    fullHashes: hexOf(["evil.example/"]),
  };
  const phishing: PlainList = {
    threatType: "SOCIAL_ENGINEERING",
    versions: [prefixesOf(["phish.example/"])],
    fullHashes: hexOf(["phish.example/"]),
  };
  const { answer } = plainServer({
    lists: { "mw-4b": malware, "se-4b": phishing },
    waits: { update: 30 * MINUTE, found: 5 * MINUTE, notFound: MINUTE },
  });
  const asked: string[] = [];
  const status = { update: 200, search: 200 };
  const server: Server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const url = request.url!;
    asked.push(url);
    const wanted = SEARCH.test(url) ? status.search : status.update;
    if (wanted !== 200) {
      response.writeHead(wanted).end();
      return;
    }
    const answered = answer({
      method: request.method!,
      url,
      headers: new Headers(request.headers as Record<string, string>),
      body: pieces.length === 0 ? null : Buffer.concat(pieces),
    });
    response.writeHead(answered.status, answered.headers).end(answered.body);
  });
  server.listen(port, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    status,
    setMalware(expressions) {
      malware.versions.push(prefixesOf(expressions));
      malware.fullHashes = hexOf(expressions);
    },
    updates: () => asked.filter((url) => !SEARCH.test(url)).length,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

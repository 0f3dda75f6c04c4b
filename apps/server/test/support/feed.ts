import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server on this machine from which a list is fetched. */
export interface Feed {
  readonly port: number;
  readonly url: string;
  readonly requests: IncomingMessage[];
  /** Sets the handler of all further requests. */
  answer(handler: Handler): void;
  /** Answers all further requests with a text. */
  send(text: string | Uint8Array, headers?: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

export async function newFeed(
  create: (handler: Handler) => Server = (handler) => createServer(handler),
): Promise<Feed> {
  let current: Handler = (_, response) => response.end();
  const requests: IncomingMessage[] = [];
  const server = create((request, response) => {
    requests.push(request);
    current(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/urls.txt`,
    requests,
    answer(handler) {
      current = handler;
    },
    send(text, headers = {}) {
      current = (_, response) => response.writeHead(200, headers).end(text);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with a text and its entity tag, or with 304 if the client has this version. */
export function conditional(text: string, etag: string): Handler {
  return (request, response) => {
    if (request.headers["if-none-match"] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(text);
  };
}

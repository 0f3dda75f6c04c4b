import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from "node:net";

/** A request that a server of the farm received. */
export interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface FarmServer {
  readonly port: number;
  readonly received: Received[];
  close(): void;
}

/** A server on 127.0.0.1 whose answers depend on the path. */
export async function farmServer(
  answer: (url: URL, response: ServerResponse, port: number) => void,
): Promise<FarmServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    received.push({ url: request.url!, headers: request.headers });
    const { port } = server.address() as AddressInfo;
    answer(new URL(request.url!, "http://farm.test"), response, port);
  });
  server.on("clientError", (_, socket) => socket.destroy());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A server that sends the same bytes to everyone. */
export async function rawServer(bytes: Uint8Array): Promise<{ port: number; close(): void }> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(bytes));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** A lookup of names in a table. Each list of addresses is one answer; the last one is repeated. */
export function tableLookup(table: Readonly<Record<string, readonly (readonly string[])[]>>): {
  readonly lookup: LookupFunction;
  readonly asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    lookup(host, _options, done) {
      const answers = table[host];
      const turn = asked.filter((each) => each === host).length;
      asked.push(host);
      const addresses = answers?.[Math.min(turn, answers.length - 1)];
      if (addresses === undefined) {
        done(Object.assign(new Error(`no address for ${host}`), { code: "ENOTFOUND" }), "");
        return;
      }
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    },
  };
}

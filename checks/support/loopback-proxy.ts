import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** An HTTP proxy on this machine. */
export interface LoopbackProxy {
  /** The host and port of the proxy. */
  readonly address: string;
  /** The requests so far: the method, the target and, if the client sent any, the credentials. */
  readonly asked: string[];
  close(): void;
}

/**
 * Starts an HTTP proxy that sends every request to one server, whatever host is asked for. With the proxy, tests can
 * use hosts that do not exist.
 *
 * @param upstream the host and port of the server.
 */
export async function loopbackProxy(upstream: string): Promise<LoopbackProxy> {
  const [host, port] = upstream.split(":");
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => {});
  };
  const proxy = createServer((incoming, answer) => {
    const { method, url = "", headers } = incoming;
    asked.push(`${method} ${url} ${headers["proxy-authorization"] ?? ""}`.trim());
    const { pathname, search } = new URL(url);
    const { "proxy-authorization": _, ...others } = headers;
    const options = { host, port, method, path: pathname + search, headers: others, agent: false };
    const forwarded = request(options, (message) => {
      answer.writeHead(message.statusCode!, message.headers);
      message.pipe(answer);
    });
    forwarded.on("error", () => answer.destroy());
    incoming.pipe(forwarded);
  });
  proxy.on("connection", keep);
  proxy.on("connect", ({ url, headers }, client: Socket) => {
    asked.push(`CONNECT ${url} ${headers["proxy-authorization"] ?? ""}`.trim());
    const tunnel = keep(connect(Number(port), host));
    tunnel.once("connect", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      tunnel.pipe(client).pipe(tunnel);
    });
    tunnel.once("close", () => client.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await new Promise((resolve) => proxy.once("listening", resolve));
  return {
    address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    asked,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { listen } from "../support/listen.js";

const answerPage = (_request, response) => response.end("page");

/**
 * A proxy that says "page" for every URL, so that the proxy in front of it needs neither DNS nor a network. Tunnels
 * lead to a TLS server of its own, with a certificate for `hosts`.
 */
export async function upstreamProxy(folder, hosts) {
  const [key, certificate] = ["origin.key", "origin.crt"].map((name) => join(folder, name));
  const names = hosts.map((host) => `DNS:${host}`).join(",");
  const request = `req -new -newkey rsa:2048 -nodes -x509 -days 30 -subj /CN=origin -addext subjectAltName=${names}`;
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", [...request.split(" "), ...files], { stdio: "ignore" });

  const options = { key: readFileSync(key), cert: readFileSync(certificate) };
  const origin = await listen(createTlsServer(options, answerPage));
  const proxy = createServer(answerPage);
  proxy.on("connect", (_request, client, head) => {
    const server = connect(origin.port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      server.write(head);
      server.pipe(client).pipe(server);
    });
    server.on("error", () => client.destroy());
    client.on("error", () => server.destroy());
  });
  const { port, close } = await listen(proxy);
  return {
    port,
    /** The file with the certificate of the TLS server. */
    certificate,
    close: () => Promise.all([close(), origin.close()]),
  };
}

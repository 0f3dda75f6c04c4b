import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Storage } from "@x/list-store";

/** Answers in place of the host when it returns `true`. */
export type Intercept = (path: string, response: ServerResponse) => boolean;

export interface StaticHost {
  readonly address: string;
  /** The requests, each as a method and a path. */
  readonly asked: string[];
  intercept(intercept: Intercept | null): void;
  close(): Promise<void>;
}

/** A host that serves the files of a storage below `/store/`, without listings. `intercept` makes it misbehave. */
export async function staticHost(files: Storage): Promise<StaticHost> {
  const asked: string[] = [];
  let intercept: Intercept | null = null;
  const server = createServer(async (request, response) => {
    const path = request.url!.replace("/store/", "");
    asked.push(`${request.method} ${path}`);
    if (intercept?.(path, response)) return;
    const bytes = await files.get(path).catch(() => null);
    if (bytes === null) {
      response.writeHead(404, { "content-type": "text/html" }).end("<!doctype html><p>Not found");
    } else {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes);
    }
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/store`,
    asked,
    intercept(next) {
      intercept = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

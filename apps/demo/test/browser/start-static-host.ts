import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readStaticFiles } from "../../src/server/app.ts";

export interface StaticHost {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a static host that serves the files in `directory` below the path `folder`. */
export async function startStaticHost(directory: string, folder: string): Promise<StaticHost> {
  const files = await readStaticFiles(directory);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://host");
    const file = pathname.startsWith(folder) ? files.get(pathname.slice(folder.length)) : undefined;
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "Content-Type": file.headers["Content-Type"] }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}${folder}/`, stop };
}

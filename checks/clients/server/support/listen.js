import { once } from "node:events";

/** Lets a server listen on a port of 127.0.0.1, and returns its address and a function that ends it. */
export async function listen(server) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address();
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

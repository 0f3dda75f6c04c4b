import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port that was free a moment ago. The system gives ports from 32768 on to whoever asks for any, so none of these is
 * taken.
 */
export async function freePort() {
  const port = randomInt(10_000, 32_768);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return freePort();
  }
  await new Promise((resolve) => server.close(resolve));
  return port;
}

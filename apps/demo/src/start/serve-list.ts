import type { Context } from "@x/cli";
import { exactExpression } from "@x/expressions";
import { firefoxSettings, type InMemoryServer, serveInMemory } from "@x/server";
import { fullHash } from "@x/sha256-prefix";

/** A port that is easy to recognize. When it is taken, any free port is used. */
const PORT = 8018;

/** Serves the list of phishing sites to Firefox, and says how to see one of them blocked. */
export async function serveList(
  hosts: readonly string[],
  { stdout }: Pick<Context, "stdout">,
): Promise<InMemoryServer> {
  const hashes = hosts.map((host) => fullHash(exactExpression(host)));
  const lists = { "social-engineering": hashes };
  const server = await serveInMemory({ lists, port: PORT }).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return serveInMemory({ lists, port: 0 });
  });
  await stdout.write(
    `The list is also served at ${server.origin}, as Safe Browsing v5 and v4.
Put these lines into the file user.js of a new Firefox profile, start Firefox with it, and open
http://${hosts[0]}/. The red warning appears before anything is loaded.

${firefoxSettings(server.origin, "v5", "npm start")}`,
  );
  return server;
}

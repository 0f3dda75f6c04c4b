import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@x/command-line/node";
import { exactExpression } from "@x/expressions";
import { firefoxSettings, type InMemoryServer, serveInMemory } from "@x/server";
import { fullHash } from "@x/sha256-prefix";

/** A port that is easy to recognize. If the port is taken, any free port is used. */
const PORT = 8018;

/** Serves the list of phishing sites as Safe Browsing v5 and v4. */
export async function serveList(hosts: readonly string[]): Promise<InMemoryServer> {
  const hashes = hosts.map((host) => fullHash(exactExpression(host)));
  const lists = { "social-engineering": hashes };
  return serveInMemory({ lists, port: PORT }).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return serveInMemory({ lists, port: 0 });
  });
}

/** Writes a profile of Firefox that uses the list of a server, and returns its folder. */
export async function writeProfile(folder: string, { origin }: InMemoryServer): Promise<string> {
  const profile = join(folder, `firefox-${new URL(origin).port}`);
  await mkdir(profile, { recursive: true });
  const settings = firefoxSettings(origin, "v5", "npm start");
  await replaceFile(join(profile, "user.js"), new TextEncoder().encode(settings), null);
  return profile;
}

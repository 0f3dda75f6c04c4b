import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Io } from "../context.ts";

/**
 * The folder for lists in the user's cache.
 *
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function cacheFolder(
  { env }: Pick<Io, "env">,
  platform: NodeJS.Platform = process.platform,
): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  const home = env.HOME || homedir();
  // Relative paths are ignored, as the specification says.
  if (xdg && isAbsolute(xdg)) return join(xdg, "urlhash");
  if (platform === "win32") return join(local || join(home, "AppData", "Local"), "urlhash");
  if (platform === "darwin") return join(home, "Library", "Caches", "urlhash");
  return join(home, ".cache", "urlhash");
}

/** The folder in the user's cache that holds the lists of a server. */
export function serverCacheFolder(
  protocol: string,
  server: URL,
  lists: readonly string[],
  io: Io,
): string {
  const text = JSON.stringify([protocol, server.href, [...lists].sort()]);
  const start = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const host = server.hostname.replace(/[^a-z0-9.-]/g, "_");
  return join(cacheFolder(io), `${protocol}-${host}-${start}`);
}

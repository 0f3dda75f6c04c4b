import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { getMimeType } from "hono/utils/mime";

/** A file, ready to be sent. */
export interface StaticFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

const YEAR_SECONDS = 31_536_000;

/** Files below `assets/` never change, because the build puts a hash of the contents into their names. */
function cacheControl(path: string): string {
  return path.startsWith("/assets/") ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache";
}

/**
 * Reads all files below a folder, and returns them by URL path. The files are few and small, so they are read once and
 * kept in memory. No other file can be requested.
 */
export async function readStaticFiles(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, StaticFile>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(folder.replace(/[\\/]$/, "").length).replaceAll(sep, "/");
    const body = new Uint8Array(await readFile(file));
    const hash = createHash("sha256").update(body).digest("base64url");
    files.set(path, {
      body,
      headers: {
        "Content-Type": getMimeType(path) ?? "application/octet-stream",
        "Cache-Control": cacheControl(path),
        "Content-Length": String(body.length),
        ETag: `"${hash}"`,
      },
    });
  }
  const index = files.get("/index.html");
  if (index !== undefined) files.set("/", index);
  return files;
}

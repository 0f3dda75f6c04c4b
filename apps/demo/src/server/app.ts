import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { getMimeType } from "hono/utils/mime";
import type { PageSettings } from "../page-settings.ts";

/** The path of the store's files, below which the page asks for them. */
const STORE = "lists/";
const TIMEOUT = 5000;

/** A file of a store, which the page asks its own server for, so that nobody else learns who uses the page. */
async function relay(key: string, store: string): Promise<Response> {
  if (!/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(key)) return new Response(null, { status: 404 });
  try {
    const url = new URL(key, store.replace(/\/?$/, "/"));
    const { status, body } = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
    return new Response(body, { status, headers: { "Cache-Control": "no-cache" } });
  } catch {
    return new Response("The store cannot be reached\n", { status: 502 });
  }
}

/**
 * Serves files by the paths of their URLs, and `/healthz`. Nothing else can be requested, except for the files of the
 * store in `settings`.
 */
export function createApp(files: ReadonlyMap<string, StaticFile>, settings?: PageSettings): Hono {
  const app = new Hono();
  app.get("/healthz", (context) =>
    context.json({ status: "ok" }, 200, { "Cache-Control": "no-store" }),
  );
  if (settings !== undefined) {
    const { store } = settings;
    const told = { ...settings, ...(store && { store: { ...store, url: STORE } }) };
    const text = JSON.stringify(told, (_, value) => value ?? undefined);
    app.get("/settings.json", (context) =>
      context.body(text, 200, { "Content-Type": "application/json", "Cache-Control": "no-cache" }),
    );
    if (store !== null) {
      app.get(`/${STORE}*`, ({ req }) => relay(req.path.slice(STORE.length + 1), store.url));
    }
  }
  app.get("*", compress(), etag(), (context, next) => {
    const file = files.get(new URL(context.req.url).pathname);
    return file === undefined ? next() : context.body(file.body, 200, file.headers);
  });
  app.notFound((context) => {
    const isRead = context.req.method === "GET" || context.req.method === "HEAD";
    if (isRead) return context.text("Not found\n", 404);
    return context.text("Method not allowed\n", 405, { Allow: "GET, HEAD" });
  });
  return app;
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // Only the Trusted Types policy with this name can turn text into the URL of a script.
  "require-trusted-types-for 'script'",
  "trusted-types urlhash",
];

/** The headers of every answer. A worker follows the policy in the answer that has its script. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": POLICY.join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy":
    "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

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

import { Hono } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import type { PageSettings } from "../page-settings.ts";
import type { StaticFile } from "./static-files.ts";

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

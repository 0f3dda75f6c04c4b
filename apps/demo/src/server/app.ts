import { Hono } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import type { StaticFile } from "./static-files.ts";

/** Serves files by the paths of their URLs, and `/healthz`. Nothing else can be requested. */
export function createApp(files: ReadonlyMap<string, StaticFile>): Hono {
  const app = new Hono();
  app.get("/healthz", (context) =>
    context.json({ status: "ok" }, 200, { "Cache-Control": "no-store" }),
  );
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

import { type Context, Hono } from "hono";
import type { StaticFile } from "./static-files.ts";

export interface AppOptions {
  /** The files by the paths of their URLs. */
  readonly files: ReadonlyMap<string, StaticFile>;
}

/** Whether `If-None-Match` has the tag, weak or not, or `*` (RFC 9110 §13.1.2). */
function isUnchanged(header: string | undefined, etag: string): boolean {
  return (header ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
}

function answerFile(context: Context, { body, headers }: StaticFile): Response {
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  if (isUnchanged(context.req.header("If-None-Match"), headers.ETag!)) {
    return context.body(null, 304);
  }
  context.header("Content-Length", String(body.length));
  return context.body(body);
}

/** Serves the files of the page and nothing else. */
export function createApp({ files }: AppOptions): Hono {
  const app = new Hono();
  app.get("/healthz", (context) => {
    context.header("Cache-Control", "no-store");
    return context.json({ status: "ok" });
  });
  app.get("*", (context, next) => {
    const file = files.get(new URL(context.req.url).pathname);
    return file === undefined ? next() : Promise.resolve(answerFile(context, file));
  });
  app.notFound((context) => {
    const isRead = context.req.method === "GET" || context.req.method === "HEAD";
    if (!isRead) context.header("Allow", "GET, HEAD");
    return context.text(isRead ? "Not found\n" : "Method not allowed\n", isRead ? 404 : 405);
  });
  return app;
}

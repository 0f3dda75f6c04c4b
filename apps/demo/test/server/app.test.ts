import { mkdirSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import type { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { createApp, readStaticFiles, SECURITY_HEADERS } from "../../src/server/app.ts";

const folder = temporaryFolder();
const PAGE = "<!doctype html><p>page";

async function createTestApp(): Promise<Hono> {
  const root = folder.path("web");
  mkdirSync(folder.path("web/assets"), { recursive: true });
  folder.write("web/index.html", PAGE);
  folder.write("web/sw.js", "// sw");
  folder.write("web/assets/app-abc.js", "// app");
  folder.write("web/assets/x.list", "list");
  folder.write("secret.txt", "secret");
  return createApp(await readStaticFiles(root));
}

describe("files", () => {
  test.each([
    ["/", "text/html; charset=utf-8", "no-cache", PAGE],
    ["/index.html", "text/html; charset=utf-8", "no-cache", PAGE],
    ["/sw.js", "text/javascript; charset=utf-8", "no-cache", "// sw"],
    ["/?anything", "text/html; charset=utf-8", "no-cache", PAGE],
    [
      "/assets/app-abc.js",
      "text/javascript; charset=utf-8",
      "public, max-age=31536000, immutable",
      "// app",
    ],
    ["/assets/x.list", "application/octet-stream", "public, max-age=31536000, immutable", "list"],
  ])("%s", async (path, type, cacheControl, body) => {
    const app = await createTestApp();
    const response = await app.request(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("cache-control")).toBe(cacheControl);
    expect(response.headers.get("content-length")).toBe(String(body.length));
    expect(await response.text()).toBe(body);
  });

  test.each([
    "/nowhere",
    "/assets",
    "/assets/",
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/..%5c..%5csecret.txt",
    "/%00",
    "/%ff",
    "//index.html",
    "/__proto__",
  ])("%s leads nowhere", async (path) => {
    const response = await (await createTestApp()).request(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe("Not found\n");
  });

  test("a file that the browser already has is not sent again", async () => {
    const app = await createTestApp();
    const etag = (await app.request("/")).headers.get("etag")!;
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await app.request("/", { headers: { "If-None-Match": header } });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe("");
      expect(response.headers.get("etag")).toBe(etag);
    }
    const other = await app.request("/", { headers: { "If-None-Match": '"other"' } });
    expect(other.status).toBe(200);
  });

  test("a text is compressed for those who accept it; all others get it as it is", async () => {
    const text = "// a script\n".repeat(1000);
    const root = folder.path("large");
    mkdirSync(root);
    folder.write("large/x.js", text);
    folder.write("large/x.woff2", text);
    const app = createApp(await readStaticFiles(root));
    const request = (path: string, encoding: string) =>
      app.request(path, { headers: { "Accept-Encoding": encoding } });
    const compressed = await request("/x.js", "br, gzip");
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    expect(compressed.headers.get("vary")).toBe("Accept-Encoding");
    expect(compressed.headers.get("content-length")).toBe(null);
    expect(gunzipSync(await compressed.arrayBuffer()).toString()).toBe(text);
    const etag = compressed.headers.get("etag")!;
    const again = await app.request("/x.js", { headers: { "If-None-Match": etag } });
    expect(again.status).toBe(304);
    for (const [path, encoding] of [
      ["/x.js", "identity"],
      ["/x.js", "gzip;q=0"],
      ["/x.woff2", "gzip"],
    ] as const) {
      const plain = await request(path, encoding);
      expect(plain.headers.get("content-encoding")).toBe(null);
      expect(await plain.text()).toBe(text);
    }
  });

  test("HEAD is GET without a body; anything else is not allowed", async () => {
    const app = await createTestApp();
    const head = await app.request("/", { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(String(PAGE.length));
    expect(await head.text()).toBe("");
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const response = await app.request("/", { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD");
    }
  });
});

test("health", async () => {
  const response = await (await createTestApp()).request("/healthz");
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.json()).toEqual({ status: "ok" });
});

test("the policy allows what it names, and nothing else", async () => {
  const directives = new Map(
    SECURITY_HEADERS["Content-Security-Policy"]!.split("; ").map(
      (directive) => directive.split(/ (.*)/) as [string, string],
    ),
  );
  expect(directives.get("default-src")).toBe("'none'");
  expect(directives.get("script-src")).toBe("'self'");
  expect(directives.get("frame-ancestors")).toBe("'none'");
  expect([...directives.values()].join(" ")).not.toMatch(/unsafe|\*|http|data:/);
});

// The same answer as the bare server's, from Hono.
import { readFileSync } from "node:fs";
import process from "node:process";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const [headers, bodyFile] = process.argv.slice(2);
const body = new Uint8Array(readFileSync(bodyFile));
const sent = JSON.parse(headers);
const app = new Hono().get("*", (context) => context.body(body, 200, sent));
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => process.send(port));
process.on("message", () => process.send(process.cpuUsage()));
process.on("disconnect", () => process.exit());

import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { validator } from "hono/validator";
import { refusalOf, stop as stopUpdates } from "./check-links.js";

/** Refuses texts with listed links and texts that could not be checked. Errors become a 500, so no text passes. */
const refuseListedLinks = validator("json", async (post, context) => {
  const refusal = await refusalOf(post?.text);
  return refusal === null ? post : context.json(refusal.body, refusal.status);
});

const app = new Hono();
app.post("/posts", bodyLimit({ maxSize: 100_000 }), refuseListedLinks, (context) => {
  return context.json({ text: context.req.valid("json").text }, 201); // save it here
});
const server = serve({
  fetch: app.fetch,
  port: Number(process.env.PORT),
  hostname: "127.0.0.1",
});

export async function stop() {
  server.close();
  await stopUpdates();
}

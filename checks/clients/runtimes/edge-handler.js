import { tryParts } from "./program.js";

addEventListener("fetch", (event) => {
  const server = new URL(event.request.url).searchParams.get("server");
  event.respondWith(tryParts(server, undefined).then((found) => Response.json(found)));
});

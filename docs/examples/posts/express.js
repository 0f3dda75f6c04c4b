import express from "express";
import { refusalOf, stop as stopUpdates } from "./check-links.js";

/** Refuses texts with listed links and texts that could not be checked. Errors become a 500, so no text passes. */
async function refuseListedLinks(request, response, next) {
  const refusal = await refusalOf(request.body?.text);
  if (refusal === null) next();
  else response.status(refusal.status).json(refusal.body);
}

const app = express();
app.post("/posts", express.json(), refuseListedLinks, (request, response) => {
  response.status(201).json({ text: request.body.text }); // save it here
});
const server = app.listen(process.env.PORT, "127.0.0.1");

export async function stop() {
  server.close();
  await stopUpdates();
}

import fastify from "fastify";
import { refusalOf, stop as stopUpdates } from "./check-links.js";

/** Refuses texts with listed links and texts that could not be checked. Errors become a 500, so no text passes. */
async function refuseListedLinks(request, reply) {
  const refusal = await refusalOf(request.body?.text);
  if (refusal !== null) return reply.code(refusal.status).send(refusal.body);
}

const app = fastify();
app.post("/posts", { preHandler: refuseListedLinks }, async (request, reply) => {
  return reply.code(201).send({ text: request.body.text }); // save it here
});
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });

export async function stop() {
  await app.close();
  await stopUpdates();
}

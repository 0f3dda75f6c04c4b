// A bare server in Node: it answers each request with its bytes, which it has in memory.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";

const [folder] = process.argv.slice(2);
const bodies = new Map(
  JSON.parse(readFileSync(join(folder, "requests.json"), "utf8")).map(({ target, file }) => [
    target,
    readFileSync(join(folder, file)),
  ]),
);
const server = createServer((request, response) => {
  const body = bodies.get(request.url);
  request.resume();
  response.writeHead(200, {
    "Content-Type": "application/octet-stream",
    "Content-Length": body.length,
  });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());

// The simplest HTTP server in Node: it answers every request with the same bytes.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";

const [json, file] = process.argv.slice(2);
const headers = JSON.parse(json);
const body = readFileSync(file);
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("message", () => process.send(process.cpuUsage()));
process.on("disconnect", () => process.exit());

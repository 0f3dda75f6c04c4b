// Starts nginx, which answers every request with the same file.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";

/** The length of a tick, the unit in which the kernel counts processor time, in microseconds. */
const TICK = 10_000;

const [json, file] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "nginx-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
copyFileSync(file, join(folder, "body"));

const socket = createServer().listen(0, "127.0.0.1");
await once(socket, "listening");
const { port } = socket.address();
socket.close();

const headers = Object.entries(JSON.parse(json))
  .filter(([name]) => !["content-type", "content-length", "etag"].includes(name.toLowerCase()))
  .map(([name, value]) => `add_header ${name} "${value}" always;`);
writeFileSync(
  join(folder, "nginx.conf"),
  `user root; daemon off; worker_processes 1; error_log stderr error; pid ${folder}/pid;
  events { worker_connections 1024; }
  http {
    access_log off; server_tokens off; keepalive_requests 1000000000; open_file_cache max=10;
    client_body_temp_path ${folder}/1; proxy_temp_path ${folder}/2; fastcgi_temp_path ${folder}/3;
    uwsgi_temp_path ${folder}/4; scgi_temp_path ${folder}/5; etag off;
    server { listen 127.0.0.1:${port}; root ${folder}; ${headers.join(" ")} location / { try_files /body =404; } }
  }`,
);
const nginx = spawn("nginx", ["-c", join(folder, "nginx.conf")], { stdio: "inherit" });
process.on("disconnect", () => {
  nginx.once("exit", () => process.exit());
  nginx.kill();
});
const answers = () => fetch(`http://127.0.0.1:${port}/`).catch(() => null);
while ((await answers()) === null) await setTimeout(20);
const [worker] = readFileSync(`/proc/${nginx.pid}/task/${nginx.pid}/children`, "utf8").split(" ");

process.on("message", () => {
  const [user, system] = readFileSync(`/proc/${worker}/stat`, "utf8")
    .split(") ")[1]
    .split(" ")
    .slice(11, 13);
  process.send({ user: Number(user) * TICK, system: Number(system) * TICK });
});
process.send(port);

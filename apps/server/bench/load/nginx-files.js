import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

/** The names of files with answers to searches begin with this, followed by the prefix. */
export const SEARCH = "answers/search-";

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** nginx, which answers each request with a file. A POST gets its file, too. */
export async function nginxFiles(folder) {
  const requests = JSON.parse(readFileSync(join(folder, "requests.json"), "utf8"));
  const port = await freePort();
  const own = join(folder, "nginx");
  mkdirSync(own, { recursive: true });
  // nginx compares these without regard to case, so searches are found by their prefix, as it is written in the request.
  const others = requests.filter(({ file }) => !file.startsWith(SEARCH));
  const files = others.map(({ target, file }) => `    "${target}" ${file};`);
  writeFileSync(
    join(own, "nginx.conf"),
    `daemon off;
worker_processes auto;
${process.getuid() === 0 ? "user root;" : ""}
pid ${own}/nginx.pid;
error_log ${own}/error.log warn;
worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  default_type application/octet-stream;
  client_body_temp_path ${own}/body;
  proxy_temp_path ${own}/proxy;
  fastcgi_temp_path ${own}/fastcgi;
  uwsgi_temp_path ${own}/uwsgi;
  scgi_temp_path ${own}/scgi;
  open_file_cache max=2000;
  map_hash_max_size 8192;
  map_hash_bucket_size 512;
  map $request_uri $answer {
    default ${SEARCH}$arg_hashPrefixes;
${files.join("\n")}
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    root ${folder};
    error_page 405 =200 $uri;
    location / {
      try_files /$answer =404;
    }
  }
}
`,
  );
  const child = spawn("nginx", ["-p", own, "-c", join(own, "nginx.conf")], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = new Promise((resolve, reject) => {
    child.once("exit", resolve);
    child.once("error", reject);
  });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  while (
    !(await Promise.race([isUp(), ended.then(() => Promise.reject(new Error("nginx ended")))]))
  ) {
    await pause(50);
  }
  return {
    port,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

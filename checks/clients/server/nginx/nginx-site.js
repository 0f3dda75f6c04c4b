import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { background } from "../support/background.js";

/** The settings around the files of conf.d in Debian's nginx.conf, with folders of the test. */
const config = (folder) => `
daemon off;
${process.getuid() === 0 ? "user root;" : ""}
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/site.conf;
}
`;

/** Debian's nginx at `path`, with one site that listens on `port` of 127.0.0.1. All files of nginx are in `folder`. */
export async function nginxSite({ path, folder, port, site }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "site.conf"), site);
  const file = join(folder, "nginx.conf");
  writeFileSync(file, config(folder));
  const { stop, until } = background(path, ["-p", folder, "-c", file], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  await until("nginx", () => fetch(origin).catch(() => null));
  return { origin, stop };
}

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { example } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { waitFor } from "../support/wait-for.js";
import { dnsClient, dnsServer } from "./dns.js";

const run = promisify(execFile);
const NO_SUCH_NAME = 3;

/** The settings around the example: a resolver on its own port, which asks one other DNS server. */
const config = (folder, port, upstream) => `
server:
  interface: 127.0.0.1@${port}
  do-daemonize: no
  num-threads: 1
  username: ""
  chroot: ""
  directory: "${folder}"
  pidfile: "${folder}/unbound.pid"
  use-syslog: no
  logfile: ""
  do-not-query-localhost: no
  local-zone: "test." nodefault
  domain-insecure: "test."
remote-control:
  control-enable: yes
  control-interface: "${folder}/control"
  control-use-cert: no
forward-zone:
  name: "."
  forward-addr: 127.0.0.1@${upstream}
include: "${folder}/urlhash.conf"
`;

/** The host whose address a browser asks for to open a URL; `null` when it asks for none. */
function hostOf(url) {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(withScheme)) return null;
  const { hostname } = new URL(withScheme);
  return hostname === "" || hostname.startsWith("[") || isIP(hostname) !== 0 ? null : hostname;
}

/** Debian's unbound with the configuration of docs/examples/unbound and a key for a list. */
export async function unbound({ path, control, origin, key, list = "malware" }) {
  const folder = mkdtempSync(join(tmpdir(), "unbound-"));
  const upstream = await dnsServer();
  const port = await freePort();
  const client = await dnsClient(port);
  const zone = `${origin}/export/${list}.rpz?key=${key}`;
  const file = join(folder, "unbound.conf");
  writeFileSync(file, config(folder, port, upstream.port));
  writeFileSync(
    join(folder, "urlhash.conf"),
    example("unbound/urlhash.conf", {
      "http://127.0.0.1:8080/export/malware.rpz?key=KEY": zone,
      "/var/lib/unbound/": `${folder}/`,
      malware: list,
    }),
  );
  let child = null;
  const order = async (...args) => (await run(control, ["-c", file, ...args])).stdout;
  const serial = async () =>
    Number(/^\S+\.rpz\.\s+serial (\d+)/m.exec(await order("list_auth_zones"))?.[1] ?? 0);
  const servedSerial = async () =>
    Number(/ SOA \S+ \S+ (\d+)/.exec(await (await fetch(zone)).text())[1]);
  const isCurrent = async () => (await serial()) === (await servedSerial());

  const self = {
    async start() {
      child = spawn(path, ["-d", "-c", file], { stdio: ["ignore", "ignore", "ignore"] });
      const starting = child;
      await waitFor("unbound", async () => {
        if (starting.exitCode !== null) throw new Error("unbound ended");
        return order("status").catch(() => null);
      });
    },
    async end() {
      if (child === null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      child = null;
      await ended;
    },
    /** Waits until unbound has fetched the current zone of the server on its own schedule. */
    follow: () => waitFor("unbound to fetch the zone", isCurrent),
    /** Makes unbound fetch the zone at once. */
    async update() {
      await order("auth_zone_transfer", `${list}.rpz`);
      await self.follow();
    },
    /** Whether unbound says that the host of each URL does not exist. */
    async blocks(urls) {
      const hosts = urls.map(hostOf);
      const named = [...new Set(hosts.filter((host) => host !== null))];
      const statuses = await client.statuses(named);
      const blocked = new Set(named.filter((_, i) => statuses[i] === NO_SUCH_NAME));
      return hosts.map((host) => blocked.has(host));
    },
    async stop() {
      await self.end();
      await Promise.all([client.close(), upstream.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await self.start();
    return self;
  } catch (error) {
    await self.stop();
    throw error;
  }
}

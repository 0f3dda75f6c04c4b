import { execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { example } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";

const COMMAND = fileURLToPath(
  new URL("../../../../apps/server/bin/urlhash-server.js", import.meta.url),
);
const run = promisify(execFile);

/** Runs a program for questions, and returns what it prints. */
export async function ask(name, ...args) {
  const { stdout } = await run(program(name).path, args, { maxBuffer: 2 ** 24 });
  return stdout;
}

/** The addresses of a name, or the code of the answer if there are none. */
export async function resolved(port, name, ...options) {
  return resolvedAt("127.0.0.1", port, name, ...options);
}

async function resolvedAt(host, port, name, ...options) {
  const args = [`@${host}`, "-p", port, "+tries=1", "+time=5", ...options, name];
  const printed = await ask("dig", ...args).catch(({ stdout }) => stdout);
  const addresses = [...printed.matchAll(/\sIN\s+(?:A|AAAA)\s+(\S+)$/gm)].map(([, each]) => each);
  return addresses.length > 0 ? addresses : (/status: ([A-Z]+)/.exec(printed)?.[1] ?? null);
}

/** Starts a program, and waits until it answers queries at a port. */
async function started(path, args, port, host = "127.0.0.1") {
  const child = spawn(path, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes) => {
      said += bytes;
    });
  }
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  try {
    await waitFor(`${path} to answer`, async () => {
      if (child.exitCode !== null) throw new Error(said);
      return (await resolvedAt(host, port, "ready.test")) !== null;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

/**
 * Starts the forwarder with the settings of the example. If `host` is given, the forwarder listens there, at port 53.
 */
export async function urlhashDns({ folder, resolver, options = [], host }) {
  const port = await freePort();
  const file = join(folder, "dns.yaml");
  const settings = example("dns/urlhash-server.yaml", {
    "/srv/urlhash/lists": join(folder, "lists"),
    "/var/lib/urlhash-dns": join(folder, "dns"),
    "127.0.0.1:5335": `127.0.0.1:${resolver}`,
    "127.0.0.1:8081": "127.0.0.1:0",
    "127.0.0.1:53\n": `127.0.0.1:${port}\n`,
  });
  writeFileSync(file, settings);
  const listen = host === undefined ? [] : ["--listen", `${host}:53`];
  const args = [COMMAND, "dns", "--config", file, ...listen, ...options];
  return started(process.execPath, args, host === undefined ? port : 53, host);
}

/** An address of this machine that nobody else uses. */
export const ownAddress = () => `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** Settings of unbound for a test. */
const unboundConfig = (folder, port, more) => `
server:
  do-daemonize: no
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  directory: "${folder}"
  access-control: 127.0.0.0/8 allow
  do-ip6: no
remote-control:
  control-enable: no
${more.replaceAll("PORT", port)}
`;

/** Starts unbound as a resolver behind the forwarder. It resolves all names below `test` to 127.0.0.1. */
export async function unboundBehind(folder) {
  const port = await freePort();
  const own = example("dns/urlhash-dns.conf", { 5335: "PORT" });
  const data = 'local-zone: "test." redirect\n  local-data: "test. 60 IN A 127.0.0.1"\n';
  const alias =
    '  local-zone: "alias.test" static\n  local-data: "alias.test. IN CNAME www.evil.test."\n';
  const file = join(folder, "behind.conf");
  writeFileSync(file, unboundConfig(folder, port, `${own}\n  ${data}${alias}`));
  return started(program("unbound").path, ["-d", "-c", file], port);
}

/** Starts unbound in front of the forwarder. */
export async function unboundBefore(folder, forwarder) {
  const port = await freePort();
  const own = example("dns/forward-to-urlhash.conf", { 5300: forwarder });
  const file = join(folder, "before.conf");
  writeFileSync(
    file,
    unboundConfig(
      folder,
      port,
      `server:\n  interface: 127.0.0.1\n  port: PORT\n  local-zone: "test." nodefault\n${own}`,
    ),
  );
  return started(program("unbound").path, ["-d", "-c", file], port);
}

/** Starts dnsmasq in front of the forwarder. */
export async function dnsmasqBefore(folder, forwarder) {
  const port = await freePort();
  const file = join(folder, "dnsmasq.conf");
  writeFileSync(file, example("dns/dnsmasq.conf", { 5300: forwarder }));
  const args = ["--keep-in-foreground", `--conf-file=${file}`, `--port=${port}`];
  const more = ["--listen-address=127.0.0.1", "--bind-interfaces", "--user=", "--pid-file="];
  return started(program("dnsmasq").path, [...args, ...more], port);
}

/** Publishes a list of hosts, and starts the forwarder with it in front of unbound. */
export async function forwarderBeforeUnbound(hosts) {
  const stops = [];
  const stop = async () => {
    for (const stopPart of stops.toReversed()) await stopPart();
  };
  try {
    const store = await urlListServer();
    stops.push(() => store.remove());
    await store.publish({ malware: hosts });
    const behind = await unboundBehind(store.folder);
    stops.push(() => behind.stop());
    const forwarder = await urlhashDns({ folder: store.folder, resolver: behind.port });
    stops.push(() => forwarder.stop());
    return { store, behind, forwarder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Starts systemd-resolved in front of the forwarder, with its own settings and its own folder of files. It needs no
 * other part of systemd.
 */
export async function resolvedBefore(folder, forwarder) {
  const port = await freePort();
  const file = join(folder, "resolved.conf");
  const own = example("dns/resolved.conf", { 5300: forwarder });
  const stub = `DNSStubListener=no\nDNSStubListenerExtra=127.0.0.1:${port}\nCache=no\n`;
  writeFileSync(file, `${own}${stub}LLMNR=no\nMulticastDNS=no\n`);
  const script = [
    'mount --bind "$1" /etc/systemd/resolved.conf',
    "mount -t tmpfs tmpfs /run/systemd",
    "install -d -o systemd-resolve -g systemd-resolve /run/systemd/resolve",
    'exec "$2"',
  ].join(" && ");
  const { path } = program("systemd-resolved");
  return started("unshare", ["--mount", "sh", "-c", script, "sh", file, path], port);
}

/** A script that starts a program for which a server is the only resolver. */
export function withResolver(folder, path, address) {
  const resolvers = join(folder, "resolv.conf");
  writeFileSync(resolvers, `nameserver ${address}\n`);
  const script = join(folder, "with-resolver");
  const mounted = `mount --bind '${resolvers}' /etc/resolv.conf && exec "$0" "$@"`;
  const text = `#!/bin/sh\nexec unshare --mount sh -c '${mounted.replaceAll("'", `'"'"'`)}' '${path}' "$@"\n`;
  writeFileSync(script, text, { mode: 0o755 });
  return script;
}

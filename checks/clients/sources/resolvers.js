import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { background } from "../server/support/background.js";
import { freePort } from "../server/support/free-port.js";
import { newFolder } from "../server/support/new-folder.js";
import { blockedAt, REFUSED } from "./dns.js";
import { dnsServer } from "./dns-server.js";
import { OTHER_PORT } from "./sources.js";

/*
 * Each resolver takes sources and the names to ask for each of them, and returns the names that it blocks: a set for
 * each source, or `null` for a source that it cannot load.
 */

/** What these programs write to stdout is of no use. */
const STDERR = { stdio: ["ignore", "ignore", "pipe"] };

/** Runs `use` with a folder and an upstream server that knows every name, and ends the server afterwards. */
async function withUpstream(use) {
  const upstream = await dnsServer();
  try {
    return await use(newFolder("sources"), upstream.port);
  } finally {
    await upstream.close();
  }
}

/** Whether a resolver answers for a name that no source has. */
function answers(port, address) {
  return async () => {
    const client = await blockedAt(port, address);
    try {
      return (await Promise.race([client.among(["ready.test"]), pause(200)])) !== null;
    } catch {
      return false;
    } finally {
      await client.close();
    }
  };
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds, null));

/** Runs a job for each item, a few at a time, and returns the results in order. */
async function each(items, job) {
  const results = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await job(items[i], i);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return results;
}

/**
 * Runs a resolver for each source.
 *
 * @param command returns the arguments for a source in a file.
 * @param write returns the contents of that file.
 */
function perSource(path, command, write, blocking = []) {
  return (sources) =>
    withUpstream((folder, upstream) =>
      each(sources, async ({ text, names }, i) => {
        const port = await freePort();
        const file = join(folder, `${i}.conf`);
        writeFileSync(file, write({ text, port, upstream, folder }));
        const program = background(path, command({ file, port, upstream }), STDERR);
        try {
          await program.until(path, answers(port));
        } catch (error) {
          if (program.child.exitCode === null) throw error;
          return null;
        }
        try {
          const client = await blockedAt(port, undefined, blocking);
          const blocked = await client.among(names);
          await client.close();
          return blocked;
        } finally {
          await program.stop("SIGKILL");
        }
      }),
    );
}

/** dnsmasq, as a resolver that reads hosts files (`hosts`) or its own options (`dnsmasq`). */
export function dnsmasq(path, format) {
  return perSource(
    path,
    ({ file, port, upstream }) => [
      ...["--keep-in-foreground", "--user=", "--pid-file", "--no-resolv", "--no-hosts"],
      ...["--log-facility=-", "--listen-address=127.0.0.1", "--bind-interfaces"],
      ...[`--port=${port}`, `--server=127.0.0.1#${upstream}`, "--cache-size=0"],
      ...(format === "hosts"
        ? ["--conf-file=/dev/null", `--addn-hosts=${file}`]
        : [`--conf-file=${file}`]),
    ],
    ({ text, upstream }) => text.replaceAll(`#${OTHER_PORT}`, `#${upstream}`),
  );
}

/** unbound, as a resolver that reads its own options. */
export function unboundOptions(path) {
  return perSource(
    path,
    ({ file }) => ["-d", "-c", file],
    ({ text, port, upstream, folder }) => `
remote-control:
  control-enable: no
forward-zone:
  name: "."
  forward-addr: 127.0.0.1@${upstream}
server:
  interface: 127.0.0.1@${port}
${unboundServer(folder, port)}
  module-config: "iterator"
${text}`,
    [REFUSED],
  );
}

const unboundServer = (folder, port) => `  do-daemonize: no
  num-threads: 1
  username: ""
  chroot: ""
  directory: "${folder}"
  pidfile: "${folder}/unbound-${port}.pid"
  use-syslog: no
  logfile: ""
  do-not-query-localhost: no
  local-zone: "test." nodefault`;

/** The address of the client for which a resolver uses the policy zone of a source. */
const clientOf = (i) => `127.0.1.${i + 1}`;

async function withZones(sources, path, configure) {
  return withUpstream(async (folder, upstream) => {
    const port = await freePort();
    mkdirSync(join(folder, "zones"));
    const zoneFile = (i) => join(folder, "zones", `${i}.zone`);
    for (const [i, { text }] of sources.entries()) writeFileSync(zoneFile(i), text);
    const { args, config, hasZones = () => true } = configure({ folder, port, upstream, zoneFile });
    const file = join(folder, "resolver.conf");
    writeFileSync(file, config);
    const program = background(path, [...args, file], STDERR);
    await program.until(path, answers(port, clientOf(0)));
    await program.until(`${path}: its zones`, () => hasZones(program.said()));
    try {
      return await each(sources, async ({ names }, i) => {
        const client = await blockedAt(port, clientOf(i));
        try {
          // For a zone that it cannot load, BIND has no answers.
          return await client.among(names).catch(() => null);
        } finally {
          await client.close();
        }
      });
    } finally {
      await program.stop("SIGKILL");
    }
  });
}

/** BIND with the zones of at most 250 sources, each for another client. The name of each zone is `rpz`. */
export function bind(path) {
  return (sources) =>
    withZones(sources, path, ({ folder, port, upstream, zoneFile }) => ({
      args: ["-g", "-n", "1", "-c"],
      // It answers before it has read all zones.
      hasZones: (said) => said.split("rpz: reload done").length > sources.length,
      config: `
options {
  directory "${folder}";
  pid-file none;
  session-keyfile none;
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  recursion yes;
  allow-query { any; };
  dnssec-validation no;
  max-cache-size 2m;
  forward only;
  forwarders { 127.0.0.1 port ${upstream}; };
};
controls { };
${sources
  .map(
    (_, i) => `view "v${i}" {
  match-clients { ${clientOf(i)}; };
  empty-zones-enable no;
  zone "rpz" { type primary; file "${zoneFile(i)}"; check-names ignore; };
  response-policy { zone "rpz"; } qname-wait-recurse no break-dnssec yes;
};`,
  )
  .join("\n")}
`,
    }));
}

/** unbound with the zones of at most 250 sources, each for another client. */
export function unbound(path) {
  return (sources) =>
    withZones(sources, path, ({ folder, port, upstream, zoneFile }) => ({
      args: ["-d", "-c"],
      config: `
server:
  interface: 127.0.0.1@${port}
  access-control: 127.0.0.0/8 allow
${unboundServer(folder, port)}
  module-config: "respip iterator"
  define-tag: "${sources.map((_, i) => `t${i}`).join(" ")}"
${sources.map((_, i) => `  access-control-tag: ${clientOf(i)}/32 "t${i}"`).join("\n")}
remote-control:
  control-enable: no
forward-zone:
  name: "."
  forward-addr: 127.0.0.1@${upstream}
${sources.map((_, i) => `rpz:\n  name: "rpz${i}."\n  zonefile: "${zoneFile(i)}"\n  tags: "t${i}"`).join("\n")}
`,
    }));
}

// Compares `urlhash-server dns` with dnsmasq and unbound, which block the same hosts and forward to the same resolver:
// `pnpm --filter @x/server bench:dns [HOSTS] [SECONDS-TO-START]`. It needs dnsmasq, unbound, dig and
// dnsperf. Before anything is measured, all must block the same names.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { printMachine, printTable } from "@x/test-support/benchmark";

const COMMAND = fileURLToPath(new URL("../bin/urlhash-server.js", import.meta.url));
const HOSTS = Number(process.argv[2] ?? 1_742_603);
const SECONDS = 5;
/** A program that does not answer after this many seconds is left out. */
const MOST_SECONDS = Number(process.argv[3] ?? 60);
const TICKS_PER_SECOND = 100;
/** Settings of glibc and Node.js with which the process keeps less memory. */
const SMALL = {
  ...{ MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "131072" },
  NODE_OPTIONS: "--max-semi-space-size=1",
};

const folder = mkdtempSync(join(tmpdir(), "bench-dns-"));
const file = (name) => join(folder, name);
const hostOf = (i) => `${Math.imul(i, 0x9e3779b1) >>> 0}.site${i % 5000}.example`;
const hosts = Array.from({ length: HOSTS }, (_, i) => hostOf(i));

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * The code of the answer about each name. On a busy machine, an answer may be lost or be SERVFAIL, which says nothing
 * about what is blocked, so these names are asked again.
 */
function codes(port, names) {
  const found = new Map();
  for (let round = 0; round < 5 && found.size < names.length; round++) {
    writeFileSync(file("names"), names.filter((name) => !found.has(name)).join("\n"));
    // The exit status is that of the last query.
    const { stdout } = spawnSync("dig", ["@127.0.0.1", "-p", port, "-f", file("names")], {
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    for (const answer of stdout.split("->>HEADER<<-")) {
      const [, code] = /status: ([A-Z]+)/.exec(answer) ?? [];
      const [, name] = /QUESTION SECTION:\n;(\S+)\.\s/.exec(answer) ?? [];
      if (name !== undefined && code !== "SERVFAIL") found.set(name, code);
    }
  }
  return names.map((name) => found.get(name) ?? "no answer");
}

function isReady(port) {
  const args = ["@127.0.0.1", "-p", port, "+tries=1", "+time=1", "ready.test"];
  try {
    return execFileSync("dig", args, { encoding: "utf8" }).includes("status: NOERROR");
  } catch {
    return false;
  }
}

const processor = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};
const resident = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

async function start(program, args, port, env = {}) {
  const begun = performance.now();
  const child = spawn(program, args, { stdio: "ignore", env: { ...process.env, ...env } });
  const stop = () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    return ended;
  };
  const seconds = () => (performance.now() - begun) / 1000;
  while (!isReady(port)) {
    if (child.exitCode !== null) throw new Error(`${program} ended`);
    if (seconds() > MOST_SECONDS) {
      const megabytes = resident(child.pid).toFixed(0);
      await stop();
      return { late: `does not answer after ${MOST_SECONDS} s, with ${megabytes} MB` };
    }
    await pause(20);
  }
  return { pid: child.pid, port, seconds: seconds(), stop };
}

const UNBOUND = (port, more, modules = "iterator") => `server:
  interface: 127.0.0.1
  port: ${port}
  do-daemonize: no
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  do-ip6: no
  do-not-query-localhost: no
  module-config: "${modules}"
${more}
remote-control:
  control-enable: no
`;

async function unbound(more, modules) {
  const port = await freePort();
  const config = file(`unbound-${port}.conf`);
  writeFileSync(config, UNBOUND(port, more, modules));
  return start("unbound", ["-d", "-c", config], port);
}

function publish() {
  const run = (...args) => execFileSync(process.execPath, [COMMAND, ...args], { stdio: "ignore" });
  writeLines("hosts.txt", "", (host) => `${host}\n`);
  run("init", "--store", file("lists"));
  run("publish", "--store", file("lists"), `malware=${file("hosts.txt")}`);
}

const ZONES = ["test", "good"].map(
  (zone) => `  local-zone: "${zone}." redirect\n  local-data: "${zone}. 60 IN A 127.0.0.1"`,
);
const resolver = await unbound(ZONES.join("\n"));
publish();
/** Writes a line or more for each host, not all at once, as they may be longer than a string can be. */
function writeLines(name, first, linesOf) {
  writeFileSync(file(name), first);
  for (let at = 0; at < hosts.length; at += 100_000)
    appendFileSync(
      file(name),
      hosts
        .slice(at, at + 100_000)
        .map(linesOf)
        .join(""),
    );
}
writeLines("local.conf", "", (host) => `local=/${host}/\n`);
writeLines("local-zones", "", (host) => `local-zone: "${host}" always_nxdomain\n`);
writeLines(
  "rpz.zone",
  "$ORIGIN rpz.test.\n$TTL 60\n@ SOA localhost. root. 1 3600 900 2592000 7200\n@ NS localhost.\n",
  (host) => `${host} CNAME .\n*.${host} CNAME .\n`,
);
const forwarding = `forward-zone:\n  name: "."\n  forward-addr: 127.0.0.1@${resolver.port}`;
mkdirSync(file("copies"));

async function urlhash(env) {
  const port = await freePort();
  const settings = ["--set", `dns.folder=${file("copies")}`, "--log-level", "warn"];
  const args = [
    COMMAND,
    "dns",
    "--store",
    file("lists"),
    "--resolver",
    `127.0.0.1:${resolver.port}`,
  ];
  return start(
    process.execPath,
    [...args, "--listen", `127.0.0.1:${port}`, ...settings],
    port,
    env,
  );
}

const candidates = {
  "urlhash-server dns": () => urlhash({}),
  "the same, with little memory": () => urlhash(SMALL),
  async "dnsmasq, local="() {
    const port = await freePort();
    const own = ["--keep-in-foreground", `--port=${port}`, `--conf-file=${file("local.conf")}`];
    const more = ["--no-resolv", "--user=", "--pid-file=", "--cache-size=0", "--bind-interfaces"];
    const where = ["--listen-address=127.0.0.1", `--server=127.0.0.1#${resolver.port}`];
    return start("dnsmasq", [...own, ...more, ...where, "--dns-forward-max=10000"], port);
  },
  "unbound, local-zone": () =>
    unbound(`  include: ${file("local-zones")}\n  local-zone: "test." nodefault\n${forwarding}`),
  "unbound, RPZ": () =>
    unbound(
      `  local-zone: "test." nodefault\n${forwarding}\nrpz:\n  name: rpz.test\n  zonefile: ${file("rpz.zone")}`,
      "respip iterator",
    ),
};

/** Sends different queries about names that are on no list, for some seconds. */
function load(port, round) {
  const names = Array.from({ length: 200_000 }, (_, i) => `r${round}n${i}.good A\n`);
  writeFileSync(file("queries"), names.join(""));
  const args = ["-s", "127.0.0.1", "-p", port, "-d", file("queries"), "-l", SECONDS, "-q", "200"];
  const printed = execFileSync("dnsperf", args, { encoding: "utf8" });
  const numberOf = (what) => Number(new RegExp(`${what}:\\s+([\\d.]+)`).exec(printed)[1]);
  return {
    queries: numberOf("Queries completed"),
    lost: numberOf("Queries lost"),
    rate: numberOf("Queries per second"),
  };
}

const sample = Array.from({ length: 200 }, (_, i) => hosts[Math.floor((i * HOSTS) / 200)]);
const asked = [
  ...sample,
  ...sample.map((host) => `www.${host}`),
  ...sample.map((_, i) => `n${i}.good`),
];
const expected = asked.map((name) => (name.endsWith(".good") ? "NOERROR" : "NXDOMAIN"));
const rows = [];
try {
  let round = 0;
  for (const [name, run] of Object.entries(candidates)) {
    const { pid, port, seconds, stop, late } = await run();
    if (late !== undefined) {
      console.error(`${name} ${late}`);
      rows.push([`${name} ${late}`, "", "", "", "", "", "", ""]);
      continue;
    }
    const started = processor(pid);
    await pause(3000);
    const idle = resident(pid);
    const found = codes(port, asked);
    const wrong = asked.findIndex((_, i) => found[i] !== expected[i]);
    if (wrong !== -1) {
      const said = `${asked[wrong]}: ${found[wrong]} instead of ${expected[wrong]}`;
      throw new Error(`${name} blocks other names: ${said}`);
    }
    const before = processor(pid);
    const { queries, lost, rate } = load(port, round++);
    const each = ((processor(pid) - before) / queries) * 1e6;
    rows.push([
      name,
      seconds.toFixed(1),
      started.toFixed(1),
      idle.toFixed(0),
      resident(pid).toFixed(0),
      rate.toFixed(0),
      each.toFixed(0),
      String(lost),
    ]);
    console.error(`${name}: done`);
    await stop();
  }
} finally {
  await resolver.stop();
  rmSync(folder, { recursive: true, force: true });
}
printMachine();
console.log(`${HOSTS} hosts; all block the same ${asked.length} names and forward the others\n`);
printTable(
  [
    "",
    "start, s",
    "processor time of the start, s",
    "MB idle",
    "MB after load",
    "queries a second",
    "µs a query",
    "lost",
  ],
  rows,
);

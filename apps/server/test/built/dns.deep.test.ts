import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packet from "dns-packet";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  COMMAND,
  type Run,
  run,
  start,
  temporaryFolder,
  waitFor,
  watched,
} from "../support/command.ts";
import { askTcp, askUdp, query, type TestResolver, testResolver } from "../support/dns.ts";
import { logged } from "../support/json-log.ts";

/* The built command, as an operator runs it. */

let folder: ReturnType<typeof temporaryFolder>;
let resolver: TestResolver;
beforeEach(async () => {
  folder = temporaryFolder();
  resolver = await testResolver();
  write("hosts.txt", "evil.example\n");
  await run(folder.path, "init", "--store", "lists");
  await run(folder.path, "publish", "--store", "lists", "malware=hosts.txt");
});
afterEach(async () => {
  await resolver.stop();
  folder.remove();
});

const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);

const settings = (dns: string, more = "") =>
  write(
    "urlhash-server.yaml",
    `store: lists\n${more}dns:\n  listen: 127.0.0.1:0\n  resolvers: ["127.0.0.1:${resolver.address.port}"]\n${dns}`,
  );

/** Starts the forwarder on a free port, and waits until it listens. */
async function forwarder(): Promise<Run & { port: number }> {
  const started = start(folder.path, "dns", "--config", "urlhash-server.yaml");
  const port = await waitFor("the forwarder to listen", () => {
    const said = /answering DNS queries at 127\.0\.0\.1:(\d+)/.exec(started.stderr());
    if (said === null && started.child.exitCode !== null) throw new Error(started.stderr());
    return said?.[1];
  });
  return { ...started, port: Number(port) };
}

const rcodeOf = async (port: number, name: string) =>
  (packet.decode((await askUdp(port, query(name)))!) as { rcode?: string }).rcode;

describe.skipIf(process.platform === "win32")("a running forwarder", () => {
  test("reads its settings and files again after SIGHUP, and keeps the old ones if they are wrong", async () => {
    settings("");
    const server = await forwarder();
    const { port, child } = server;
    expect(await rcodeOf(port, "www.evil.example")).toBe("NXDOMAIN");
    expect(await rcodeOf(port, "other.example")).toBe("NOERROR");

    write("allow.txt", "www.evil.example\n");
    write("block.txt", "other.example\n");
    settings("  allow: allow.txt\n  block: block.txt\n  answer: refused\n");
    child.kill("SIGHUP");
    await logged(server, /^reloaded$/);
    expect(await rcodeOf(port, "www.evil.example")).toBe("NOERROR");
    expect(await rcodeOf(port, "evil.example")).toBe("REFUSED");
    expect(await rcodeOf(port, "other.example")).toBe("REFUSED");

    settings("  answer: nothing\n");
    child.kill("SIGHUP");
    await logged(server, /^The settings stay as they were: /);
    expect(await rcodeOf(port, "other.example")).toBe("REFUSED");

    child.kill("SIGTERM");
    expect((await server.ended).status).toBe(0);
    expect(server.stdout()).not.toContain("evil.example");
  });

  test.skipIf(process.platform !== "linux")(
    "answers on a socket for IPv6 of the service manager",
    async () => {
      settings("");
      const socket = createSocket("udp6").bind(0, "::ffff:127.0.0.1");
      await once(socket, "listening");
      const { port } = socket.address();
      const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
      const script = 'export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"';
      const command = [process.execPath, COMMAND, "dns", "--config", "urlhash-server.yaml"];
      const server = watched(
        spawn("sh", ["-c", script, "sh", ...command], {
          ...{ cwd: folder.path, stdio: ["pipe", "pipe", "pipe", fd] },
        }),
      );
      socket.close();
      await waitFor("the forwarder to listen", () => server.stderr().includes("answering DNS"));
      expect(await rcodeOf(port, "evil.example")).toBe("NXDOMAIN");
      expect(await rcodeOf(port, "good.example")).toBe("NOERROR");
      server.child.kill("SIGTERM");
      expect((await server.ended).status).toBe(0);
    },
  );

  test("logs the names that are blocked only if the operator wants it", async () => {
    settings("  log-names: true\n");
    const server = await forwarder();
    await rcodeOf(server.port, "www.evil.example");
    await rcodeOf(server.port, "good.example");
    await logged(server, /^blocked$/);
    server.child.kill("SIGTERM");
    await server.ended;
    expect(server.stdout()).toContain('"name":"www.evil.example","list":"malware"');
    expect(server.stdout()).not.toContain("good.example");
  });

  test("keeps no memory and no waiting query after many queries, of which many fail", async () => {
    settings("  timeout: 200ms\n", "admin: 127.0.0.1:0\n");
    const server = await forwarder();
    const origin = await waitFor(
      "the address for operators",
      () => /are at (http:\S+)/.exec(server.stderr())?.[1],
    );
    const resident = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))![1]);
    let count = 0;
    resolver.udp = (message) => (count++ % 3 === 0 ? null : message.subarray(0, count % 40));
    async function storm(round: number): Promise<number> {
      for (let i = 0; i < 20; i++) {
        const names = Array.from({ length: 250 }, (_, n) => `r${round}i${i}n${n}.example`);
        await Promise.all(names.map((name) => askUdp(server.port, query(name), 2000)));
        await askTcp(
          server.port,
          names.slice(0, 50).map((name) => query(name)),
        );
      }
      return resident();
    }
    await storm(0);
    const before = await storm(1);
    // A process that has little time frees memory late. One that keeps memory grows with each storm.
    let least = Number.POSITIVE_INFINITY;
    for (let round = 2; round < 12 && least > before + 20_000; round++) {
      least = Math.min(least, await storm(round));
    }
    expect(least).toBeLessThanOrEqual(before + 20_000);
    const metrics = await waitFor("all queries to be answered", async () => {
      const text = await (await fetch(`${origin}/metrics`)).text();
      return text.includes("urlhash_dns_waiting_queries 0") && text;
    });
    expect(metrics).toContain('urlhash_dns_queries_total{outcome="failed"}');
    expect(await (await fetch(`${origin}/readyz`)).text()).toBe("ready\n");
  });
});

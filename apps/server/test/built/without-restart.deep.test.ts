import { spawn } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { connect as tlsConnect } from "node:tls";
import { fileURLToPath } from "node:url";
import { steadyLoad } from "@x/test-support/steady-load";
import { describe, expect, test } from "vitest";
import { COMMAND, type Run, waitFor, watched } from "../support/command.ts";
import { linesOf, logged } from "../support/json-log.ts";
import { get, servedFolder } from "../support/served-folder.ts";

/* A certificate is renewed, and one server process replaces another, under load. */

const folder = servedFolder();
const { started } = folder;

const tlsFile = (name: string) =>
  fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));
const CERTIFICATES = ["test-only", "test-only-renewed"].map((name) =>
  readFileSync(tlsFile(`${name}.cert`)),
);

const inFolder = (name: string) => join(folder.path, name);

/** Copies a certificate and its key to where the server reads them. */
function install(name: string): void {
  copyFileSync(tlsFile(`${name}.cert`), inFolder("cert.pem"));
  copyFileSync(tlsFile(`${name}.key`), inFolder("key.pem"));
}

/** Returns the name in the certificate that new connections get. */
function certificateOf(origin: string): Promise<string> {
  const { port, hostname: host } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ host, port: Number(port), ca: CERTIFICATES }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

/** The different values that the processes of a server have for a metric. */
async function numbersIn(origin: string, name: string): Promise<number[]> {
  const { text } = await get(origin, "/metrics");
  const all = text.matchAll(new RegExp(`^${name}(?:\\{process="\\d"\\})? (\\S+)$`, "gm"));
  return [...new Set([...all].map(([, value]) => Number(value)))];
}

// Windows has no signals that a process can handle.
describe.skipIf(process.platform === "win32").each([
  ["one process", 1],
  ["four processes", 4],
])("under 200 requests a second, with %s", (_, count) => {
  const several = ["--set", `processes=${count}`];
  /** Waits until all processes have logged this. */
  const all = (server: Run, message: RegExp) => logged(server, message, count);

  test("uses a renewed certificate, and no request of 200 a second fails", async () => {
    install("test-only");
    const server = await started(
      ...["tls.certificate=cert.pem", "tls.key=key.pem", "admin=127.0.0.1:0"].flatMap((each) => [
        "--set",
        each,
      ]),
      ...several,
    );
    await all(server, /^started$/);
    expect(await certificateOf(server.origin)).toBe("localhost");
    const agent = new TlsAgent({ keepAlive: true, maxSockets: 20 });
    const load = steadyLoad(`${server.origin}/v5/hashLists`, { agent, ca: CERTIFICATES });
    await waitFor("requests", () => load.answered() > 100);
    install("test-only-renewed");
    await all(server, /^certificate loaded$/);
    const name = () => certificateOf(server.origin);
    expect(await name()).toBe("test only, renewed");

    // Only the key has changed, so the old certificate and key stay in use.
    copyFileSync(tlsFile("test-only.key"), inFolder("key.pem"));
    await waitFor("the problem", () => /does not belong to the certificate/.test(server.stderr()));
    await all(server, /does not belong to the certificate/);
    expect(await name()).toBe("test only, renewed");
    const admin = /healthz are at (\S+)/.exec(server.stderr())![1]!;
    const isReloaded = () => numbersIn(admin, "urlhash_config_last_reload_successful");
    expect(await isReloaded()).toEqual([0]);
    copyFileSync(tlsFile("test-only.cert"), inFolder("cert.pem"));
    await logged(server, /^certificate loaded$/, 2 * count);
    expect(await name()).toBe("localhost");
    expect(await isReloaded()).toEqual([1]);
    expect(await numbersIn(admin, "urlhash_certificate_expiration_timestamp_seconds")).toEqual([
      Date.UTC(2126, 9, 29, 9, 17, 29) / 1000,
    ]);

    const { answered, failures } = await load.stop();
    agent.destroy();
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(400);
  });

  /** A socket that listens but accepts no connections, with its descriptor. */
  async function listeningSocket(): Promise<{ socket: Server; port: number; descriptor: number }> {
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(0, "127.0.0.1", resolve));
    const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
    return { socket, port: (socket.address() as AddressInfo).port, descriptor: fd };
  }

  test("is replaced on a socket of the service manager, and no request of 200 a second fails", async () => {
    // As systemd does for a socket unit, the script keeps the socket open, and restarts the server whenever the server
    // ends.
    writeFileSync(
      inFolder("manager.sh"),
      `while test -e running; do sh -c 'export LISTEN_PID=$$ LISTEN_FDS=1; echo $$ > pid; exec "$@"' server "$@"; done\n`,
    );
    writeFileSync(inFolder("running"), "");
    const { socket, port, descriptor } = await listeningSocket();
    const argv = [
      "manager.sh",
      process.execPath,
      COMMAND,
      "serve",
      "--store",
      "lists",
      "--set",
      "poll=1s",
      ...several,
    ];
    const manager = watched(
      spawn("sh", argv, { cwd: folder.path, stdio: ["ignore", "pipe", "pipe", descriptor] }),
    );
    socket.close();
    const times = () => linesOf(manager).filter(({ msg }) => msg === "started").length;
    await waitFor("the first server", () => times() === count);
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    const load = steadyLoad(`http://127.0.0.1:${port}/v5/hashLists`, { agent });
    for (let round = 2; round <= 4; round++) {
      const before = load.answered();
      await waitFor("requests", () => load.answered() > before + 100);
      process.kill(Number(readFileSync(inFolder("pid"), "utf8")), "SIGTERM");
      await waitFor("the next server", () => times() === round * count);
    }
    const before = load.answered();
    await waitFor("requests", () => load.answered() > before + 100);
    const { answered, failures } = await load.stop();
    agent.destroy();
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(400);
    rmSync(inFolder("running"));
    process.kill(Number(readFileSync(inFolder("pid"), "utf8")), "SIGTERM");
    await manager.ended;
  });
});

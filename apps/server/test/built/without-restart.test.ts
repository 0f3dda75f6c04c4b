import { spawn } from "node:child_process";
import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get as httpGet } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { connect as tlsConnect } from "node:tls";
import { fileURLToPath } from "node:url";
import { steadyLoad } from "@x/test-support/steady-load";
import { describe, expect, test } from "vitest";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import { COMMAND, type Run, waitFor, watched } from "../support/command.ts";
import { get, servedFolder } from "../support/served-folder.ts";

/* What a server takes up while it runs, and how one process replaces another. */

const folder = servedFolder();
const { publish, started, serving } = folder;

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

/** The name in the certificate that new connections get. */
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

const linesOf = (run: Pick<Run, "stdout">) =>
  run
    .stdout()
    .split("\n")
    // The last line may still be incomplete.
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Waits until the log has a line with a message that matches. */
const logged = (run: Pick<Run, "stdout">, message: RegExp, count = 1) =>
  waitFor(
    String(message),
    () => linesOf(run).filter(({ msg }) => message.test(msg)).length >= count,
  );

async function numberIn(origin: string, name: string): Promise<number> {
  const { text } = await get(origin, "/metrics");
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

// Windows has no signals.
describe.skipIf(process.platform === "win32")("a running server", () => {
  test("uses a renewed certificate, and no request of 200 a second fails", async () => {
    install("test-only");
    const server = await started(
      "--tls-cert",
      "cert.pem",
      "--tls-key",
      "key.pem",
      "--admin",
      "127.0.0.1:0",
    );
    expect(await certificateOf(server.origin)).toBe("localhost");
    const agent = new TlsAgent({ keepAlive: true, maxSockets: 20 });
    const load = steadyLoad(`${server.origin}/v5/hashLists`, { agent, ca: CERTIFICATES });
    await waitFor("requests", () => load.answered() > 100);
    install("test-only-renewed");
    const renewed = async () => (await certificateOf(server.origin)) === "test only, renewed";
    await waitFor("the new certificate", renewed);
    await logged(server, /^certificate loaded$/);

    // Only the key has changed: the old pair stays in use.
    copyFileSync(tlsFile("test-only.key"), inFolder("key.pem"));
    await waitFor("the problem", () => /does not belong to the certificate/.test(server.stderr()));
    expect(await renewed()).toBe(true);
    const admin = /healthz are at (\S+)/.exec(server.stderr())![1]!;
    expect(await numberIn(admin, "urlhash_config_last_reload_successful")).toBe(0);
    copyFileSync(tlsFile("test-only.cert"), inFolder("cert.pem"));
    await waitFor(
      "the first pair",
      async () => (await certificateOf(server.origin)) === "localhost",
    );
    expect(await numberIn(admin, "urlhash_config_last_reload_successful")).toBe(1);
    expect(await numberIn(admin, "urlhash_certificate_expiration_timestamp_seconds")).toBe(
      Date.UTC(2126, 9, 29, 9, 17, 29) / 1000,
    );

    const { answered, failures } = await load.stop();
    agent.destroy();
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(400);
  });

  test("reads its settings, keys and lists again after SIGHUP", async () => {
    const server = await started();
    const { child, origin } = server;
    const status = async (path: string) => (await get(origin, path)).status;
    const title = async () => (await get(origin, "/blocked")).text.includes("Example Ltd");
    expect(await status("/v5/hashList/mw-4b")).toBe(200);
    expect(await title()).toBe(false);

    // API keys, and who runs the server.
    writeFileSync(inFolder("keys"), `${hashApiKey("first")} malware\n`);
    const conf = ["operator-name = Example Ltd", `keys = ${inFolder("keys")}`, "host = ::1"];
    appendFileSync(inFolder("lists.conf"), `${conf.join("\n")}\n`);
    child.kill("SIGHUP");
    await logged(server, /^reloaded$/);
    expect(await status("/v5/hashList/mw-4b")).toBe(403);
    expect(await status("/v5/hashList/mw-4b?key=first")).toBe(200);
    expect(await title()).toBe(true);
    await logged(server, /^The new value of host is used when the server starts again\.$/);

    // What is wrong is reported, and the old settings stay.
    writeFileSync(inFolder("keys"), "no key\n");
    child.kill("SIGHUP");
    await logged(server, /^The settings stay as they were: .*keys:1: expected the SHA-256/);
    expect(await status("/v5/hashList/mw-4b?key=first")).toBe(200);
    expect(await status("/v5/hashList/mw-4b")).toBe(403);
    writeFileSync(inFolder("keys"), `${hashApiKey("second")} malware\n`);
    appendFileSync(inFolder("lists.conf"), "no-such-setting = 1\n");
    child.kill("SIGHUP");
    await logged(server, /lists\.conf:\d+: unknown setting 'no-such-setting'/);
    expect(await status("/v5/hashList/mw-4b?key=first")).toBe(200);
    writeFileSync(inFolder("lists.conf"), `keys = ${inFolder("keys")}\n`);

    // A removed key and a removed setting.
    child.kill("SIGHUP");
    await logged(server, /^reloaded$/, 2);
    expect(await status("/v5/hashList/mw-4b?key=first")).toBe(403);
    expect(await status("/v5/hashList/mw-4b?key=second")).toBe(200);
    expect(await title()).toBe(false);

    // Public keys with which the lists could not be verified.
    const trusted = readFileSync(inFolder("lists.pub"), "utf8");
    writeFileSync(inFolder("lists.pub"), "another+00000000+AAAA\n");
    child.kill("SIGHUP");
    await logged(server, /^The settings stay as they were: /, 3);
    expect(await status("/v5/hashList/mw-4b?key=second")).toBe(200);
    writeFileSync(inFolder("lists.pub"), `# again\n${trusted}`);
    child.kill("SIGHUP");
    await logged(server, /^reloaded$/, 3);

    // It goes on as before.
    await publish("a", "b");
    await waitFor("version 2", () =>
      linesOf(server).some(({ list, version }) => list === "malware" && version === 2),
    );
    child.kill("SIGTERM");
    expect((await server.ended).status).toBe(0);
    expect(linesOf(server).at(-1)).toMatchObject({ msg: "stopped" });
    expect(server.stdout()).not.toMatch(/first|second/);
  });

  test("opens no debugger, and is not ended by SIGHUP while it starts", async () => {
    const server = await serving("--store", "lists");
    server.child.kill("SIGUSR1");
    server.child.kill("SIGHUP");
    await logged(server, /^reloaded$/);
    server.child.kill("SIGUSR1");
    expect((await get(server.origin, "/readyz")).status).toBe(200);
    server.child.kill("SIGTERM");
    expect((await server.ended).stderr).not.toContain("Debugger");
  });

  /** A socket that listens and accepts no connection, and its descriptor. */
  async function listeningSocket(): Promise<{ socket: Server; port: number; descriptor: number }> {
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(0, "127.0.0.1", resolve));
    const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
    return { socket, port: (socket.address() as AddressInfo).port, descriptor: fd };
  }

  test("is replaced on a socket of the service manager, and no request of 200 a second fails", async () => {
    // This does what systemd does for a socket unit: it keeps the socket open, and starts the server again when it ends.
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
      "--poll",
      "1s",
    ];
    const manager = watched(
      spawn("sh", argv, { cwd: folder.path, stdio: ["ignore", "pipe", "pipe", descriptor] }),
    );
    socket.close();
    const times = () => linesOf(manager).filter(({ msg }) => msg === "started").length;
    await waitFor("the first server", () => times() === 1);
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    const load = steadyLoad(`http://127.0.0.1:${port}/v5/hashLists`, { agent });
    for (let round = 2; round <= 4; round++) {
      const before = load.answered();
      await waitFor("requests", () => load.answered() > before + 100);
      process.kill(Number(readFileSync(inFolder("pid"), "utf8")), "SIGTERM");
      await waitFor("the next server", () => times() === round);
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

  test("listens on a Unix socket, and replaces one that a killed server left", async () => {
    const path = inFolder("lists.sock");
    const ask = (target: string) =>
      new Promise<number>((resolve, reject) => {
        httpGet({ socketPath: path, path: target }, (response) => {
          response.resume().once("end", () => resolve(response.statusCode!));
        }).once("error", reject);
      });
    const server = watched(
      spawn(
        process.execPath,
        [COMMAND, "serve", "--store", "lists", "--listen", "unix:lists.sock"],
        {
          cwd: folder.path,
          stdio: ["ignore", "pipe", "pipe"],
        },
      ),
    );
    await waitFor("the socket", () => /at unix:lists\.sock/.test(server.stderr()));
    expect(await ask("/v5/hashList/mw-4b")).toBe(200);
    const second = watched(
      spawn(
        process.execPath,
        [COMMAND, "serve", "--store", "lists", "--listen", "unix:lists.sock"],
        {
          cwd: folder.path,
          stdio: ["ignore", "pipe", "pipe"],
        },
      ),
    );
    expect(await second.ended).toMatchObject({ status: 2 });
    expect(second.stderr()).toMatch(/cannot listen on lists\.sock/);
    server.child.kill("SIGKILL");
    await server.ended;
    const third = watched(
      spawn(
        process.execPath,
        [COMMAND, "serve", "--store", "lists", "--listen", "unix:lists.sock"],
        {
          cwd: folder.path,
          stdio: ["ignore", "pipe", "pipe"],
        },
      ),
    );
    await waitFor("the socket", () => /at unix:lists\.sock/.test(third.stderr()));
    expect(await ask("/readyz")).toBe(200);
    third.child.kill("SIGTERM");
    expect((await third.ended).status).toBe(0);
  });
});

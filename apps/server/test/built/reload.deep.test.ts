import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { get as httpGet } from "node:http";
import { join } from "node:path";
import { readEntry } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { describe, expect, test } from "vitest";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import { COMMAND, start, waitFor, watched } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { linesOf, logged } from "../support/json-log.ts";
import { get, servedFolder } from "../support/served-folder.ts";

/* Changes that a server adopts without a restart, and the addresses on which it listens. */

const folder = servedFolder();
const { publish, started, serving } = folder;

const inFolder = (name: string) => join(folder.path, name);

// Windows has no signals that a process can handle.
describe.skipIf(process.platform === "win32")("a running server", () => {
  test("reads its settings, keys and lists again after SIGHUP", async () => {
    const server = await started();
    const { child, origin } = server;
    const status = async (path: string) => (await get(origin, path)).status;
    const title = async () => (await get(origin, "/blocked")).text.includes("Example Ltd");
    expect(await status("/v5/hashList/mw-4b")).toBe(200);
    expect(await title()).toBe(false);

    // SIGHUP makes the server read the API keys and the name of the operator.
    const file = inFolder("urlhash-server.yaml");
    const reader = (key: string) =>
      `readers: { us: { key-sha256: ${hashApiKey(key)}, lists: [malware] } }\n`;
    const store = "store: lists\nlisten: '[::1]:80'\n";
    writeFileSync(file, `${store}${reader("first")}operator: { name: Example Ltd }\n`);
    child.kill("SIGHUP");
    await logged(server, /^reloaded$/);
    expect(await status("/v5/hashList/mw-4b")).toBe(403);
    expect(await status("/v5/hashList/mw-4b?key=first")).toBe(200);
    expect(await title()).toBe(true);

    // If the settings are not valid, the problem is reported, and the old ones stay in use.
    writeFileSync(file, `${store}${reader("second")}operator: { name: Ltd }\nno-such-setting: 1\n`);
    child.kill("SIGHUP");
    await logged(server, /yaml:\d+: unknown setting "no-such-setting"/);
    expect(await status("/v5/hashList/mw-4b?key=first")).toBe(200);
    expect(await status("/v5/hashList/mw-4b")).toBe(403);

    // A key and a setting are replaced.
    writeFileSync(file, `${store}${reader("second")}operator: {}\n`);
    child.kill("SIGHUP");
    await logged(server, /^reloaded$/, 2);
    expect(await status("/v5/hashList/mw-4b?key=first")).toBe(403);
    expect(await status("/v5/hashList/mw-4b?key=second")).toBe(200);
    expect(await title()).toBe(false);

    // With these public keys, the lists could not be verified.
    const trusted = readFileSync(inFolder("lists.pub"), "utf8");
    writeFileSync(inFolder("lists.pub"), "another+00000000+AAAA\n");
    child.kill("SIGHUP");
    await logged(server, /^The settings stay as they were: /, 2);
    expect(await status("/v5/hashList/mw-4b?key=second")).toBe(200);
    writeFileSync(inFolder("lists.pub"), `# again\n${trusted}`);
    child.kill("SIGHUP");
    await logged(server, /^reloaded$/, 3);

    // A settings file that was not written yet, lost or cut off changes nothing.
    const settings = readFileSync(file);
    writeFileSync(file, "");
    child.kill("SIGHUP");
    await logged(server, /^The settings stay as they were: .* is empty$/);
    expect(await status("/v5/hashList/mw-4b")).toBe(403);
    writeFileSync(file, store);
    child.kill("SIGHUP");
    await logged(server, /no longer has readers, operator: write a new value, or restart/);
    expect(await status("/v5/hashList/mw-4b")).toBe(403);
    // Without a reader, the list stays private.
    writeFileSync(file, `${store}readers: {}\noperator: {}\n`);
    child.kill("SIGHUP");
    await logged(server, /^The list malware was private, and stays so/);
    expect(await status("/v5/hashList/mw-4b")).toBe(403);
    writeFileSync(file, settings);
    child.kill("SIGHUP");
    await logged(server, /^reloaded$/, 5);
    expect(await status("/v5/hashList/mw-4b?key=second")).toBe(200);

    // The server still finds new versions.
    await publish("a", "b");
    await waitFor("version 2", () =>
      linesOf(server).some(({ list, version }) => list === "malware" && version === 2),
    );
    child.kill("SIGTERM");
    expect((await server.ended).status).toBe(0);
    expect(linesOf(server).at(-1)).toMatchObject({ msg: "stopped" });
    expect(server.stdout()).not.toMatch(/first|second/);
  });

  test("updates the lists of another server after SIGHUP", async () => {
    const { origin } = await started();
    await runHere(folder.path, "init", "--store", "other");
    const upstream = `upstreams={ first: { server: "${origin}", lists: [mw-4b] } }`;
    const server = await serving("--store", "other", "--set", upstream);
    const isListed = async (host: string) =>
      (await get(server.origin, `/lookup/status?url=${host}.example`)).status === 403;
    await waitFor("the list", () => isListed("a"));
    expect(await isListed("b")).toBe(false);
    await publish("a", "b");
    await waitFor("the change", () => {
      server.child.kill("SIGHUP");
      return isListed("b");
    });
  });

  test("publish --watch reads its settings again after SIGHUP", async () => {
    const args = ["publish", "--store", "lists", "--watch", "malware=urls.txt"];
    const publisher = start(folder.path, ...args);
    await waitFor("the first run", () => publisher.stdout().includes("unchanged at version 1"));
    publisher.child.kill("SIGUSR1");
    appendFileSync(inFolder("urlhash-server.yaml"), "no-such-setting: 1\n");
    publisher.child.kill("SIGHUP");
    await waitFor("the problem", () => /stay as they were: .*no-such/.test(publisher.stdout()));
    writeFileSync(inFolder("urlhash-server.yaml"), "store: lists\nlifetime: 1d\n");
    publisher.child.kill("SIGHUP");
    await waitFor("the settings", () => publisher.stdout().includes("were read again"));
    writeFileSync(inFolder("urls.txt"), "http://a.example/\nhttp://b.example/\n");
    await waitFor("version 2", () => publisher.stdout().includes("version 2"));
    const { manifest } = (await readEntry(directoryStorage(inFolder("lists")), "malware", 2))!;
    expect(manifest.expires - manifest.issued).toBe(24 * 60 * 60 * 1000);
    publisher.child.kill("SIGTERM");
    const { status, stderr } = await publisher.ended;
    expect(status).toBe(0);
    expect(stderr).not.toContain("Debugger");
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

  test.each([
    ["one process", 1],
    ["four processes", 4],
  ])(
    "listens on a Unix socket, and replaces one that a killed server left, with %s",
    async (_, count) => {
      const path = inFolder("lists.sock");
      const ask = (target: string) =>
        new Promise<number>((resolve, reject) => {
          httpGet({ socketPath: path, path: target }, (response) => {
            response.resume().once("end", () => resolve(response.statusCode!));
          }).once("error", reject);
        });
      const serve = ["serve", "--store", "lists", "--listen", "unix:lists.sock"];
      const args = [COMMAND, ...serve, "--set", `processes=${count}`];
      const listening = () =>
        watched(
          spawn(process.execPath, args, { cwd: folder.path, stdio: ["ignore", "pipe", "pipe"] }),
        );
      const server = listening();
      await logged(server, /^started$/, count);
      expect(server.stderr()).toMatch(/at unix:lists\.sock/);
      expect(await ask("/v5/hashList/mw-4b")).toBe(200);
      const second = listening();
      expect(await second.ended).toMatchObject({ status: 2 });
      expect(second.stderr()).toMatch(/cannot listen on lists\.sock/);
      server.child.kill("SIGKILL");
      await server.ended;
      const third = listening();
      await logged(third, /^started$/, count);
      expect(await ask("/readyz")).toBe(200);
      third.child.kill("SIGTERM");
      expect((await third.ended).status).toBe(0);
    },
  );
});

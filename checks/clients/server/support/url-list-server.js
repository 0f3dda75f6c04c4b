import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "./free-port.js";
import { waitFor } from "./wait-for.js";

const COMMAND = fileURLToPath(
  new URL("../../../../apps/server/bin/urlhash-server.js", import.meta.url),
);
const run = promisify(execFile);

/** Runs the built command, and returns its output. */
export async function urlhashServer(...args) {
  const { stdout } = await run(process.execPath, [COMMAND, ...args]);
  return stdout;
}

/** A store in its own folder, and a server for it that can be stopped and started again on the same port. */
export async function urlListServer() {
  const folder = mkdtempSync(join(tmpdir(), "clients-"));
  const store = join(folder, "lists");
  const port = await freePort();
  const log = [];
  let child = null;
  await urlhashServer("init", "--store", store);

  return {
    folder,
    port,
    origin: `http://127.0.0.1:${port}`,
    /** The lines that the server logged, as objects. A mark is the number of lines so far. */
    log,
    /** Publishes lists of URLs, given by name. A list may lose any number of entries, and may have been withdrawn. */
    async publish(lists, ...options) {
      const sources = Object.entries(lists).map(([name, urls]) => {
        const file = join(folder, `${name}.txt`);
        writeFileSync(file, `${urls.join("\n")}\n`);
        return `${name}=${file}`;
      });
      const args = [
        "--store",
        store,
        "--set",
        "max-removed=100%",
        "--resume",
        ...options,
        ...sources,
      ];
      const printed = await urlhashServer("publish", ...args);
      const version = Number(/version (\d+)/.exec(printed)[1]);
      if (child !== null) {
        await waitFor(`version ${version} to be served`, () =>
          log.some((line) => line.msg === "list loaded" && line.version >= version),
        );
      }
    },
    async withdraw(name) {
      const printed = await urlhashServer("withdraw", "--store", store, name);
      const version = Number(/version (\d+)/.exec(printed)[1]);
      if (child === null) return;
      await waitFor("the withdrawn list to be served", () =>
        log.some(
          (line) => line.msg === "list loaded" && line.list === name && line.version >= version,
        ),
      );
    },
    async start(...options) {
      child = spawn(
        process.execPath,
        [COMMAND, "serve", "--store", store, "--port", port, "--set", "poll=1s", ...options],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      let rest = "";
      child.stdout.on("data", (data) => {
        const lines = (rest + data).split("\n");
        rest = lines.pop();
        for (const line of lines) log.push(JSON.parse(line));
      });
      await waitFor("the server to be ready", async () => {
        const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
        return response?.ok;
      });
    },
    signal: (name) => child.kill(name),
    /** Stops the server as an operator does, and returns its exit status. */
    async stop() {
      if (child === null) return null;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      child = null;
      return ended;
    },
    /**
     * The kinds of updates of a list that were answered since a mark: "none", "partial" or "full". The function waits
     * until there is one, because the log is written with some delay.
     */
    async updates(list, mark = 0) {
      const logged = () =>
        log
          .slice(mark)
          .flatMap((line) => line.updates ?? [])
          .filter((update) => update.startsWith(`${list}:`))
          .map((update) => update.slice(list.length + 1));
      await waitFor(`an update of ${list} in the log`, () => logged().length > 0);
      return logged();
    },
    async remove() {
      await this.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

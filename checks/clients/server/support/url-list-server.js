import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { background } from "./background.js";
import { settings, URLHASH_SERVER, urlhashServer } from "./commands.js";
import { freePort } from "./free-port.js";
import { newFolder } from "./new-folder.js";
import { waitFor } from "./wait-for.js";

/** A store in its own folder, and a server for it that can be stopped and started again on the same port. */
export async function urlListServer() {
  const folder = newFolder("clients");
  const store = join(folder, "lists");
  const port = await freePort();
  const log = [];
  let program = null;
  await urlhashServer("init", "--store", store);

  /** Runs a command that makes a version, and returns its number. */
  async function newVersion(command, ...args) {
    const printed = await urlhashServer(command, "--store", store, ...args);
    return Number(/version (\d+)/.exec(printed)[1]);
  }

  /** Waits until the server, if it runs, has loaded a version. */
  async function served(what, isVersion) {
    if (program === null) return;
    await waitFor(`${what} to be served`, () =>
      log.some((line) => line.msg === "list loaded" && isVersion(line)),
    );
  }

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
      const version = await newVersion(
        ...["publish", ...settings({ "max-removed": "100%" }), "--resume", ...options],
        ...sources,
      );
      await served(`version ${version}`, (line) => line.version >= version);
    },
    async withdraw(name) {
      const version = await newVersion("withdraw", name);
      await served("the withdrawal", (line) => line.list === name && line.version >= version);
    },
    async start(...options) {
      const serve = ["serve", "--store", store, "--port", port, ...settings({ poll: "1s" })];
      program = background(process.execPath, [URLHASH_SERVER, ...serve, ...options], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      readLines(program.child.stdout, (line) => log.push(JSON.parse(line)));
      await program.until("the server to be ready", async () => {
        const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
        return response?.ok;
      });
    },
    signal: (name) => program.child.kill(name),
    /** Stops the server as an operator does, and returns its exit status. */
    async stop() {
      const stopped = program;
      program = null;
      return stopped?.stop();
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

function readLines(stream, onLine) {
  let rest = "";
  stream.on("data", (data) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop();
    lines.forEach(onLine);
  });
}

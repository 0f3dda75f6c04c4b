import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../support/free-port.js";
import { sandboxSkip } from "../support/sandbox.js";
import { urlhashServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";

const COMMAND = fileURLToPath(
  new URL("../../../../apps/server/bin/urlhash-server.js", import.meta.url),
);
const HOSTS = Array.from({ length: 100 }, (_, i) => `h${i}.test`);
/** The milliseconds between two requests: 50 requests a second. */
const PAUSE = 20;

/** Mounts the folder of a store, copies a store into it, and starts a server, which alone sees the mounted folder. */
const SCRIPT = `
mount -t tmpfs none "$1"
cp -a "$2"/. "$1"
shift 2
exec "$@"
`;

describe("a store that is unmounted", { skip: sandboxSkip(), timeout: 600_000 }, () => {
  let folder;
  let child;
  let origin;
  const inside = (...path) => join(folder, ...path);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "clients-"));
    await urlhashServer("init", "--store", inside("lists"));
    writeFileSync(inside("urls.txt"), HOSTS.map((host) => `http://${host}/\n`).join(""));
    await urlhashServer("publish", "--store", inside("lists"), `malware=${inside("urls.txt")}`);
    cpSync(inside("lists"), inside("copy"), { recursive: true });
    rmSync(inside("lists"), { recursive: true });
    mkdirSync(inside("lists"));
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const serve = ["serve", "--store", inside("lists"), "--port", port, "--poll", "1s"];
    const command = [process.execPath, COMMAND, ...serve];
    const script = ["-ec", SCRIPT, "sh", inside("lists"), inside("copy"), ...command];
    child = spawn("unshare", ["--mount", "sh", ...script], { stdio: "ignore" });
    await waitFor("the server", async () => (await ready()) === 200);
  });
  after(async () => {
    if (child !== undefined) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const ready = async () => (await fetch(`${origin}/readyz`).catch(() => null))?.status;
  const lookUp = async (host) =>
    (await fetch(`${origin}/lookup/status?url=http://${host}/`)).status;

  async function lookUpAll() {
    const statuses = [];
    for (const host of HOSTS) {
      statuses.push(lookUp(host), lookUp(`not-${host}`));
      await pause(2 * PAUSE);
    }
    return Promise.all(statuses);
  }

  test("leaves every URL its verdict", async () => {
    const { status } = spawnSync("nsenter", [
      ...["--mount", `--target=${child.pid}`],
      ...["umount", "--lazy", inside("lists")],
    ]);
    assert.equal(status, 0);
    const expected = HOSTS.flatMap(() => [403, 200]);
    assert.deepEqual(await lookUpAll(), expected);
    await waitFor("the server to notice", async () => (await ready()) === 503);
    assert.deepEqual(await lookUpAll(), expected);
  });
});

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { steadyLoad } from "../../../support/steady-load.js";
import { example, withValues } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { isListed } from "../support/is-listed.js";
import { newFolder } from "../support/new-folder.js";
import { program } from "../support/required-programs.js";
import { sandboxSkip } from "../support/sandbox.js";
import { waitFor } from "../support/wait-for.js";
import { bootedMachine } from "./booted-machine.js";

/* The units of docs/examples/systemd, set up as their README says, under a systemd of their own. */

const { path, skip: missing } = program("systemd-nspawn");
const skip = missing || sandboxSkip();
const PACK = fileURLToPath(new URL("../../../release/pack.js", import.meta.url));
const UNITS = ["urlhash-publish", "urlhash-serve"];

describe("the units under systemd", { skip, timeout: 600_000 }, () => {
  let folder;
  let root;
  let machine;
  let port;

  before(async () => {
    folder = newFolder("systemd");
    chmodSync(folder, 0o755);
    root = join(folder, "root");
    mkdirSync(join(root, "setup"), { recursive: true });
    execFileSync(process.execPath, [PACK, join(root, "setup")], { stdio: "ignore" });
    port = await freePort();
    for (const name of UNITS) {
      writeFileSync(join(root, "setup", `${name}.service`), example(`systemd/${name}.service`));
    }
    const socket = withValues(example("systemd/urlhash-serve.socket"), { ":8080": `:${port}` });
    writeFileSync(join(root, "setup/urlhash-serve.socket"), socket);
    writeFileSync(
      join(root, "setup", "urlhash-server.yaml"),
      example("systemd/urlhash-server.yaml"),
    );
    machine = await bootedMachine(path, root);
    const [, setup] = /^```text\n(npm install .*?)^```$/ms.exec(example("systemd/README.md"));
    succeeds(setup, "/setup");
  });
  after(async () => {
    await machine?.stop();
  });

  function succeeds(command, where) {
    const { status, stdout, stderr } = machine.run(command, where);
    assert.equal(status, 0, `${command}\n${stdout}${stderr}`);
    return stdout.trim();
  }

  const propertyOf = (unit, name) => succeeds(`systemctl show --value --property=${name} ${unit}`);

  /** Runs a command with the permissions of a service, in its namespaces. */
  function asService(unit, command) {
    const pid = propertyOf(unit, "MainPID");
    const ids = succeeds(`stat --format='--setuid %u --setgid %g' /proc/${pid}`);
    const options = `--target ${pid} --mount --user --net --wd=/ ${ids}`;
    return machine.run(`nsenter ${options} -- sh -c ${JSON.stringify(command)}`);
  }

  const isServed = (url) => isListed(`http://127.0.0.1:${port}`, url);

  async function follows(url) {
    writeFileSync(join(root, "etc/urlhash/malware.txt"), `${url}\n`);
    await waitFor(`${url} to be listed`, () => isServed(url));
  }

  test("publish and serve the list of the setup, and later changes to the source", async () => {
    await waitFor("the list of the setup", () => isServed("http://bad.example/malware/"));
    await follows("http://evil.example/bad/");
    assert.equal(await isServed("http://bad.example/malware/"), false);
  });

  test("have no permissions, and namespaces of their own", () => {
    for (const unit of UNITS) {
      const pid = propertyOf(unit, "MainPID");
      const facts = succeeds(`cat /proc/${pid}/status`);
      assert.match(facts, /^NoNewPrivs:\t1$/m);
      // System calls are filtered.
      assert.match(facts, /^Seccomp:\t2$/m);
      assert.equal(facts.match(/^Cap\w+:\t0{16}$/gm).length, 5);
      // With PrivateUsers, the service sees root and its own user; all other users appear as nobody.
      const id = succeeds(`stat --format=%u /proc/${pid}`);
      assert.notEqual(id, "0");
      const users = succeeds(`cat /proc/${pid}/uid_map`).split("\n");
      const seen = users.map((line) => line.trim().split(/ +/));
      assert.deepEqual(seen, [
        ["0", "0", "1"],
        [id, id, "1"],
      ]);
    }
  });

  test("cannot do anything else", () => {
    const [publish, serve] = UNITS;
    for (const [unit, command, error] of [
      [publish, "echo > /etc/urlhash/malware.txt", /Read-only/],
      [publish, "echo > /var/lib/urlhash-serve/seen", /Read-only|denied/],
      [publish, "ls /home", /denied/],
      [serve, "cat /var/lib/urlhash/lists.key", /denied/],
      [serve, "echo > /var/lib/urlhash/lists/x", /Read-only/],
      [serve, "echo > /etc/urlhash/malware.txt", /Read-only/],
    ]) {
      const { status, stderr } = asService(unit, command);
      assert.notEqual(status, 0, command);
      assert.match(stderr, error, command);
    }
    // The publisher has no network but its own loopback device.
    const { stdout } = asService(publish, "cat /proc/net/dev");
    assert.deepEqual(stdout.match(/\w+(?=:)/g), ["lo"]);
  });

  test("restart when they are killed", async () => {
    for (const unit of UNITS) {
      const before = propertyOf(unit, "MainPID");
      succeeds(`systemctl kill --signal=KILL ${unit}`);
      await waitFor(`${unit} to start again`, () => {
        const now = propertyOf(unit, "MainPID");
        return now !== "0" && now !== before;
      });
    }
    await follows("http://evil.example/later/");
  });

  test("restart without losing one of 200 requests a second", async () => {
    const before = propertyOf("urlhash-serve", "MainPID");
    // A request on an idle connection may cross with the end of the connection, and is then sent again (RFC 9112
    // §9.3.1).
    const agent = new Agent({ keepAlive: false, maxSockets: 50 });
    const load = steadyLoad(`http://127.0.0.1:${port}/v5/hashLists`, { agent });
    await waitFor("requests", () => load.answered() > 200);
    // A synchronous call would stop this process from sending its requests, and the server would close their
    // connections.
    await machine.runMeanwhile("systemctl restart urlhash-serve");
    const answered = load.answered();
    await waitFor("more requests", () => load.answered() > answered + 200);
    await machine.runMeanwhile("systemctl reload urlhash-serve");
    const { failures } = await load.stop();
    agent.destroy();
    assert.deepEqual(failures, []);
    assert.notEqual(propertyOf("urlhash-serve", "MainPID"), before);
    await waitFor("the reload", () =>
      succeeds("journalctl --unit urlhash-serve --output cat --grep reloaded"),
    );
  });

  test("stop without an error", () => {
    succeeds(`systemctl stop urlhash-serve.socket ${UNITS.join(" ")}`);
    for (const unit of UNITS) {
      assert.equal(propertyOf(unit, "Result"), "success");
      assert.equal(propertyOf(unit, "ExecMainStatus"), "0");
    }
  });
});
